// Gradients in the golden files' spelling: under the names, and in the shapes, of what they are taken by.
import { checkInteger, checkKeys, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { toCase } from './layer.mjs';

const biasNames = ['b_q', 'b_k', 'b_v', 'b_o'];

/** { sharing?, groupSize? } → the same with defaults. */
export function readSharing(lists, path, options) {
  checkObject(path, options, 'an object: { sharing, groupSize? }');
  checkKeys(path, options, ['sharing', 'groupSize']);
  return {
    sharing: checkOneOf(`${path}.sharing`, options.sharing ?? 'none', lists.sharings),
    groupSize: checkInteger(`${path}.groupSize`, options.groupSize ?? 1),
  };
}

/** What came back from the core → { X | query, key, value | Q, K, V, W_q … b_o, A_q … }. Biases that the layer lacks are left out. */
export function toGradients(layer, { weights, additive, inputs }) {
  const names =
    'Q' in layer.inputs ? { Q: 'query', K: 'key', V: 'value' } : { query: 'query', key: 'key', value: 'value' };
  const byInput =
    'X' in inputs ? inputs : Object.fromEntries(Object.entries(names).map(([name, core]) => [name, inputs[core]]));
  if (layer.projected) {
    const byWeight = toCase(layer, weights).weights;
    return { ...byInput, ...Object.fromEntries(Object.entries(byWeight).filter(([, value]) => value !== null)) };
  }
  return additive
    ? { ...byInput, W_q: additive.scoreQuery, W_k: additive.scoreKey, w_v: additive.scoreVector }
    : byInput;
}

/** Whether a layer has biases, which sharingCost counts for all four projections or for none. */
export function hasBiases(weights) {
  const present = biasNames.filter((name) => weights?.[name] !== undefined && weights?.[name] !== null);
  if (present.length !== 0 && present.length !== biasNames.length)
    refuse(
      'invalidOption',
      `weights must have all of ${biasNames.join(', ')} or none, but has only ${present.join(', ')}.`,
    );
  return present.length !== 0;
}
