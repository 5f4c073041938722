// How a result looks unless a lesson says otherwise: its name, the colour of its role, what its rows and columns are. By the end of its path.

import { resolvePath, type Results } from '../bench/results.ts';

export type Tone = 'input' | 'query' | 'key' | 'value' | 'scores' | 'attention' | 'output';
export type Scale = 'signed' | 'probability';
export type Naming = 'tokens' | 'keyTokens' | 'numbers' | 'heads' | 'none';

export interface Appearance {
  readonly tone: Tone;
  /** With _ and ^ for indices; {j} is the number of the head, counted from 1. */
  readonly label: string;
  readonly rows: Naming;
  readonly columns: Naming;
  readonly scale: Scale;
  /** Path, inside the layer, of the list whose members are blocks of columns or rows. */
  readonly blocks?: string;
  readonly rowBlocks?: string;
}

type Entry = readonly [
  ending: RegExp,
  tone: Tone,
  label: string,
  rows: Naming,
  columns: Naming,
  rest?: Partial<Appearance>,
];

const heads = { blocks: 'heads' } as const;
const roles: readonly [name: string, tone: Tone, letter: string][] = [
  ['query', 'query', 'q'],
  ['key', 'key', 'k'],
  ['value', 'value', 'v'],
];

// The first entry that fits counts.
const entries: readonly Entry[] = [
  [/similarity\.\w+$/, 'output', 'cosine similarity', 'heads', 'heads'],
  [/shapes\.\w+$/, 'input', '', 'none', 'none'],
  [/keyInput$/, 'input', 'H_kv', 'keyTokens', 'none'],
  [/valueInput$/, 'input', 'H_kv', 'keyTokens', 'none'],
  [/input$/, 'input', 'H', 'tokens', 'none'],
  [/W_q\[\d+\]$/, 'query', 'W_{j}^q', 'none', 'none'],
  [/W_k\[\d+\]$/, 'key', 'W_{j}^k', 'none', 'none'],
  [/W_v\[\d+\]$/, 'value', 'W_{j}^v', 'none', 'none'],
  [/W_o$/, 'output', 'W^o', 'none', 'none', { rowBlocks: 'heads' }],
  [/W_o_blocks\[\d+\]$/, 'output', 'W_{j}^o', 'none', 'none'],
  [/b_q\[\d+\]$/, 'query', 'b_{j}^q', 'none', 'none'],
  [/b_k\[\d+\]$/, 'key', 'b_{j}^k', 'none', 'none'],
  [/b_v\[\d+\]$/, 'value', 'b_{j}^v', 'none', 'none'],
  [/b_o$/, 'output', 'b^o', 'none', 'none'],
  [/A_q\[\d+\]$/, 'query', 'A_{j}^q', 'none', 'none'],
  [/A_k\[\d+\]$/, 'key', 'A_{j}^k', 'none', 'none'],
  [/a_v\[\d+\]$/, 'scores', 'a_{j}', 'none', 'none'],
  ...roles.map(([name, tone, letter]): Entry => [
    new RegExp(`wide\\.${name}$`),
    tone,
    `W^${letter}`,
    'none',
    'none',
    heads,
  ]),
  [/layouts\.gpt2$/, 'input', 'c_attn.weight', 'none', 'none'],
  [/layouts\.torch$/, 'input', 'in_proj_weight', 'none', 'none'],
  [/layouts\.interleaved$/, 'input', 'query_key_value.weight', 'none', 'none'],
  [/wideQueries$/, 'query', 'Q', 'tokens', 'none', heads],
  [/wideSplit\[\d+\]$/, 'query', 'Q_{j}', 'tokens', 'none'],
  [/wideSplitWrong\[\d+\]$/, 'query', '“Q_{j}”', 'none', 'none'],
  [/queryChanges\[\d+\]$/, 'query', 'ΔQ_{j}', 'tokens', 'none'],
  [/queries$/, 'query', 'Q_{j}', 'tokens', 'none'],
  [/keys$/, 'key', 'K_{j}', 'keyTokens', 'none'],
  [/values$/, 'value', 'V_{j}', 'keyTokens', 'none'],
  [/decomposition\.sum$/, 'scores', 'Σ Q_j K_j^T', 'tokens', 'keyTokens'],
  [/terms\[\d+\]$/, 'scores', 'Q_{j} K_{j}^T', 'tokens', 'keyTokens'],
  [/poolings\.additive.*(raw|scaled)Scores$/, 'scores', 'S_{j}', 'tokens', 'keyTokens'],
  [/rawScores$/, 'scores', 'Q_{j} K_{j}^T', 'tokens', 'keyTokens'],
  [/scaledScores$/, 'scores', 'S_{j}', 'tokens', 'keyTokens'],
  [/maskedScores$/, 'scores', 'S_{j}', 'tokens', 'keyTokens'],
  [/attentionWeights$/, 'attention', 'A_{j}', 'tokens', 'keyTokens', { scale: 'probability' }],
  [/wrongMasks\.\w+\[\d+\]$/, 'attention', 'A_{j}', 'tokens', 'keyTokens', { scale: 'probability' }],
  [/entropies\[\d+\]$/, 'attention', 'entropy', 'tokens', 'none'],
  [/contributions\[\d+\]$/, 'output', 'O_{j} W_{j}^o', 'tokens', 'none'],
  [/heads\[\d+\]\.output$/, 'output', 'O_{j}', 'tokens', 'none'],
  [/concatenated$/, 'output', 'concat', 'tokens', 'none', heads],
  [/output$/, 'output', 'output', 'tokens', 'none'],
];

