// From what a generator describes to what is passed: cases by their numbers, and mutations that make objects of them no caller should have.

/** What the caller's own code throws. */
export class OwnError extends Error {}

const throwOwn = () => {
  throw new OwnError('mine');
};

/** Answers so often as it is, and then otherwise. */
function changing(value, times, afterwards) {
  let left = times;
  return () => (left-- > 0 ? value : afterwards);
}

const withGetter = (object, key, get) =>
  Object.defineProperty(object, key, { get, enumerable: true, configurable: true });

// By keys: flat() would walk through the billions of holes that another mutation may have made.
const leaves = (value) =>
  Array.isArray(value)
    ? Object.keys(value).flatMap((key) => leaves(value[key]))
    : Number.isFinite(value)
      ? [value]
      : [];
const typed = (value) => Float64Array.from(Array.isArray(value) ? leaves(value) : [1, 2]);

// What takes the place of a value: (value, the number of the mutation, its object, its key) → another value, or undefined for what was done in place.
const mutations = [
  (_, { value }) => value,
  () => undefined,
  () => null,
  () => 'text',
  () => '😀'.repeat(1000),
  () => 'x'.repeat(100_000),
  () => 10n ** 40n,
  () => Symbol('mine'),
  () => () => 1,
  () => [],
  () => [[]],
  () => ({}),
  () => new Map(),
  () => true,
  (value) => [value],
  (value) => (Array.isArray(value) ? value.slice(0, -1) : value),
  (value) => (Array.isArray(value) ? [...value, ...value] : value),
  (value) => (Array.isArray(value) ? Object.assign([...value], { length: 2 ** 32 - 1 }) : value),
  (value) => typed(value),
  (value) => Object.defineProperty(typed(value), 'length', { value: 40_000 }),
  (value) => Float32Array.from(typed(value)),
  (value) => new Int8Array(typed(value).length),
  (value) => {
    const buffer = new ArrayBuffer(8 * Math.max(1, typed(value).length), { maxByteLength: 4096 * 8 });
    const data = new Float64Array(buffer);
    return withGetter({ rows: 1, columns: data.length, data }, 'data', () => {
      buffer.resize(buffer.byteLength > 8 ? 0 : 64);
      return data;
    });
  },
  (value) => {
    const data = typed(value);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    return data;
  },
  (value) => new Float64Array(new SharedArrayBuffer(8 * typed(value).length)),
  (value) => {
    if (value === null || typeof value !== 'object') return value;
    let looks = 0;
    const length = () => (7 * looks++ + 3) % 5;
    return new Proxy(value, { get: (target, key) => (key === 'length' ? length() : Reflect.get(target, key)) });
  },
  (value) => (value !== null && typeof value === 'object' ? new Proxy(value, { ownKeys: throwOwn }) : value),
  (value, { at }, object, key) => void withGetter(object, key, changing(value, at.length % 3, undefined)),
  (value, { at, value: other }, object, key) => void withGetter(object, key, changing(value, at.length % 3, other)),
  (_, __, object, key) => void withGetter(object, key, throwOwn),
  (_, { value }, object) => void (object.unknownKey = value),
  (value, _, object) => void Object.assign(object, { __proto__: null, constructor: value }),
];

// Walks down from the list of arguments as long as there is something below.
function mutate(list, mutation) {
  let [object, key] = [list, undefined];
  for (const step of mutation.at) {
    const below = key === undefined ? object : object[key];
    if (below === null || typeof below !== 'object' || ArrayBuffer.isView(below) || Object.isFrozen(below)) break;
    const keys = Object.keys(below);
    if (keys.length === 0) break;
    [object, key] = [below, keys[step % keys.length]];
  }
  if (key === undefined) return;
  // One that an earlier mutation gave billions of holes stays as it is.
  if (Array.isArray(object[key]) && object[key].length > 1e6) return;
  const other = mutations[mutation.kind % mutations.length](object[key], mutation, object, key);
  if (other !== undefined || mutation.kind % mutations.length === 1) object[key] = other;
}

/**
 * @param {{ headwise: object, cases: object[], files: object[], list: unknown[], mutations: object[] }} plan
 * @returns {{ list: unknown[], dispose: () => void }}
 */
export function build({ headwise, cases, files, list, mutations: planned }) {
  const opened = [];
  const open = (number) => {
    const handle = headwise.openLayer(cases[number]);
    opened.push(handle);
    return handle;
  };
  const markers = {
    $case: (number) => structuredClone(cases[number]),
    $file: (number) => structuredClone(files[number]),
    $open: open,
    $disposed: (number) => {
      const handle = open(number);
      handle.dispose();
      return handle;
    },
    $matrix: (rows) => ({ rows: rows.length, columns: rows[0].length, data: Float64Array.from(rows.flat()) }),
    $split: (single, { heads }) => {
      try {
        return headwise.splitSingleHead(resolved(single), heads);
      } catch {
        return resolved(single);
      }
    },
    $stored: (framework) => structuredClone(files.find(({ kind }) => kind === 'fused_layouts').weights[framework]),
    $outputOf: (number) => {
      try {
        return headwise.attend(result[number]).output;
      } catch {
        return [[1]];
      }
    },
  };
  const resolved = (value) => {
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map(resolved);
    for (const [marker, make] of Object.entries(markers)) if (marker in value) return make(value[marker], value);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part)]));
  };
  const result = [];
  for (const argument of list) result.push(resolved(argument));
  try {
    for (const mutation of planned) mutate(result, mutation);
  } catch (error) {
    // An accessor made by one mutation may throw in the next.
    if (!(error instanceof OwnError) && !(error instanceof TypeError)) throw error;
  }
  return {
    list: result,
    dispose: () => {
      for (const handle of opened) handle.dispose();
    },
  };
}
