// A case's mask: one, or a list of masks that all hold, → the conditions of the core's.
import { argumentOf, checkInteger, checkList, checkObject, checkOneOf, listLength } from './checks.mjs';
import { refuse } from './errors.mjs';
import { checkCaseKeys } from './foreign-words.mjs';
import { shapeText, toBoolMatrix, toMatrices, toMatrix } from './matrices.mjs';
import { writeMask } from './packing.mjs';
import { Request } from './request.mjs';

const keysOf = {
  causal: ['type', 'alignment', 'keep'],
  sliding: ['type', 'window', 'alignment', 'keep'],
  valid_lens: ['type', 'valid_lens', 'keep'],
  keep: ['type', 'keep'],
  additive: ['type', 'values'],
};

const readers = {
  causal: ({ alignments }, path, { alignment }) =>
    alignment === undefined
      ? alignments.map((name) => ({ alignment: name }))
      : [{ alignment: checkOneOf(`${path}.alignment`, alignment, alignments) }],
  sliding: (lists, path, mask) => {
    const window = checkInteger(`${path}.window`, mask.window);
    return readers.causal(lists, path, mask).map((causal) => ({ ...causal, window }));
  },
  valid_lens: (_, path, { valid_lens }, sizes) => [{ lengths: readLengths(`${path}.valid_lens`, valid_lens, sizes) }],
  keep: () => [],
};

/**
 * @param {{ call: Function, lists: object }} engine
 * @param {string} path
 * @param {unknown} mask
 * @param {{ get(name: string): number | undefined }} sizes n_q, n_kv and num_heads, as far as they are known
 * @returns {{ alignment?: string, window?: number, lengths?: number[], keep?: object, biases?: object[], biasPath?: (head: number) => string }}
 */
export function readMask(engine, path, mask, sizes) {
  if (mask === null || mask === undefined) return {};
  if (!Array.isArray(mask)) return readOne(engine, path, mask, sizes);
  const all = {};
  // Entry by entry: forEach would pass over holes, of which there may be billions.
  const count = listLength(path, mask, 'a list of masks', { mayBeEmpty: true });
  for (let i = 0; i < count; ++i) {
    const place = `${path}[${i}]`;
    const conditions = readOne(engine, place, mask[i], sizes);
    // A window is a causal mask and more: the two agree where their alignments do.
    const isSecondCausal =
      'alignment' in all && 'alignment' in conditions && !('window' in all && 'window' in conditions);
    if (isSecondCausal && all.alignment === conditions.alignment) delete conditions.alignment;
    for (const name of Object.keys(conditions))
      if (name in all)
        refuse(
          'invalidOption',
          `${place} says again what another mask of the list says; ${name === 'keep' ? 'make one pattern of the two' : 'leave one of them out'}.`,
          { argument: argumentOf(place) },
        );
    Object.assign(all, conditions);
  }
  return all;
}

function readOne({ call, lists }, path, mask, sizes) {
  checkObject(path, mask, 'null, { type, … } or a list of such masks');
  const type = checkOneOf(`${path}.type`, mask.type, Object.keys(keysOf));
  checkCaseKeys(path, mask, keysOf[type]);
  if (type === 'additive') return readBiases(`${path}.values`, mask.values, sizes);
  const candidates = readers[type](lists, path, mask, sizes);
  const { keep: given } = mask;
  if (given === undefined && type !== 'keep') return candidates[0];

  // A listed pattern decides, but it must not contradict what stands beside it.
  const keep = toBoolMatrix(`${path}.keep`, given);
  checkMaskShape(`${path}.keep`, keep, sizes);
  const agrees = (candidate) => {
    const request = new Request().number(keep.rows).number(keep.columns);
    return call('isPatternOf', writeMask(request, lists, candidate).cells(keep.data, keep.data.length));
  };
  if (candidates.length !== 0 && !candidates.some(agrees))
    refuse(
      'invalidOption',
      `${path}.keep is not the pattern of ${path}.type ${JSON.stringify(type)}; leave one of them out, or set type to "keep".`,
      { argument: argumentOf(`${path}.keep`) },
    );
  return { keep };
}

function readLengths(path, given, sizes) {
  checkList(path, given, 'an array of lengths');
  const lengths = Array.from(given, (length, i) => checkInteger(`${path}[${i}]`, length, { from: 0 }));
  const argument = argumentOf(path);
  const [queryCount, keyCount] = [sizes.get('n_q'), sizes.get('n_kv')];
  if (lengths.length !== 1 && queryCount !== undefined && lengths.length !== queryCount)
    refuse(
      'shapeMismatch',
      `${path} must have one length for all queries or one for each of the ${queryCount}, but has ${lengths.length}.`,
      { argument },
    );
  lengths.forEach((length, i) => {
    if (length > keyCount)
      refuse('invalidOption', `${path}[${i}] must be at most the number of keys, ${keyCount}, but is ${length}.`, {
        argument,
      });
  });
  return lengths;
}

// One matrix for all heads, or one for each.
function readBiases(path, values, sizes) {
  const isOnePerHead = Array.isArray(values)
    ? Array.isArray(values[0]?.[0]) || ArrayBuffer.isView(values[0]?.[0]) || isObject(values[0])
    : isObject(values) && values.shape?.length === 3;
  if (!isOnePerHead) {
    const bias = toMatrix(path, values, { mayHide: true });
    checkMaskShape(path, bias, sizes);
    return { biases: [bias], biasPath: () => path };
  }
  const biases = toMatrices(path, values, { mayHide: true });
  const headCount = sizes.get('num_heads');
  if (headCount !== undefined && biases.length !== headCount)
    refuse(
      'shapeMismatch',
      `${path} must be one matrix for all heads or one for each of the ${headCount}, but has ${biases.length}.`,
      { argument: argumentOf(path) },
    );
  biases.forEach((bias, j) => checkMaskShape(`${path}[${j}]`, bias, sizes));
  return { biases, biasPath: (head) => `${path}[${biases.length === 1 ? 0 : head}]` };
}

const isObject = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value);

function checkMaskShape(path, matrix, sizes) {
  const [queryCount, keyCount] = [sizes.get('n_q'), sizes.get('n_kv')];
  const fits = (count, size) => size === undefined || count === size;
  if (!fits(matrix.rows, queryCount) || !fits(matrix.columns, keyCount))
    refuse(
      'shapeMismatch',
      `${path} must be ${queryCount ?? 'n_q'} × ${keyCount ?? 'n_kv'} (queries × keys), but is ${shapeText(matrix)}.`,
      { argument: argumentOf(path) },
    );
}
