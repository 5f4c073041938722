// Headwise in JavaScript: multi-head attention with every intermediate, computed by the C++ core in WebAssembly.
// Runs unchanged in a page, a module worker and Node. headwise.d.ts describes every function; the checks and the translation of
// the golden files' spelling are in wrapper/.
import { checkText, checkWords } from './wrapper/checks.mjs';
import { errorCodes, HeadwiseError, loadFailures, refuse } from './wrapper/errors.mjs';
import { layerFunctions } from './wrapper/layer-functions.mjs';
import { loadModule } from './wrapper/loading.mjs';
import { matrixFunctions } from './wrapper/matrix-functions.mjs';
import { tableOf } from './wrapper/packing.mjs';
import { Request } from './wrapper/request.mjs';
import { Records, residentsOf } from './wrapper/resident.mjs';
import { sizeFunctions } from './wrapper/size-functions.mjs';
import { inCaseSpelling } from './wrapper/spelling.mjs';
import { createTrainer } from './wrapper/trainer.mjs';
import { nearestName as nearest } from './wrapper/words.mjs';

export { errorCodes, HeadwiseError, loadFailures };

/** @type {import('./headwise.d.ts').nearestName} */
export const nearestName = (word, known) =>
  nearest(checkText('word', word), checkWords('known', known, { mayBeEmpty: true }));

/** @type {import('./headwise.d.ts').loadHeadwise} */
export async function loadHeadwise(options) {
  return headwiseOf(await loadModule(options));
}

// Functions whose requests have the core's own names.
const inCoreSpelling = new Set(['createTrainer', 'trainerStep', 'studyScale', 'tokenEmbeddings', 'splitHeads']);

// A call of the module: its answer, or the error it answers with.
function callerOf(module) {
  return (name, request) => {
    let answer;
    try {
      request.sendTo(module);
      answer = module[name]();
    } catch (cause) {
      // The bindings answer with { error }. What is thrown nevertheless is a fault, or the end of the caller's stack.
      if (cause instanceof RangeError || cause instanceof HeadwiseError) throw cause;
      refuse(
        'internal',
        `Headwise failed in ${name} (${cause?.message ?? cause}). Load it again; please report this.`,
        {
          cause,
        },
      );
    }
    const error = answer?.error;
    if (error === undefined) return answer;
    const spelt = inCoreSpelling.has(name) ? (text) => text : inCaseSpelling;
    return refuse(error.code, spelt(error.message), { argument: error.argument && spelt(error.argument) });
  };
}

// One running module → what callers hold. Nothing is shared between two of them.
function headwiseOf(module) {
  const call = callerOf(module);
  const lists = deepFrozen(call('lists', new Request()));
  const engine = { call, lists, table: tableOf(lists.fields), records: new Records(call) };
  const { layerOf, openedOf, attend, explainCell, openLayer } = residentsOf(engine);
  Object.assign(engine, { layerOf, openedOf });

  return Object.freeze({
    version: lists.version,
    fields: lists.fields,
    constructions: lists.constructions,
    get memoryBytes() {
      return module.allocatedBytes();
    },
    get forwardPasses() {
      return module.forwardPasses();
    },
    attend,
    explainCell,
    openLayer,
    ...layerFunctions(engine),
    ...matrixFunctions(engine),
    ...sizeFunctions(engine),
    createTrainer: (request) => createTrainer(engine, request),
  });
}

function deepFrozen(value) {
  if (typeof value === 'object') Object.values(value).forEach(deepFrozen);
  return Object.freeze(value);
}
