// A case's mask ⇄ the core's.
import { checkInteger, checkKeys, checkList, checkObject, checkOneOf, describe } from './checks.mjs';
import { refuse } from './errors.mjs';
import { fromBoolMatrix, sameMatrix, shapeText, toBoolMatrix, toMatrix } from './matrices.mjs';

const keysOf = {
  causal: ['type', 'alignment', 'keep'],
  valid_lens: ['type', 'valid_lens', 'keep'],
  keep: ['type', 'keep'],
  additive: ['type', 'values'],
};
const alignments = { topLeft: 'causalTopLeft', bottomRight: 'causalBottomRight' };

/**
 * @param {(name: string, request: object) => any} call
 * @param {string} path
 * @param {unknown} mask
 * @param {number} queryCount
 * @param {number} keyCount
 */
export function toCoreMask(call, path, mask, queryCount, keyCount) {
  if (mask === null || mask === undefined) return { kind: 'none' };
  checkObject(path, mask, 'null or { type, … }');
  const type = checkOneOf(`${path}.type`, mask.type, Object.keys(keysOf));
  checkKeys(path, mask, keysOf[type]);
  if (type === 'additive') {
    const bias = toMatrix(`${path}.values`, mask.values, { mayHide: true });
    checkMaskShape(`${path}.values`, bias, queryCount, keyCount);
    return { kind: 'none', bias };
  }
  const candidates =
    type === 'causal' ? causal(path, mask) : type === 'valid_lens' ? [lengths(path, mask, queryCount, keyCount)] : [];
  if (mask.keep === undefined && type !== 'keep') return candidates[0];

  // A listed pattern decides, but it must not contradict what stands beside it.
  const keep = toBoolMatrix(`${path}.keep`, mask.keep);
  checkMaskShape(`${path}.keep`, keep, queryCount, keyCount);
  const agrees = (candidate) => sameMatrix(keep, call('mayAttend', { mask: candidate, queryCount, keyCount }));
  if (candidates.length !== 0 && !candidates.some(agrees))
    refuse(
      'invalidOption',
      `${path}.keep is not the pattern of ${path}.type ${JSON.stringify(type)}; leave one of them out, or set type to "keep".`,
    );
  return { kind: 'keep', keep };
}

function causal(path, mask) {
  if (mask.alignment === undefined) return Object.values(alignments).map((kind) => ({ kind }));
  return [{ kind: alignments[checkOneOf(`${path}.alignment`, mask.alignment, Object.keys(alignments))] }];
}

function lengths(path, mask, queryCount, keyCount) {
  const given = checkList(`${path}.valid_lens`, mask.valid_lens, 'an array of lengths');
  if (given.length !== 1 && given.length !== queryCount)
    refuse(
      'shapeMismatch',
      `${path}.valid_lens must have one length for all queries or one for each of the ${queryCount}, but has ${given.length}.`,
    );
  const validLengths = Array.from(given, (length, i) => checkInteger(`${path}.valid_lens[${i}]`, length, { from: 0 }));
  validLengths.forEach((length, i) => {
    if (length > keyCount)
      refuse(
        'invalidOption',
        `${path}.valid_lens[${i}] must be at most the number of keys, ${keyCount}, but is ${describe(length)}.`,
      );
  });
  return { kind: 'validLengths', validLengths };
}

function checkMaskShape(path, matrix, queryCount, keyCount) {
  if (matrix.rows !== queryCount || matrix.columns !== keyCount)
    refuse(
      'shapeMismatch',
      `${path} must be ${queryCount} × ${keyCount} (queries × keys), but is ${shapeText(matrix)}.`,
    );
}

/** The inverse, for masks that come back from the core. */
export function toCaseMask({ kind, validLengths, keep, bias }) {
  if (bias) return { type: 'additive', values: bias };
  if (kind === 'validLengths') return { type: 'valid_lens', valid_lens: validLengths };
  if (kind === 'keep') return { type: 'keep', keep: fromBoolMatrix(keep) };
  const alignment = Object.keys(alignments).find((name) => alignments[name] === kind);
  return alignment ? { type: 'causal', alignment } : null;
}
