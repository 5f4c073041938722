// Trainers: the one kind of object here that changes over time and has to be disposed of.
import { checkInteger, checkKeys, checkList, checkNumber, checkObject, checkOneOf, checkSeed } from './checks.mjs';
import { refuse } from './errors.mjs';
import { toCase } from './layer.mjs';

const defaults = {
  sharing: 'none',
  groupSize: 1,
  initialisation: 'independent',
  batchSize: 64,
  heldOutSize: 4096,
  optimizer: 'adam',
  learningRate: 0.02,
};
const requestKeys = ['headCount', 'headSize', 'seed', ...Object.keys(defaults)];
// Steps in one call: a worker that is asked for more could not be stopped for seconds.
const mostSteps = 10_000;

/**
 * @param {(name: string, request: object) => any} call
 * @param {{ sharings: string[], initialisations: string[], optimizers: string[] }} lists
 * @param {unknown} request TrainerRequest
 * @returns {import('../headwise.d.ts').Trainer}
 */
export function createTrainer(call, lists, request) {
  const core = readRequest(lists, request);
  let trainer = call('createTrainer', core);
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
    evaluate: (options = {}) => use('trainerEvaluate', { withoutHeads: readHeads(options, core.headCount) }),
    probe: () => {
      const { weights, inputs, target, step } = use('trainerProbe');
      return { layer: toCase({ kind: 'mha', inputs, given: { mask: null } }, weights), target, step };
    },
    dispose,
    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: dispose,
  });
}

function readRequest(lists, request) {
  checkObject('The request', request, 'an object: { headCount, headSize, seed, … }');
  checkKeys('request', request, requestKeys);
  const read = (check, name, ...more) =>
    check(`request.${name}`, request[name] === undefined ? defaults[name] : request[name], ...more);
  const learningRate = read(checkNumber, 'learningRate');
  if (learningRate <= 0)
    refuse('invalidOption', `request.learningRate must be greater than 0, but is ${learningRate}.`);
  return {
    headCount: read(checkInteger, 'headCount'),
    headSize: read(checkInteger, 'headSize'),
    sharing: read(checkOneOf, 'sharing', lists.sharings),
    groupSize: read(checkInteger, 'groupSize'),
    initialisation: read(checkOneOf, 'initialisation', lists.initialisations),
    seed: read(checkSeed, 'seed'),
    batchSize: read(checkInteger, 'batchSize'),
    heldOutSize: read(checkInteger, 'heldOutSize'),
    optimizer: read(checkOneOf, 'optimizer', lists.optimizers),
    learningRate,
  };
}

function readHeads(options, headCount) {
  checkObject('options', options, 'an object: { withoutHeads? }');
  checkKeys('options', options, ['withoutHeads']);
  const { withoutHeads = [] } = options;
  checkList('withoutHeads', withoutHeads, 'an array of head numbers', { mayBeEmpty: true });
  return Array.from(withoutHeads, (head, i) => {
    checkInteger(`withoutHeads[${i}]`, head, { from: 0 });
    if (head >= headCount)
      refuse('invalidOption', `withoutHeads[${i}] must be from 0 to ${headCount - 1}, but is ${head}.`);
    return head;
  });
}
