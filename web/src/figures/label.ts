// Names of matrices with their indices: Q₁, K₁ᵀ, W₁ with a raised q.

import { html, type TemplateResult } from 'lit';
import type { Look } from '../bench/described.ts';

/** A piece of a name: upright text, a subscript or a superscript. */
export interface LabelPart {
  readonly level: 'base' | 'sub' | 'sup';
  readonly text: string;
}

/** {j} and {g} become the numbers of the head and its key/value head, or nothing where there is only one. */
export function withNumbers(label: string, numbers: Look['numbers']): string {
  return label.replaceAll(/(_?)\{([jg])\}/g, (_, sign: string, letter: 'j' | 'g') => {
    const number = numbers[letter];
    return number === undefined ? '' : `${sign}${number}`;
  });
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

/** The name as plain text, for captions read aloud: "Q 1 K 1 transposed". */
export function plainLabel(label: string): string {
  return labelParts(label)
    .map(({ level, text }) =>
      level === 'base' ? text : level === 'sub' ? ` ${text}` : text === 'T' ? ' transposed' : ` ${text}`,
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** An index below and one above the same letter stand over each other, as in print. */
export function labelTemplate(label: string): TemplateResult {
  const parts = labelParts(label);
  const pieces: unknown[] = [];
  for (let at = 0; at < parts.length; ++at) {
    const part = parts[at];
    const next = parts[at + 1];
    if (part?.level === 'sub' && next?.level === 'sup') {
      pieces.push(html`<span class="indices"><sup>${next.text}</sup><sub>${part.text}</sub></span>`);
      ++at;
    } else if (part?.level === 'sub') pieces.push(html`<sub>${part.text}</sub>`);
    else if (part?.level === 'sup') pieces.push(html`<sup>${part.text}</sup>`);
    else if (part) pieces.push(part.text);
  }
  return html`${pieces}`;
}