/** The layer's own prefix: "multi." of "multi.heads[0].queries", "" of "heads[0].queries". */
export function layerPrefix(path: string): string {
  return /^((?:single|multi|fused|wrongSplit|wrongMerge|poolings\.\w+)\.)/.exec(path)?.[1] ?? '';
}

/** Index of the last list member in a path, and the path of its list. */
export function lastIndex(path: string): { list: string; index: number } | undefined {
  const match = /^(.*)\[(\d+)\][^[\]]*$/.exec(path);
  return match ? { list: match[1] ?? '', index: Number(match[2]) } : undefined;
}

/** {j} becomes the head's number, or nothing where there is only one head. */
export function withIndex(label: string, path: string, results: Results): string {
  const last = lastIndex(path);
  const list = last && resolvePath(results, last.list);
  const several = Array.isArray(list) && list.length > 1;
  return label.replaceAll(/_?\{j\}/g, (found) => {
    if (!last || !several) return '';
    return `${found.startsWith('_') ? '_' : ''}${last.index + 1}`;
  });
}

export function appearanceOf(path: string): Appearance {
  const entry = entries.find(([ending]) => ending.test(path));
  if (!entry) return { tone: 'input', label: '', rows: 'numbers', columns: 'numbers', scale: 'signed' };
  const [, tone, label, rows, columns, rest] = entry;
  return { tone, label, rows, columns, scale: 'signed', ...rest };
}

/** A piece of a name: upright text, a subscript or a superscript. */
export interface LabelPart {
  readonly level: 'base' | 'sub' | 'sup';
  readonly text: string;
}

/** "Q_1 K_1^T" → pieces. An index is one character, or several digits, or what braces hold. */
export function labelParts(label: string): LabelPart[] {
  const parts: LabelPart[] = [];
  // A name such as c_attn.weight is code, not a symbol with an index.
  if (/[a-z]_[a-z]{2}/.test(label)) return [{ level: 'base', text: label }];
  for (const match of label.matchAll(/([_^])(?:\{([^}]*)\}|(\d+|kv|.))|([^_^]+)/gu)) {
    const text = match[4] ?? match[2] ?? match[3] ?? '';
    parts.push({ level: match[1] === '_' ? 'sub' : match[1] === '^' ? 'sup' : 'base', text });
  }
  return parts;
}

/** The name as plain text, for captions read aloud: "Q 1 K 1 T". */
export function plainLabel(label: string): string {
  return labelParts(label)
    .map(({ level, text }) =>
      level === 'base' ? text : level === 'sub' ? ` ${text}` : text === 'T' ? ' transposed' : ` ${text}`,
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
