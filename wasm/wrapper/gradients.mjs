// Gradients in the golden files' spelling: under the names, and in the shapes, of what they are taken by.
import { checkInteger, checkKeys, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';

const biasNames = ['b_q', 'b_k', 'b_v', 'b_o'];

/** { sharing?, groupSize? } → the same with defaults. */
export function readSharing({ sharings }, path, options) {
  checkObject(path, options, 'an object: { sharing, groupSize? }');
  checkKeys(path, options, ['sharing', 'groupSize']);
  const { sharing = 'none', groupSize = 1 } = options;
  return {
    sharing: checkOneOf(`${path}.sharing`, sharing, sharings),
    groupSize: checkInteger(`${path}.groupSize`, groupSize),
  };
}

/** What came back from the core → { X | query, key, value | Q, K, V, W_q … b_o, A_q … }. Biases that the layer lacks are left out. */
export function toGradients({ kind, inputNames }, { inputs, weights }) {
  const byInput = Object.fromEntries(Object.entries(inputNames).map(([place, name]) => [name, inputs[place]]));
  if (kind === 'additive') return { ...byInput, W_q: weights.A_q[0], W_k: weights.A_k[0], w_v: weights.a_v[0] };
  return { ...byInput, ...Object.fromEntries(Object.entries(weights).filter(([, gradient]) => gradient !== null)) };
}

/** Whether a layer has biases, which costs count for all four projections or for none. */
export function hasBiases(weights) {
  const present = biasNames.filter((name) => weights?.[name] !== undefined && weights?.[name] !== null);
  if (present.length !== 0 && present.length !== biasNames.length)
    refuse(
      'invalidOption',
      `weights must have all of ${biasNames.join(', ')} or none, but has only ${present.join(', ')}.`,
    );
  return present.length !== 0;
}
