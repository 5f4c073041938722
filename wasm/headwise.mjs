// Headwise in JavaScript: multi-head attention with every intermediate, computed by the C++ core in WebAssembly.
// Runs unchanged in a page, a module worker and Node. headwise.d.ts describes every function; the checks and the translation of
// the golden files' spelling are in wrapper/.
import {
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkObject,
  checkOneOf,
  checkSeed,
  checkText,
  checkWords,
} from './wrapper/checks.mjs';
import { errorCodes, HeadwiseError, refuse } from './wrapper/errors.mjs';
import { fromGolden } from './wrapper/golden.mjs';
import { hasBiases, readSharing, toGradients } from './wrapper/gradients.mjs';
import { toCase, toLayer } from './wrapper/layer.mjs';
import { loadModule } from './wrapper/loading.mjs';
import { toCaseMask, toCoreMask } from './wrapper/mask.mjs';
import { fromBoolMatrix, sameMatrix, toBoolMatrix, toMatrices, toMatrix, toVector } from './wrapper/matrices.mjs';
import { goldenNames, traceFields } from './wrapper/names.mjs';
import { randomCase } from './wrapper/random-case.mjs';
import { completeSizes } from './wrapper/sizes.mjs';
import { createTrainer } from './wrapper/trainer.mjs';

export { errorCodes, goldenNames, HeadwiseError, traceFields };

/** @type {import('./headwise.d.ts').loadHeadwise} */
export async function loadHeadwise(options) {
  return headwiseOf(await loadModule(options));
}

