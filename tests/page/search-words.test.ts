// Who searches the page for a word of his own finds the place that is about it.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../../web/${file}`, import.meta.url), 'utf8');
const words = {
  'lessons/2-one-head.md': ['sliding window', 'ALiBi', 'batch', 'shape of the map, queries × keys'],
  'lessons/3-many-heads.md': ['timm', 'Megatron', 'Llama', 'k_proj', 'c_attn', 'in_proj_weight', '(h, 3, p)'],
  'lessons/5-weight-sharing.md': ['repeat_interleave', 'repeat_kv', 'Llama', 'GQA', 'MQA'],
  'pages/names.md': [
    ...['timm', 'Megatron', 'Llama', 'k_proj', 'repeat_interleave', 'sliding_window', 'ALiBi', 'batch', 'attn_mask'],
    ...['key_padding_mask', 'is_causal', 'head_dim', 'num_key_value_heads', 'shape of a mask'],
  ],
};

describe.each(Object.entries(words))('%s', (file, expected) => {
  const text = read(file);
  it.each(expected)('speaks of %s', (word) => {
    expect(text).toContain(word);
  });
});
