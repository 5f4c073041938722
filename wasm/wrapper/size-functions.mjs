// The engine's functions of sizes alone: nothing is computed, so the sizes may be those of any model.
import { checkCase } from './case.mjs';
import { checkIndex, checkInteger, checkKeys, checkObject, checkOneOf } from './checks.mjs';
import { refuse } from './errors.mjs';
import { hasBiases, readSharing } from './gradients.mjs';
import { Request } from './request.mjs';
import { completeSizes } from './sizes.mjs';

export function sizeFunctions(engine) {
  const { call, lists, table } = engine;

  // Of an open layer, or of what has at least dims.
  const readSizes = (given) => {
    const opened = engine.openedOf(given);
    if (opened) return { ...opened, weights: opened.given.weights };
    checkCase('', given);
    const { kind = 'mha', dims, weights } = given;
    return { kind, weights, ...completeSizes(engine, 'dims', kind, dims) };
  };
  const sizesOf = (given) => {
    const { kind, weights, sizes, projected, pooling } = readSizes(given);
    const request = new Request().numbers(sizes.toCore(pooling)).name(lists.poolings, pooling);
    for (const name of ['n_q', 'n_kv'])
      request.number(
        sizes.get(name) ??
          refuse('invalidDimension', `dims.${name} is missing; it has no default.`, { argument: name }),
      );
    return { kind, weights, projected, pooling, request };
  };
  const writeDimensions = (request, dims) =>
    request.numbers(completeSizes(engine, 'dims', 'mha', dims).sizes.toCore('scaledDotProduct'));
  const layoutRequest = (layout) => new Request().name(lists.layouts, checkOneOf('layout', layout, lists.layouts));

  return {
    shapes: (given) => {
      const { projected, pooling, request } = sizesOf(given);
      const numbers = call('shapes', request);
      const isThere = (field) => {
        const weight = table.weights.find(({ path }) => path === field.path);
        return !weight || (projected && !weight.isBias && (!weight.isScore || pooling === 'additive'));
      };
      const shapes = {};
      table.fields.forEach((field, i) => {
        if (isThere(field)) shapes[field.path] = [numbers[2 * i], numbers[2 * i + 1]];
      });
      return shapes;
    },
    layerCost: (given, options = {}) => {
      const { weights, projected, request } = sizesOf(given);
      checkObject('options', options, 'an object: { sharing?, groupSize?, bytesPerNumber? }');
      checkKeys('options', options, ['sharing', 'groupSize', 'bytesPerNumber']);
      const { bytesPerNumber = 4, ...shared } = options;
      const { sharing, groupSize } = readSharing(lists, 'options', shared);
      return call(
        'layerCost',
        request
          .name(lists.sharings, sharing)
          .number(groupSize)
          .flag(projected && hasBiases(weights))
          .flag(projected)
          .number(checkInteger('options.bytesPerNumber', bytesPerNumber)),
      );
    },
    sharingCost: (given, options) => {
      const { kind, weights, request } = sizesOf(given);
      if (kind !== 'mha')
        refuse('invalidOption', `sharingCost counts layers of kind "mha", but kind is "${kind}".`, {
          argument: 'kind',
        });
      const { sharing, groupSize } = readSharing(lists, 'options', options);
      return call('sharingCost', request.name(lists.sharings, sharing).number(groupSize).flag(hasBiases(weights)));
    },
    divisorsOf: (value) => call('divisorsOf', new Request().number(checkInteger('value', value))),
    positionIn: (layout, dims, cell) => {
      checkObject('cell', cell, 'an object: { role, head, row, column }');
      checkKeys('cell', cell, ['role', 'head', 'row', 'column']);
      const { role, head, row, column } = cell;
      return call(
        'positionIn',
        writeDimensions(layoutRequest(layout), dims)
          .name(lists.roles, checkOneOf('cell.role', role, lists.roles))
          .number(checkIndex('cell.head', head))
          .number(checkIndex('cell.row', row))
          .number(checkIndex('cell.column', column)),
      );
    },
    cellAt: (layout, dims, position) => {
      checkObject('position', position, 'an object: { row, column }');
      checkKeys('position', position, ['row', 'column']);
      const { row, column } = position;
      return call(
        'cellAt',
        writeDimensions(layoutRequest(layout), dims)
          .number(checkIndex('position.row', row))
          .number(checkIndex('position.column', column)),
      );
    },
  };
}