// One running module → what callers hold. Nothing is shared between two of them.
function headwiseOf(module) {
  const call = (name, request) => {
    let outcome;
    try {
      outcome = module[name](request);
    } catch (cause) {
      // Only a fault gets here (the bindings answer with { error }); memory that JavaScript cannot get is the one to expect.
      if (cause instanceof RangeError)
        refuse('tooLarge', `There is not enough memory for the result of ${name}; try smaller sizes.`, { cause });
      refuse(
        'internal',
        `Headwise failed in ${name} (${cause?.message ?? cause}). Load it again; please report this.`,
        { cause },
      );
    }
    if (outcome.error) refuse(outcome.error.code, outcome.error.message);
    return outcome.value;
  };
  const lists = call('lists');

  const layerOf = (given, path) => toLayer(call, given, path);
  const projectedLayerOf = (given, path) => {
    const layer = layerOf(given, path);
    if (!layer.projected)
      refuse(
        'invalidOption',
        `${path ?? 'This'} needs a layer with projections (kind mha or additive_mha), but kind is "${layer.kind}".`,
      );
    return layer;
  };
  // Two layers over one input.
  const pairOf = (single, multi, name = 'multi') => {
    const pair = { single: projectedLayerOf(single, 'single'), multi: projectedLayerOf(multi, name) };
    for (const role of ['query', 'key', 'value'])
      if (!sameMatrix(pair.single.core.inputs[role], pair.multi.core.inputs[role]))
        refuse('invalidOption', `single and ${name} must have one input, but their ${role} inputs differ.`);
    return { single: pair.single.core, multi: pair.multi.core };
  };
  // The two under one mask and one scale, as far as these decide anything: however the mask is spelt.
  const pairUnderOptions = (single, multi) => {
    const pair = pairOf(single, multi);
    const [a, b] = [pair.single, pair.multi].map(({ options }) => options);
    const patternOf = ({ mask }) =>
      call('mayAttend', { mask, queryCount: pair.single.inputs.query.rows, keyCount: pair.single.inputs.key.rows });
    const biasesAgree = a.mask.bias && b.mask.bias ? sameMatrix(a.mask.bias, b.mask.bias) : a.mask.bias === b.mask.bias;
    if (a.scale !== b.scale || a.pooling !== b.pooling || !biasesAgree || !sameMatrix(patternOf(a), patternOf(b)))
      refuse('invalidOption', 'single and multi must have one kind, one mask and one scale, but theirs differ.');
    return pair;
  };
  const sizesOf = (given) => {
    const { kind, dims } = checkObject('The layer', given, 'an object: { kind?, dims }');
    const { sizes, projected, pooling } = completeSizes(call, 'dims', kind, dims);
    const [queryCount, keyCount] = ['n_q', 'n_kv'].map(
      (name) => sizes.get(name) ?? refuse('invalidDimension', `dims.${name} is missing; it has no default.`),
    );
    return { projected, request: { dimensions: sizes.toCore(pooling), pooling, queryCount, keyCount } };
  };
  const dimensionsOf = (dims) => completeSizes(call, 'dims', 'mha', dims).sizes.toCore('scaledDotProduct');
  const layoutOf = (layout) => checkOneOf('layout', layout, lists.layouts);
  const roleOf = (path, role) => checkOneOf(path, role, lists.roles);
  const constructionOf = (construction) => checkOneOf('construction', construction, lists.constructions);
  const index = (path, value) => checkInteger(path, value, { from: 0 });
  const flags = (path, given, defaults) => {
    checkObject(path, given, 'an object of true and false');
    checkKeys(path, given, Object.keys(defaults));
    return Object.fromEntries(
      Object.entries(defaults).map(([name, usual]) => [name, checkBoolean(`${path}.${name}`, given[name] ?? usual)]),
    );
  };

  return Object.freeze({
    version: lists.version,
    get memoryBytes() {
      return module.allocatedBytes();
    },

    attend: (layer) => call('attend', layerOf(layer).core),
    attendFused: (layer, reshape = {}) =>
      call('attendFused', {
        layer: projectedLayerOf(layer).core,
        ...flags('reshape', reshape, { transposeOnSplit: true, transposeOnMerge: true }),
      }),
    outputContributions: (layer) => call('outputContributions', projectedLayerOf(layer).core),
    explainCell: (layer, path, row, column) =>
      call('explainCell', {
        layer: layerOf(layer).core,
        path: checkText('path', path),
        row: index('row', row),
        column: index('column', column),
      }),

    fromGolden: (file) => fromGolden(call, file),
    randomCase: (request) => randomCase(call, lists, request),
    randomMatrix: (rows, columns, distribution, seed) =>
      call('randomMatrix', {
        rows: checkInteger('rows', rows),
        columns: checkInteger('columns', columns),
        distribution: checkOneOf('distribution', distribution, lists.distributions),
        seed: checkSeed('seed', seed),
        stream: 'matrix',
      }),
    tokenEmbeddings: (tokens, modelSize, seed) =>
      call('tokenEmbeddings', {
        tokens: checkWords('tokens', tokens),
        modelSize: checkInteger('modelSize', modelSize),
        seed: checkSeed('seed', seed),
      }),

    shapes: (layer) => {
      const { projected, request } = sizesOf(layer);
      const shapes = call('shapes', request);
      return projected ? shapes : Object.fromEntries(Object.entries(shapes).filter(([name]) => !/^[WAa]_/.test(name)));
    },
    poolingCost: (layer) => call('poolingCost', sizesOf(layer).request),
    divisorsOf: (value) => call('divisorsOf', checkInteger('value', value)),

    mayAttend: (mask, queryCount, keyCount) => {
      const counts = {
        queryCount: checkInteger('queryCount', queryCount),
        keyCount: checkInteger('keyCount', keyCount),
      };
      return fromBoolMatrix(
        call('mayAttend', { mask: toCoreMask(call, 'mask', mask, queryCount, keyCount), ...counts }),
      );
    },
    fillHidden: (scores, keep, value) =>
      call('fillHidden', {
        scores: toMatrix('scores', scores),
        mayAttend: toBoolMatrix('keep', keep),
        value: checkNumber('value', value),
      }),
    softmaxRows: (scores) => call('softmaxRows', toMatrix('scores', scores, { mayHide: true })),
    entropyOfRows: (weights) => call('entropyOfRows', toMatrix('weights', weights)),
    studyScale: (request) => {
      checkObject('The request', request, 'an object: { keySize, queryCount, keyCount, seed }');
      const counts = ['keySize', 'queryCount', 'keyCount'];
      checkKeys('request', request, [...counts, 'seed']);
      return call('studyScale', {
        ...Object.fromEntries(counts.map((name) => [name, checkInteger(`request.${name}`, request[name])])),
        seed: checkSeed('request.seed', request.seed),
      });
    },
    histogram: (values, from, to, binCount) =>
      call('histogram', {
        values: toMatrix('values', values),
        from: checkNumber('from', from),
        to: checkNumber('to', to),
        binCount: checkInteger('binCount', binCount),
      }),

    compareMatrices: (a, b) => call('compareMatrices', { a: toMatrix('a', a), b: toMatrix('b', b) }),
    cosineSimilarity: (matrices) => call('cosineSimilarity', toMatrices('matrices', matrices)),
    splitSingleHead: (given, headCount) => {
      const layer = projectedLayerOf(given);
      return toCase(
        layer,
        call('splitSingleHead', { layer: layer.core, headCount: checkInteger('headCount', headCount) }),
      );
    },
    decomposeScores: (single, split) => call('decomposeScores', pairOf(single, split, 'split')),
    constructions: Object.freeze(lists.constructions),
    constructEqualPair: (construction, single, headCount) => {
      const layer = projectedLayerOf(single, 'single');
      const pair = call('constructEqualPair', {
        construction: constructionOf(construction),
        layer: layer.core,
        headCount: checkInteger('headCount', headCount),
      });
      const given = layer.core;
      const parts = {
        inputs: inputsOf(layer, pair.inputs),
        mask: pair.mask.kind === given.options.mask.kind ? (layer.given.mask ?? null) : toCaseMask(pair.mask),
        options: pair.scale === given.options.scale ? layer.options : { scale: pair.scale },
      };
      return { single: toCase(layer, pair.single, parts), multi: toCase(layer, pair.multi, parts) };
    },
    distanceFrom: (construction, single, multi) =>
      call('distanceFrom', { construction: constructionOf(construction), ...pairUnderOptions(single, multi) }),
    judgeOwnConstruction: (single, multi) => call('judgeOwnConstruction', pairUnderOptions(single, multi)),

    backward: (given, outputGradient, options = {}) => {
      const layer = layerOf(given);
      const sharing = readSharing(lists, 'options', options);
      if (!layer.projected && sharing.sharing !== 'none')
        refuse('invalidOption', 'Only a layer with projections has matrices to share.');
      const isSelf = 'X' in layer.inputs;
      return toGradients(
        layer,
        call('backward', {
          layer: layer.core,
          outputGradient: toMatrix('outputGradient', outputGradient),
          isSelf,
          ...sharing,
        }),
      );
    },
    shareWeights: (given, options) => {
      const layer = projectedLayerOf(given);
      return toCase(layer, call('shareWeights', { layer: layer.core, ...readSharing(lists, 'options', options) }));
    },
    equivalentSingleHead: (given) => {
      const layer = projectedLayerOf(given);
      return toCase(layer, call('equivalentSingleHead', layer.core));
    },
    sharingCost: (layer, options) => {
      const { request } = sizesOf(layer);
      const { kind = 'mha', weights } = layer;
      if (kind !== 'mha') refuse('invalidOption', `sharingCost counts layers of kind "mha", but kind is "${kind}".`);
      const { headCount, keyValueHeadCount } = request.dimensions;
      if (keyValueHeadCount !== headCount)
        refuse(
          'invalidDimension',
          `dims.num_kv_heads must be num_heads = ${headCount}, but is ${keyValueHeadCount}; options.sharing says who shares.`,
        );
      return call('sharingCost', { ...request, biases: hasBiases(weights), ...readSharing(lists, 'options', options) });
    },
    numericalRank: (matrix) => call('numericalRank', toMatrix('matrix', matrix)),
    createTrainer: (request) => createTrainer(call, lists, request),

    fuse: (layer, layout) => call('fuse', { layer: projectedLayerOf(layer).core, layout: layoutOf(layout) }),
    unfuse: (fused, given, layout) => {
      const layer = projectedLayerOf(given, 'layer');
      const { weight, bias } = checkObject('fused', fused, 'an object: { weight, bias }');
      const weights = call('unfuse', {
        fused: {
          weight: toMatrix('fused.weight', weight),
          bias: bias === null || bias === undefined ? null : toVector('fused.bias', bias),
        },
        output: layer.core.weights.output,
        dimensions: layer.core.dimensions,
        layout: layoutOf(layout),
      });
      return toCase(layer, weights);
    },
    wideMatrix: (layer, role) =>
      call('wideMatrix', { layer: projectedLayerOf(layer).core, role: roleOf('role', role) }),
    positionIn: (layout, dims, cell) => {
      const { role, head, row, column } = checkObject('cell', cell, 'an object: { role, head, row, column }');
      return call('positionIn', {
        layout: layoutOf(layout),
        dimensions: dimensionsOf(dims),
        cell: {
          role: roleOf('cell.role', role),
          head: index('cell.head', head),
          row: index('cell.row', row),
          column: index('cell.column', column),
        },
      });
    },
    cellAt: (layout, dims, position) => {
      const { row, column } = checkObject('position', position, 'an object: { row, column }');
      return call('cellAt', {
        layout: layoutOf(layout),
        dimensions: dimensionsOf(dims),
        position: { row: index('position.row', row), column: index('position.column', column) },
      });
    },
    splitHeads: (wide, headCount, options = {}) =>
      call('splitHeads', {
        wide: toMatrix('wide', wide),
        headCount: checkInteger('headCount', headCount),
        ...flags('options', options, { transpose: true }),
      }),
    mergeHeads: (heads, options = {}) =>
      call('mergeHeads', { heads: toMatrices('heads', heads), ...flags('options', options, { transpose: true }) }),
  });
}

// Inputs that came back from the core, in the form in which the layer's were given.
function inputsOf(layer, { query, key, value }) {
  const given = layer.core.inputs;
  if (sameMatrix(query, given.query) && sameMatrix(key, given.key) && sameMatrix(value, given.value))
    return layer.inputs;
  if ('X' in layer.inputs && sameMatrix(query, key) && sameMatrix(key, value)) return { X: query };
  return { query, key, value: sameMatrix(key, value) ? key : value };
}
