// The engine's functions of whole layers. Each takes a case, or the handle of an open layer.
import { toCase } from './case.mjs';
import { checkInteger, checkOneOf } from './checks.mjs';
import { writeDecisions } from './decisions.mjs';
import { refuse } from './errors.mjs';
import { readSharing, toGradients } from './gradients.mjs';
import { layerFrom } from './layer-from.mjs';
import { toMatrix } from './matrices.mjs';
import { readLayer, readTrace, writeLayer } from './packing.mjs';
import { randomCase } from './random-case.mjs';
import { Request } from './request.mjs';

export function layerFunctions(engine) {
  const { call, lists, table, layerOf } = engine;
  const layerRequest = (layer) => writeLayer(new Request(), engine, layer);

  const projectedLayerOf = (given, path) => {
    const layer = layerOf(given, path);
    if (!layer.projected)
      refuse(
        'invalidOption',
        `${path ?? 'This'} needs a layer with projections (kind mha or additive_mha), but kind is "${layer.kind}".`,
        { argument: 'kind' },
      );
    return layer;
  };
  // A function of the layer's weights → a case with others.
  const changed = (name, given, write = (request) => request) => {
    const layer = projectedLayerOf(given);
    return toCase(layer, readLayer(table, call(name, write(layerRequest(layer)))));
  };
  const pairRequest = (request, single, multi, name = 'multi') => {
    const layers = [projectedLayerOf(single, 'single'), projectedLayerOf(multi, name)];
    return layers.reduce((to, layer) => writeLayer(to, engine, layer), request);
  };
  const writeSharing = (request, { sharing, groupSize }) => request.name(lists.sharings, sharing).number(groupSize);
  const constructionRequest = (construction) =>
    new Request().name(lists.constructions, checkOneOf('construction', construction, lists.constructions));

  return {
    forward: (given, decisions = {}) =>
      readTrace(table, call('forward', writeDecisions(layerRequest(layerOf(given)), engine, decisions))),
    outputContributions: (given) => call('outputContributions', layerRequest(projectedLayerOf(given))),

    randomCase: (request) => randomCase(engine, request),
    layerFrom: (state, options) => layerFrom(engine, state, options),

    splitSingleHead: (given, headCount) =>
      changed('splitSingleHead', given, (request) => request.number(checkInteger('headCount', headCount))),
    decomposeScores: (single, split) => call('decomposeScores', pairRequest(new Request(), single, split, 'split')),
    constructEqualPair: (construction, single, headCount) => {
      const request = constructionRequest(construction);
      const layer = projectedLayerOf(single, 'single');
      const pair = call(
        'constructEqualPair',
        writeLayer(request, engine, layer).number(checkInteger('headCount', headCount)),
      );
      const caseOf = (packed) => {
        const read = readLayer(table, packed);
        return toCase(layer, read, {
          inputs: inputsAfter(layer, read.inputs),
          ...(pair.keepsMask ? {} : { mask: null }),
          ...(pair.keepsScale ? {} : { options: { ...layer.options, scale: lists.scales[0] } }),
        });
      };
      return { single: caseOf(pair.single), multi: caseOf(pair.multi) };
    },
    distanceFrom: (construction, single, multi) =>
      call('distanceFrom', pairRequest(constructionRequest(construction), single, multi)),
    judgeOwnConstruction: (single, multi) => call('judgeOwnConstruction', pairRequest(new Request(), single, multi)),

    backward: (given, outputGradient, options = {}) => {
      const layer = layerOf(given);
      const sharing = readSharing(lists, 'options', options);
      const isShared = sharing.sharing !== 'none';
      if (!layer.projected && isShared)
        refuse('invalidOption', 'Only a layer with projections has matrices to share.', { argument: 'sharing' });
      const request = layerRequest(layer).matrix(toMatrix('outputGradient', outputGradient));
      const isSelf = layer.inputNames.query === layer.inputNames.key;
      const packed = call('backward', writeSharing(request.flag(isSelf).flag(isShared), sharing));
      return toGradients(layer, readLayer(table, packed));
    },
    shareWeights: (given, options) => {
      const sharing = readSharing(lists, 'options', options);
      return changed('shareWeights', given, (request) => writeSharing(request, sharing));
    },
    equivalentSingleHead: (given) => changed('equivalentSingleHead', given),
    withEqualOutputBlocks: (given) => changed('withEqualOutputBlocks', given),

    fuse: (given, layout) =>
      call(
        'fuse',
        layerRequest(projectedLayerOf(given)).name(lists.layouts, checkOneOf('layout', layout, lists.layouts)),
      ),
    wideMatrix: (given, role) =>
      call(
        'wideMatrix',
        layerRequest(projectedLayerOf(given)).name(lists.roles, checkOneOf('role', role, lists.roles)),
      ),
  };
}

// Inputs that came back, in the form in which the layer's were given; undefined where they are still those.
function inputsAfter(layer, { query, key, value }) {
  const given = layer.inputs;
  if (query === undefined && key === undefined && value === undefined) return given;
  const { query: q, key: k, value: v } = layer.inputNames;
  const after = { query: query ?? given[q], key: key ?? given[k], value: value ?? given[v] };
  return 'X' in given && after.query === after.key && after.key === after.value ? { X: after.query } : after;
}
