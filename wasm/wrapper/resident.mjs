// Layers that stay in the module, and the freeing of what nobody holds any more.
import { readCase } from './case.mjs';
import { refuse } from './errors.mjs';
import { readExplanation } from './explanation.mjs';
import { readTrace, writeLayer, writeWholeLayer } from './packing.mjs';
import { Request } from './request.mjs';

export const disposeSymbol = Symbol.dispose ?? Symbol.for('Symbol.dispose');

// Handles of all engines: one must not take another's.
const handles = new WeakSet();

/**
 * Something in the module that JavaScript holds by a number. It is freed by `close`, or once nothing that uses it is left: what is watched is
 * the record that every function of a handle shares, so that a function taken out of its handle keeps it alive.
 */
export class Records {
  #registry;
  constructor(call) {
    this.#registry = new FinalizationRegistry(({ closing, number }) => call(closing, new Request().number(number)));
    this.call = call;
  }
  open(number, closing) {
    const record = { number, closing };
    this.#registry.register(record, { closing, number }, record);
    return record;
  }
  close(record) {
    if (record.number === null) return;
    this.#registry.unregister(record);
    this.call(record.closing, new Request().number(record.number));
    record.number = null;
  }
}

/**
 * How every function gets its layers: a case is sent along, a handle by its number.
 * @param {{ call: Function, lists: object, table: object, records: Records }} engine
 */
export function residentsOf(engine) {
  const { call, table, records } = engine;
  /** What is known of an open layer, by its handle. */
  const open = new WeakMap();

  /** A case or a handle → what readCase gives, with the number of the layer if it is in the module. */
  const layerOf = (given, path = '') => {
    const record = open.get(given);
    if (record === undefined) {
      if (handles.has(given))
        refuse('invalidOption', `${path || 'The layer'} was opened by another engine; give its case instead.`);
      return readCase(engine, given, path);
    }
    if (record.number === null)
      refuse('invalidOption', `${path || 'The layer'} has been disposed of; open its case again.`);
    return record.layer;
  };

  const attend = (given) => {
    const layer = layerOf(given);
    const record = open.get(given);
    if (record?.trace) return record.trace;
    const trace = readTrace(table, call('attend', writeLayer(new Request(), engine, layer)));
    if (record) record.trace = trace;
    return trace;
  };

  const explainCell = (given, path, row, column) => readExplanation(engine, layerOf(given), path, row, column);

  const openLayer = (given) => {
    if (handles.has(given)) refuse('invalidArgument', 'The layer is open already.');
    const layer = readCase(engine, given);
    const number = call('openLayer', writeWholeLayer(new Request(), engine, layer));
    const record = records.open(number, 'closeLayer');
    // The module has the cells now.
    record.layer = { ...layer, number, cells: null };
    const dispose = () => {
      records.close(record);
      record.trace = null;
    };
    const handle = Object.freeze({
      case: given,
      attend: () => attend(handle),
      explainCell: (path, row, column) => explainCell(handle, path, row, column),
      dispose,
      [disposeSymbol]: dispose,
    });
    handles.add(handle);
    open.set(handle, record);
    return handle;
  };

  /** What is known of an open layer; undefined for a case. */
  const openedOf = (given) => (open.has(given) ? layerOf(given) : undefined);

  return { layerOf, openedOf, attend, explainCell, openLayer };
}
