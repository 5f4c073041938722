// Trainers: the one kind of object here that changes over time.
import { toCase } from './case.mjs';
import { checkInteger, checkKeys, checkList, checkNumber, checkObject, checkOneOf, checkSeed } from './checks.mjs';
import { refuse } from './errors.mjs';
import { readLayer } from './packing.mjs';
import { Request } from './request.mjs';
import { disposeSymbol } from './resident.mjs';

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
 * @param {{ call: Function, lists: object, table: object, records: import('./resident.mjs').Records }} engine
 * @param {unknown} given TrainerRequest
 * @returns {import('../headwise.d.ts').Trainer}
 */
export function createTrainer({ call, lists, table, records }, given) {
  const { request, headCount } = readRequest(lists, given);
  const record = records.open(call('createTrainer', request), 'disposeTrainer');
  const use = (name, write = (to) => to) => {
    if (record.number === null) refuse('invalidOption', 'This trainer has been disposed of; create another.');
    return call(name, write(new Request().number(record.number)));
  };
  const dispose = () => records.close(record);
  return Object.freeze({
    step: (count = 1) => {
      const steps = checkInteger('count', count, { to: mostSteps });
      return use('trainerStep', (to) => to.number(steps));
    },
    reset: () => use('trainerReset'),
    nudgeOutput: (row, column, by) => {
      const place = [checkInteger('row', row, { from: 0 }), checkInteger('column', column, { from: 0 })];
      return use('trainerNudgeOutput', (to) => to.numbers(place).number(checkNumber('by', by)));
    },
    evaluate: (options = {}) => {
      const heads = readHeads(options, headCount);
      return use('trainerEvaluate', (to) => to.list(heads));
    },
    probe: () => {
      const { layer, target, step } = use('trainerProbe');
      const read = readLayer(table, layer);
      return { layer: toCase({ kind: 'mha', inputs: read.inputs, given: { mask: null } }, read), target, step };
    },
    dispose,
    [disposeSymbol]: dispose,
  });
}

function readRequest(lists, given) {
  checkObject('The request', given, 'an object: { headCount, headSize, seed, … }');
  checkKeys('request', given, requestKeys);
  const read = (check, name, ...more) =>
    check(`request.${name}`, given[name] === undefined ? defaults[name] : given[name], ...more);
  const learningRate = read(checkNumber, 'learningRate');
  if (learningRate <= 0)
    refuse('invalidOption', `request.learningRate must be greater than 0, but is ${learningRate}.`, {
      argument: 'learningRate',
    });
  const headCount = read(checkInteger, 'headCount');
  const request = new Request()
    .number(headCount)
    .number(read(checkInteger, 'headSize'))
    .name(lists.sharings, read(checkOneOf, 'sharing', lists.sharings))
    .number(read(checkInteger, 'groupSize'))
    .name(lists.initialisations, read(checkOneOf, 'initialisation', lists.initialisations))
    .number(read(checkSeed, 'seed'))
    .number(read(checkInteger, 'batchSize'))
    .number(read(checkInteger, 'heldOutSize'))
    .name(lists.optimizers, read(checkOneOf, 'optimizer', lists.optimizers))
    .number(learningRate);
  return { request, headCount };
}

function readHeads(options, headCount) {
  checkObject('options', options, 'an object: { withoutHeads? }');
  checkKeys('options', options, ['withoutHeads']);
  const { withoutHeads = [] } = options;
  checkList('withoutHeads', withoutHeads, 'an array of head numbers', { mayBeEmpty: true });
  return Array.from(withoutHeads, (head, i) => {
    checkInteger(`withoutHeads[${i}]`, head, { from: 0 });
    if (head >= headCount)
      refuse('invalidOption', `withoutHeads[${i}] must be from 0 to ${headCount - 1}, but is ${head}.`, {
        argument: 'withoutHeads',
      });
    return head;
  });
}
