// What the part of the address after # says: which article or heading, and what the learner or teacher changed in it.
// Form: #<id>?v=1&<bench-id>.<key>=<value>&…&hide=<name>,<name>. Nothing here touches the page, and nothing throws.

import { groupThousands } from '../text/format.ts';
import { wellFormed } from '../text/letters.ts';

export const stateVersion = '1';

export type BenchValues = ReadonlyMap<string, string>;

export interface HashLocation {
  /** Id of an article or of anything inside one; '' for an empty hash. */
  readonly target: string;
  /** Whether the hash has a state part at all: "#lesson" and "#lesson?v=1" open the same lesson, but only the second asks for defaults. */
  readonly hasState: boolean;
  /** True if the state was written by a version of the page that this one does not know; it is then ignored. */
  readonly fromOtherVersion: boolean;
  /** Changed values by bench id, then by key. */
  readonly benches: ReadonlyMap<string, BenchValues>;
  /** Names of controls that a teacher took away. */
  readonly hidden: ReadonlySet<string>;
  /** Parts of the state that have none of these forms. */
  readonly unread: readonly string[];
}

export const emptyLocation: HashLocation = {
  target: '',
  hasState: false,
  fromOtherVersion: false,
  benches: new Map(),
  hidden: new Set(),
  unread: [],
};

/** Longer ones are cut: every change that a learner can make fits many times over, and reading must not hold the page still. */
const longestHash = 20_000;

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

// Commas, colons and the like stay readable: none of them means anything in a hash.
function encode(text: string): string {
  return encodeURIComponent(wellFormed(text))
    .replaceAll('%20', '+')
    .replace(/%(2C|3A|3B|2F|40)/g, (escaped) => decodeURIComponent(escaped));
}

export function parseHash(hash: string): HashLocation {
  const whole = hash.startsWith('#') ? hash.slice(1) : hash;
  const text = whole.slice(0, longestHash);
  const questionMark = text.indexOf('?');
  if (questionMark < 0) return { ...emptyLocation, target: decode(text) };

  const target = decode(text.slice(0, questionMark));
  const benches = new Map<string, Map<string, string>>();
  const hidden = new Set<string>();
  const unread = whole.length > text.length ? [`… and ${groupThousands(whole.length - text.length)} more letters`] : [];
  let version = stateVersion;
  for (const part of text.slice(questionMark + 1).split('&')) {
    const equals = part.indexOf('=');
    if (equals < 1) {
      if (part !== '') unread.push(decode(part));
      continue;
    }
    const name = decode(part.slice(0, equals));
    const value = decode(part.slice(equals + 1));
    const dot = name.indexOf('.');
    if (name === 'v') {
      version = value;
    } else if (name === 'hide') {
      for (const control of value.split(',')) if (control.trim() !== '') hidden.add(control.trim());
    } else if (dot > 0 && dot < name.length - 1) {
      const benchId = name.slice(0, dot);
      const values = benches.get(benchId) ?? new Map<string, string>();
      benches.set(benchId, values.set(name.slice(dot + 1), value));
    } else {
      unread.push(decode(part));
    }
  }
  if (version !== stateVersion) return { ...emptyLocation, target, hasState: true, fromOtherVersion: true };
  return { target, hasState: true, fromOtherVersion: false, benches, hidden, unread };
}

/** The hash with its leading #; the state part only where something differs from the defaults. */
export function formatHash(target: string, benches: HashLocation['benches'], hidden: ReadonlySet<string>): string {
  const parts: string[] = [];
  for (const [benchId, values] of benches) {
    for (const [key, value] of values) parts.push(`${encode(benchId)}.${encode(key)}=${encode(value)}`);
  }
  if (hidden.size > 0) parts.push(`hide=${encode([...hidden].join(','))}`);
  const state = parts.length > 0 ? `?v=${stateVersion}&${parts.join('&')}` : '';
  return `#${encode(target)}${state}`;
}
