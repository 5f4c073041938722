// Keys that people bring from libraries and papers, and where in a case what they mean belongs. An unknown key is always refused; for these
// the refusal says what to write.
import { argumentOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { dimensionKeys } from './spelling.mjs';
import { editDistance, short, suggestion } from './words.mjs';

// What to write in the case, by the words for it.
const written = {
  "mask: { type: 'causal' }": 'causal is_causal isCausal causal_mask use_causal_mask autoregressive',
  "mask: { type: 'keep', keep: … } with true where a query may see a key, or mask: { type: 'additive', values: … } for numbers to be added to the scores":
    'attn_mask attention_mask attnMask attentionMask src_mask tgt_mask',
  "mask: { type: 'valid_lens', valid_lens: [ … ] }, or mask: { type: 'keep', keep: … } with true where a key may be seen":
    'key_padding_mask keyPaddingMask src_key_padding_mask padding_mask padding',
  "mask: { type: 'valid_lens', valid_lens: [ … ] }": 'valid_lens valid_len valid_lengths lengths seq_lens',
  "mask: { type: 'keep', keep: … }": 'keep',
  "mask: { type: 'sliding', window: … }": 'window window_size sliding sliding_window attention_window',
  "mask: { type: 'additive', values: … }, one matrix, or one for each head":
    'values alibi alibi_slopes attn_bias attention_bias position_bias relative_position_bias rel_pos_bias',
  'mask: { …, alignment: … }': 'alignment',
  'options: { scale: … }': 'scale scaling softmax_scale scale_factor scaleFactor attn_scale temperature',
  "kind: 'additive_mha', or kind: 'additive'": 'pooling score score_function bahdanau',
  'weights: { …, b_q: …, b_k: …, b_v: …, b_o: … }, or leave it out': 'bias biases use_bias qkv_bias add_bias',
  'options: { … }': 'opts opt config cfg settings params',
};
const sentences = new Map(
  Object.entries(written).flatMap(([text, words]) => words.split(' ').map((word) => [word, `write ${text}`])),
);

// What is not computed here at all.
const absent = {
  'nothing is dropped here, as in evaluation; leave it out':
    'dropout dropout_p dropoutP dropout_rate attn_dropout attention_dropout attn_pdrop p_drop',
  'scores are not capped here; leave it out if the model does not cap them':
    'softcap logit_softcap logits_soft_cap attn_logit_softcapping soft_cap',
  'positions are not rotated here; leave it out if the model does not rotate them':
    'rope rotary rope_theta rotary_emb rotary_dim rotary_pct rope_scaling apply_rotary',
  'queries and keys are not normalised here; leave it out if the model does not normalise them':
    'qk_norm qk_layernorm q_norm k_norm query_norm key_norm',
  'a case is one sequence, there is no batch axis; leave it out': 'batch batch_size batch_first batchSize B',
  'a trace has the weights of every head; leave it out':
    'need_weights average_attn_weights output_attentions return_attention return_weights',
};
for (const [text, words] of Object.entries(absent)) for (const word of words.split(' ')) sentences.set(word, text);

// Sizes by the names that others give them.
const sizes = {
  num_heads: 'heads n_heads n_head nhead numHeads num_attention_heads headCount h',
  num_kv_heads: 'kv_heads n_kv_heads num_key_value_heads num_query_groups keyValueHeadCount kv_num_heads',
  d_q: 'embed_dim d_model model_dim hidden_size n_embd modelSize d',
  d_k: 'kdim',
  d_v: 'vdim',
  p_q: 'head_dim d_head head_size headSize key_size',
  n_q: 'seq_len sequence_length tokens_count n L T',
  n_kv: 'kv_len kv_seq_len source_length S',
};
const sizeOf = new Map(Object.entries(sizes).flatMap(([name, words]) => words.split(' ').map((word) => [word, name])));
for (const name of dimensionKeys) sizeOf.set(name, name);

const parts = {
  inputs: ['X', 'query', 'key', 'value', 'Q', 'K', 'V'],
  weights: ['W_q', 'W_k', 'W_v', 'W_o', 'b_q', 'b_k', 'b_v', 'b_o', 'A_q', 'A_k', 'a_v', 'w_v'],
};

// A slip of the finger, rather than another library's word.
const isTypoOf = (key, name) => key.length >= 3 && editDistance(key.toLowerCase(), name.toLowerCase()) <= 1;

// What ends the message.
function advice(key, known, path) {
  const typo = key.length > 40 ? undefined : known.find((name) => isTypoOf(key, name));
  if (typo !== undefined) return path === '' ? `did you mean ${typo}?` : `${suggestion(key, known)}.`;
  if (sizeOf.has(key)) {
    const name = sizeOf.get(key);
    return /(^|\.)dims$/.test(path) ? `write ${name}.` : `write dims: { …, ${name}: … }.`;
  }
  if (sentences.has(key)) return `${sentences.get(key)}.`;
  for (const [part, names] of Object.entries(parts))
    if (names.includes(key) && !known.some((name) => names.includes(name))) return `write ${part}: { …, ${key}: … }.`;
  return `${suggestion(key, known)}.`;
}

/**
 * Refuses a key of a case, or of a part of one, that nobody reads.
 * @param {string} path '' for the case itself
 * @param {object} object
 * @param {readonly string[]} known
 */
export function checkCaseKeys(path, object, known) {
  for (const key of Object.keys(object))
    if (!known.includes(key)) {
      const place = path === '' ? short(key) : `${path}.${short(key)}`;
      refuse('invalidOption', `${place} is unknown; ${advice(key, known, path)}`, {
        argument: argumentOf(place),
      });
    }
}
