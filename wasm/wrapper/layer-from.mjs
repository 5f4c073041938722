// The weights of a real model, as its framework keeps them, → a case.
import { readCase, readOptions, toCase } from './case.mjs';
import { argumentOf, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { readMask } from './mask.mjs';
import { shapeText, toMatrix, toVector } from './matrices.mjs';
import { readLayer } from './packing.mjs';
import { Request } from './request.mjs';
import { Sizes } from './sizes.mjs';
import { listOf, nearestName, quoted, short } from './words.mjs';

const projection = (name) => ({ weight: `${name}.weight`, bias: `${name}.bias` });
const fused = (fusedKeys, output, layout) => ({ fused: fusedKeys, outputs: [projection(output)], layout });
const separate = {
  query: projection('q_proj'),
  key: projection('k_proj'),
  value: projection('v_proj'),
  outputs: [projection('o_proj'), projection('out_proj')],
};

/** Under which keys each layout keeps what, and which of the core's layouts its fused matrix has. */
const layouts = {
  torch: fused({ weight: 'in_proj_weight', bias: 'in_proj_bias' }, 'out_proj', 'torch'),
  gpt2: fused(projection('c_attn'), 'c_proj', 'gpt2'),
  separate,
  llama: separate,
  grouped: fused(projection('qkv_proj'), 'o_proj', 'torch'),
  timm: fused(projection('qkv'), 'proj', 'torch'),
  megatron: fused(projection('query_key_value'), 'dense', 'interleaved'),
};

/** The names, for the test of headwise.d.ts. */
export const stateLayouts = Object.freeze(Object.keys(layouts));

// Kept beside the weights, but not learned: the angles of rotary positions, and the causal mask of GPT-2 and GPT-NeoX.
const isBuffer = (key) => /^(bias|masked_bias)$|(^|\.)inv_freq$/.test(key);

/**
 * @param {{ call: Function, lists: object, table: object }} engine
 * @param {unknown} state weights by key
 * @param {unknown} options { layout, dims, inputs?, mask?, options? }
 */
export function layerFrom(engine, state, options) {
  checkObject('options', options, 'an object: { layout, dims, inputs?, mask?, options? }');
  checkCaseKeys('options', options, ['layout', 'dims', 'inputs', 'mask', 'options']);
  const layout = layouts[checkOneOf('options.layout', options.layout, stateLayouts)];
  const { dims, inputs, mask = null, options: layerOptions } = options;
  if (dims === undefined)
    refuse('invalidArgument', 'options.dims is missing; it must be an object: { num_heads, num_kv_heads? }.', {
      argument: 'dims',
    });
  const sizes = new Sizes('options.dims', dims);
  if (sizes.get('num_heads') === undefined)
    refuse('invalidDimension', 'options.dims.num_heads is missing; no shape tells it.', { argument: 'num_heads' });
  readOptions(engine.lists, 'options.options', layerOptions);
  const stored = new Stored(state, options.layout, layout);
  const weights = layout.fused ? fromFused(engine, stored, sizes) : fromSeparate(engine, stored, sizes);
  const layer = { kind: 'mha', inputs: null, given: { mask }, options: layerOptions };
  const bare = toCase(layer, readLayer(engine.table, weights));
  const counts = Object.fromEntries(['n_q', 'n_kv'].map((name) => [name, sizes.get(name)]).filter(([, size]) => size));
  const without = { ...bare, dims: { ...counts, ...bare.dims } };
  if (inputs === undefined) {
    // Not all sizes are known yet; what can be wrong by itself is told now.
    readMask(engine, 'options.mask', mask, sizes);
    return without;
  }
  const read = readCase(engine, { ...without, inputs });
  return { ...without, dims: read.sizes.toDims(), inputs: read.inputs };
}

/** The state: where the layer's keys begin, what of them is there, and nothing else. */
class Stored {
  #state;
  #prefix;

  constructor(state, layoutName, layout) {
    checkObject('state', state, 'an object of weights by key');
    this.#state = state;
    this.layout = layout;
    const first = (layout.fused ?? layout.query).weight;
    this.#prefix = prefixOf(Object.keys(state), first, layoutName);
    this.output = layout.outputs.find(({ weight }) => this.has(weight)) ?? layout.outputs[0];
    this.#refuseOthers(layoutName);
  }

  key(name) {
    return this.#prefix + name;
  }
  has(name) {
    const value = this.#state[this.key(name)];
    return value !== undefined && value !== null;
  }
  projection({ weight, bias }) {
    if (!this.has(weight))
      refuse('invalidArgument', `${short(this.key(weight))} is missing from the state.`, {
        argument: short(this.key(weight)),
      });
    return {
      weight: toMatrix(short(this.key(weight)), this.#state[this.key(weight)]),
      bias: this.has(bias) ? toVector(short(this.key(bias)), this.#state[this.key(bias)]) : null,
    };
  }

  // Keys elsewhere in the model are of other layers; those beside the weights are this layer's, and would change what it computes.
  #refuseOthers(layoutName) {
    const { fused: one, query, key, value } = this.layout;
    const known = [one, query, key, value, this.output].filter(Boolean).flatMap(({ weight, bias }) => [weight, bias]);
    for (const full of Object.keys(this.#state)) {
      if (!full.startsWith(this.#prefix)) continue;
      const name = full.slice(this.#prefix.length);
      if (known.includes(name) || isBuffer(name) || this.#state[full] === null) continue;
      const meant = nearestName(name, known);
      const hint = /norm/.test(name)
        ? 'queries and keys are not normalised here'
        : `${meant === null ? '' : `did you mean ${meant}? `}${meant === null ? 'it' : 'It'} can be ${listOf(known)}`;
      refuse('invalidOption', `${short(full)} is unknown in layout "${layoutName}"; ${hint}.`, {
        argument: short(full),
      });
    }
  }
}

// "h.0.attn." of "h.0.attn.c_attn.weight": the one key that ends so.
function prefixOf(keys, name, layoutName) {
  const found = keys.filter((key) => key === name || key.endsWith(`.${name}`));
  if (found.length === 1) return found[0].slice(0, -name.length);
  if (found.length === 0) {
    const fitting = Object.entries(layouts)
      .filter(([, layout]) => keys.some((key) => key.endsWith((layout.fused ?? layout.query).weight)))
      .map(([other]) => other);
    const hint =
      fitting.length > 0
        ? `; these keys are those of layout ${listOf(fitting.map((other) => `"${other}"`))}`
        : `, which layout "${layoutName}" needs`;
    refuse('invalidArgument', `${name} is missing from the state${hint}.`, { argument: name });
  }
  return refuse(
    'invalidArgument',
    `The state holds several layers (${quoted(found[0])}, ${quoted(found[1])} …); give the keys of one.`,
    { argument: 'state' },
  );
}

// A number of rows or columns that is shared among so many heads.
function perHead(place, size, count, countName, what, argument = countName) {
  if (size % count !== 0)
    refuse('shapeMismatch', `${place} has ${size} ${what}, which ${countName} ${count} does not divide.`, {
      argument,
    });
  return size / count;
}

function checkBias(stored, { bias }, { bias: values }, size) {
  if (values !== null && values.length !== size)
    refuse('shapeMismatch', `${short(stored.key(bias))} must have ${size} numbers, but has ${values.length}.`, {
      argument: argumentOf(short(stored.key(bias))),
    });
}

function fromFused({ call, lists }, stored, sizes) {
  const { fused: keys, layout } = stored.layout;
  const isTransposed = layout !== 'gpt2';
  const all = stored.projection(keys);
  const output = stored.projection(stored.output);
  const [weightKey, outputKey] = [short(stored.key(keys.weight)), short(stored.key(stored.output.weight))];
  // As used from the right: [d × fused] and [h·p × p_o].
  const turned = ({ rows, columns }) => (isTransposed ? { rows: columns, columns: rows } : { rows, columns });
  const [weight, out] = [turned(all.weight), turned(output.weight)];
  const heads = sizes.get('num_heads');
  const width = perHead(outputKey, out.rows, heads, 'num_heads', isTransposed ? 'columns' : 'rows');
  const fromOutput = () => `${outputKey} (${shapeText(output.weight)})`;
  const fromWeight = () => `${weightKey} (${shapeText(all.weight)})`;
  const blocks = weight.columns / width - heads;
  if (sizes.get('num_kv_heads') === undefined && Number.isInteger(blocks / 2) && blocks > 0)
    sizes.claim('num_kv_heads', blocks / 2, fromWeight);
  const groups = sizes.get('num_kv_heads') ?? heads;
  if (weight.columns !== (heads + 2 * groups) * width)
    refuse(
      'shapeMismatch',
      `${weightKey} is ${shapeText(all.weight)}; with num_heads ${heads}, num_kv_heads ${groups} and heads ${width} wide, ` +
        `as ${outputKey} (${shapeText(output.weight)}) has it, it needs ${(heads + 2 * groups) * width} ${isTransposed ? 'rows' : 'columns'}.`,
      { argument: argumentOf(weightKey) },
    );
  for (const name of ['p_q', 'p_k', 'p_v']) sizes.claim(name, width, fromOutput);
  for (const name of ['d_q', 'd_k', 'd_v']) sizes.claim(name, weight.rows, fromWeight);
  sizes.claim('p_o', out.columns, fromOutput);
  sizes.claim('num_kv_heads', groups, fromWeight);
  checkBias(stored, keys, all, weight.columns);
  checkBias(stored, stored.output, output, out.columns);
  return call(
    'unfuse',
    new Request()
      .numbers(sizes.toCore('scaledDotProduct'))
      .name(lists.layouts, layout)
      .projection(all)
      .projection(output),
  );
}

// All stored [out × in].
function fromSeparate({ call }, stored, sizes) {
  const { query: queryKeys, key: keyKeys, value: valueKeys } = stored.layout;
  const [query, key, value, output] = [queryKeys, keyKeys, valueKeys, stored.output].map((keys) =>
    stored.projection(keys),
  );
  const place = ({ weight }) => short(stored.key(weight));
  const source =
    (keys, { weight }) =>
    () =>
      `${place(keys)} (${shapeText(weight)})`;
  const heads = sizes.get('num_heads');
  const width = perHead(place(queryKeys), query.weight.rows, heads, 'num_heads', 'rows');
  // Queries meet keys: their widths are one, which tells how many heads of keys there are.
  if (sizes.get('num_kv_heads') === undefined)
    sizes.claim(
      'num_kv_heads',
      perHead(place(keyKeys), key.weight.rows, width, 'the head width', 'rows', place(keyKeys)),
      source(keyKeys, key),
    );
  const groups = sizes.get('num_kv_heads');
  sizes.claim('p_q', width, source(queryKeys, query));
  sizes.claim('p_k', perHead(place(keyKeys), key.weight.rows, groups, 'num_kv_heads', 'rows'), source(keyKeys, key));
  sizes.claim(
    'p_v',
    perHead(place(valueKeys), value.weight.rows, groups, 'num_kv_heads', 'rows'),
    source(valueKeys, value),
  );
  sizes.claim('d_q', query.weight.columns, source(queryKeys, query));
  sizes.claim('d_k', key.weight.columns, source(keyKeys, key));
  sizes.claim('d_v', value.weight.columns, source(valueKeys, value));
  sizes.claim('p_o', output.weight.rows, source(stored.output, output));
  const wide = heads * sizes.get('p_v');
  if (output.weight.columns !== wide)
    refuse(
      'shapeMismatch',
      `${place(stored.output)} must have num_heads · p_v = ${wide} columns, but is ${shapeText(output.weight)}.`,
      { argument: argumentOf(place(stored.output)) },
    );
  const request = new Request().numbers(sizes.toCore('scaledDotProduct'));
  for (const [keys, one] of [
    [queryKeys, query],
    [keyKeys, key],
    [valueKeys, value],
    [stored.output, output],
  ]) {
    checkBias(stored, keys, one, one.weight.rows);
    request.projection(one);
  }
  return call('weightsFrom', request);
}
