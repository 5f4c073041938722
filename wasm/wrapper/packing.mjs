// Layers and traces as numbers in a row, in the order of the core's table of fields: the other side of bindings/packing.h.
import { lengthOf } from './matrices.mjs';
import { dimensionNames } from './spelling.mjs';

/** Whether the cells of a field follow; as in bindings/packing.h. */
const present = { no: 0, here: 1, asBefore: 2, asInRequest: 3 };

const isVector = ({ rows }) => rows === '1';

/**
 * What the table says, made ready for reading and writing.
 * @param {import('../headwise.d.ts').Field[]} fields
 */
export function tableOf(fields) {
  const given = fields.filter(({ part }) => part !== 'trace');
  const weights = given.filter(({ part }) => part === 'weight');
  // "heads[].queries" → owner "heads", name "queries"
  const traced = fields
    .filter(({ part }) => part === 'trace')
    .map(({ path }) => {
      const [first, second] = path.split('[].');
      return second === undefined ? { owner: null, name: first } : { owner: first, name: second };
    });
  return {
    fields,
    given,
    weights: weights.map((field) => ({
      ...field,
      /** "weights.W_q[]" → "W_q" */
      key: field.path.slice('weights.'.length).replace('[]', ''),
      isList: field.owner !== 'layer',
      isVector: isVector(field),
      /** Biases, which any layer may lack. */
      isBias: isVector(field) && field.columns !== 'a',
      isScore: field.rows === 'a' || field.columns === 'a',
    })),
    traced,
  };
}

/** Writes a layer, or the number under which the module has it. */
export function writeLayer(request, { lists, table }, layer) {
  if (layer.number !== undefined) return request.number(layer.number);
  return writeWholeLayer(request.number(0), { lists, table }, layer);
}

export function writeWholeLayer(request, { lists, table }, { sizes, pooling, scale, mask, cells }) {
  request.number(sizes.get('n_q')).number(sizes.get('n_kv')).numbers(sizes.toCore(pooling));
  request.name(lists.poolings, pooling);
  writeScale(request, lists, scale);
  let before = null;
  const following = [];
  for (const { path, part } of table.given) {
    const own = cells[path];
    if (own === undefined) request.number(present.no);
    else if (part === 'input' && own === before) request.number(present.asBefore);
    else {
      request.number(present.here);
      following.push(own);
    }
    if (part === 'input') before = own;
  }
  writeMask(request, lists, mask);
  for (const own of following)
    if (Array.isArray(own)) for (const one of own) writeCells(request, one);
    else writeCells(request, own);
  return request;
}

function writeCells(request, matrixOrBias) {
  const { rows, columns, data } = matrixOrBias;
  return data === undefined ? request.cells(matrixOrBias, lengthOf(matrixOrBias)) : request.cells(data, rows * columns);
}

/** A name, or a factor. */
export function writeScale(request, lists, scale) {
  if (typeof scale === 'number') return request.optional().number(scale);
  return request.name(lists.scales, scale);
}

export function writeMask(request, lists, { alignment, window, lengths, keep, biases }) {
  request.optional(alignment === undefined ? undefined : lists.alignments.indexOf(alignment)).optional(window);
  request.flag(lengths);
  if (lengths) request.list(lengths);
  request.flag(keep);
  if (keep) request.cells(keep.data, keep.rows * keep.columns);
  request.number(biases?.length ?? 0);
  for (const bias of biases ?? []) request.cells(bias.data, bias.rows * bias.columns);
  return request;
}

/**
 * A layer that came back: { n_q, n_kv, dims, inputs, weights }, weights by the names of a case, null for biases that are not there. An input
 * is undefined if there is none, or if it is still the one that was sent.
 */
export function readLayer(table, numbers) {
  let at = 0;
  const next = () => numbers[at++];
  const dims = { n_q: next(), n_kv: next() };
  for (const name of Object.keys(dimensionNames)) dims[name] = next();
  const presence = table.given.map(next);
  const sizeOf = (axis) => (axis === '1' ? 1 : axis === 'h·p_v' ? dims.num_heads * dims.p_v : dims[axis]);
  const matrixOf = (field) => {
    const [rows, columns] = [sizeOf(field.rows), sizeOf(field.columns)];
    const data = numbers.subarray(at, (at += rows * columns));
    return isVector(field) ? data : { rows, columns, data };
  };
  const inputs = {};
  const weights = {};
  let before;
  table.given.forEach((field, i) => {
    if (field.part === 'input') {
      const name = field.path.slice('inputs.'.length);
      if (presence[i] === present.here) inputs[name] = before = matrixOf(field);
      if (presence[i] === present.asBefore) inputs[name] = before;
      return;
    }
    const weight = table.weights[i - (table.given.length - table.weights.length)];
    if (presence[i] !== present.here) {
      if (weight.isBias) weights[weight.key] = null;
      return;
    }
    const count = { layer: 1, head: dims.num_heads, keyValueHead: dims.num_kv_heads }[field.owner];
    weights[weight.key] = weight.isList ? Array.from({ length: count }, () => matrixOf(field)) : matrixOf(field);
  });
  return { dims, inputs, weights };
}

/** Every matrix of a trace as a view into the one array that came: head.keys and head.values are the objects of the key/value head. */
export function readTrace({ traced }, numbers) {
  const [scaleFactor, headCount, keyValueHeadCount, emptyCount] = numbers;
  let at = 4 + emptyCount;
  const emptyRows = Array.from(numbers.subarray(4, at));
  const keyValueHeads = Array.from({ length: keyValueHeadCount }, () => ({}));
  const groupSize = headCount / keyValueHeadCount;
  const heads = Array.from({ length: headCount }, () => ({}));
  const trace = { heads, keyValueHeads, scaleFactor, emptyRows };
  const layer = [trace];
  const { buffer } = numbers;
  // Faster than `subarray`, which asks for the class of the array.
  const view = (size) => {
    const data = new Float64Array(buffer, 8 * at, size);
    at += size;
    return data;
  };
  for (const { owner, name } of traced) {
    const [rows, columns] = [numbers[at], numbers[at + 1]];
    at += 2;
    for (const part of owner === null ? layer : trace[owner])
      part[name] = { rows, columns, data: view(rows * columns) };
  }
  heads.forEach((head, j) => Object.assign(head, keyValueHeads[Math.floor(j / groupSize)]));
  return trace;
}
