// A case's weights as each framework keeps them, put together by plain loops and never by the engine.
import { nested } from './support.mjs';

const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));
const sideBySide = (matrices) => matrices[0].map((_, i) => matrices.flatMap((rows) => rows[i]));
const zipped = (...lists) => lists[0].flatMap((_, i) => lists.map((list) => list[i]));

/** The case's matrices of each role as nested arrays, one a head. */
export function partsOf({ weights }) {
  const rows = (name) => weights[name].map(nested);
  const bias = (name) => weights[name]?.map((vector) => Array.from(vector)) ?? null;
  return {
    q: rows('W_q'),
    k: rows('W_k'),
    v: rows('W_v'),
    o: nested(weights.W_o),
    bq: bias('b_q'),
    bk: bias('b_k'),
    bv: bias('b_v'),
    bo: weights.b_o && Array.from(weights.b_o),
  };
}
/** [in × out] blocks as one matrix, and their biases as one. */
const fused = (matrices, biases) => ({ weight: sideBySide(matrices), bias: biases && biases.flat() });
const all = ({ q, k, v, bq, bk, bv }) => fused([...q, ...k, ...v], bq && [...bq, ...bk, ...bv]);

/** How each layout keeps them. */
export const states = {
  torch(parts) {
    const { weight, bias } = all(parts);
    return {
      in_proj_weight: transposed(weight),
      in_proj_bias: bias,
      'out_proj.weight': transposed(parts.o),
      'out_proj.bias': parts.bo,
    };
  },
  gpt2(parts) {
    const { weight, bias } = all(parts);
    return {
      'c_attn.weight': weight,
      'c_attn.bias': bias,
      'c_proj.weight': parts.o,
      'c_proj.bias': parts.bo,
    };
  },
  separate: (parts) => separateState(parts, 'out_proj'),
  llama: (parts) => separateState(parts, 'o_proj'),
  grouped(parts) {
    const { weight, bias } = all(parts);
    return {
      'qkv_proj.weight': transposed(weight),
      'qkv_proj.bias': bias,
      'o_proj.weight': transposed(parts.o),
      'o_proj.bias': parts.bo,
    };
  },
  timm(parts) {
    const { weight, bias } = all(parts);
    return {
      'qkv.weight': transposed(weight),
      'qkv.bias': bias,
      'proj.weight': transposed(parts.o),
      'proj.bias': parts.bo,
    };
  },
  megatron({ q, k, v, o, bq, bk, bv, bo }) {
    const { weight, bias } = fused(zipped(q, k, v), bq && zipped(bq, bk, bv));
    return {
      'query_key_value.weight': transposed(weight),
      'query_key_value.bias': bias,
      'dense.weight': transposed(o),
      'dense.bias': bo,
    };
  },
};
function separateState({ q, k, v, o, bq, bk, bv, bo }, output) {
  const entries = { q_proj: [q, bq], k_proj: [k, bk], v_proj: [v, bv], [output]: [[o], bo && [bo]] };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, [matrices, biases]]) => [
      [`${name}.weight`, transposed(sideBySide(matrices))],
      [`${name}.bias`, biases && biases.flat()],
    ]),
  );
}
