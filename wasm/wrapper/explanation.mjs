// The arithmetic behind a cell: from a path to the core's table, and from the core's places to the case's own spelling.
import { argumentOf, checkIndex, checkText } from './checks.mjs';
import { refuse } from './errors.mjs';
import { weightPathIn } from './case.mjs';
import { writeLayer } from './packing.mjs';
import { Request } from './request.mjs';
import { quoted, suggestion } from './words.mjs';

/** "heads[1].queries" → the number of its field in the table, and 1. */
function placeOf({ fields }, path) {
  const [, before, number, after] = /^(\w*)\[(\d{1,9})\](\.\w+)$/.exec(path) ?? [];
  const wanted = number === undefined ? path : `${before}[]${after}`;
  const field = fields.findIndex((one) => one.part === 'trace' && one.path === wanted);
  if (field === -1) {
    const known = fields.filter(({ part }) => part === 'trace').map((one) => one.path);
    refuse(
      'invalidOption',
      `path ${quoted(path)} names no matrix of the trace; ${suggestion(wanted, known)}, with a number in the brackets.`,
      { argument: argumentOf('path') },
    );
  }
  return { field, index: number === undefined ? 0 : Number(number) };
}

/** "inputs.query" → "inputs.X", if that is what the case has. */
function inCase(layer, place) {
  const { path } = place;
  if (path.startsWith('inputs.')) return { ...place, path: `inputs.${layer.inputNames[path.slice('inputs.'.length)]}` };
  return { ...place, path: weightPathIn(layer.kind, path) };
}

export function readExplanation(engine, layer, path, row, column) {
  const { field, index } = placeOf(engine.table, checkText('path', path));
  const request = writeLayer(new Request(), engine, layer).number(field).number(index);
  const explanation = engine.call(
    'explainCell',
    request.number(checkIndex('row', row)).number(checkIndex('column', column)),
  );
  explanation.sources = explanation.sources.map((place) =>
    place.path === 'mask.values' ? { ...place, path: layer.mask.biasPath(index) } : inCase(layer, place),
  );
  return explanation;
}
