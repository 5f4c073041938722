// Trainers: the one kind of object here that changes over time and has to be disposed of.
import { checkInteger, checkKeys, checkList, checkNumber, checkObject, checkOneOf, checkSeed } from './checks.mjs';
import { refuse } from './errors.mjs';
import { toCase } from './layer.mjs';

const requestKeys = ['headCount', 'headSize', 'sharing', 'groupSize', 'initialisation', 'seed', 'batchSize', 'heldOutSize', 'optimizer', 'learningRate'];
// Steps in one call: a worker that is asked for more could not be stopped for seconds.
const mostSteps = 10_000;

/**
 * @param {(name: string, request: object) => any} call
 * @param {{ sharings: string[], initialisations: string[], optimizers: string[] }} lists
 * @param {unknown} request TrainerRequest
 * @returns {import('../headwise.d.ts').Trainer}
 */
export function createTrainer(call, lists, request) {
  checkObject('The request', request, 'an object: { headCount, headSize, seed, … }');
  checkKeys('request', request, requestKeys);
  const size = (name, usual) => checkInteger(`request.${name}`, request[name] ?? usual);
  let trainer = call('createTrainer', {
    headCount: size('headCount'),
    headSize: size('headSize'),
    sharing: checkOneOf('request.sharing', request.sharing ?? 'none', lists.sharings),
    groupSize: size('groupSize', 1),
    initialisation: checkOneOf('request.initialisation', request.initialisation ?? 'independent', lists.initialisations),
    seed: checkSeed('request.seed', request.seed),
    batchSize: size('batchSize', 64),
    heldOutSize: size('heldOutSize', 4096),
    optimizer: checkOneOf('request.optimizer', request.optimizer ?? 'adam', lists.optimizers),
    learningRate: checkNumber('request.learningRate', request.learningRate ?? 0.02),
  });
  const use = (name, more = {}) => {
    if (trainer === null) refuse('invalidOption', 'This trainer has been disposed of; create another.');
    return call(name, { trainer, ...more });
  };
  const dispose = () => {
    if (trainer !== null) call('disposeTrainer', { trainer });
    trainer = null;
  };
  return Object.freeze({
    step: (count = 1) => use('trainerStep', { count: checkInteger('count', count, { to: mostSteps }) }),
    reset: () => use('trainerReset'),
    evaluate: ({ withoutHeads = [] } = {}) =>
      use('trainerEvaluate', {
        withoutHeads: Array.from(checkList('withoutHeads', withoutHeads, 'an array of head numbers', { mayBeEmpty: true }), (head, i) =>
          checkInteger(`withoutHeads[${i}]`, head, { from: 0 }),
        ),
      }),
    probe: () => {
      const { weights, inputs, target, step } = use('trainerProbe');
      return { layer: toCase({ kind: 'mha', inputs, given: { mask: null }, options: undefined }, weights), target, step };
    },
    dispose,
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: dispose,
  });
}
