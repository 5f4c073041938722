// Recipe "shapes": sizes without numbers, for exercises about shapes at any width.

import type { Case, CaseDimensions, Headwise, Kind } from 'headwise';
import { integer, type Recipe, type State } from '../parameters.ts';
import { engineWords } from './common.ts';
import type { Shape } from '../results.ts';

// The engine's names are trace paths; a head's output needs a name of its own beside the layer's.
function shortName(engineName: string): string {
  if (engineName === 'heads[].output') return 'headOutput';
  return engineName.slice(engineName.lastIndexOf('.') + 1);
}

export type NamedShapes = Readonly<Record<string, Shape>>;

/** Shapes by short name, and each turned round as `<name>_transposed`. */
export function namedShapes(engine: Headwise, layer: Pick<Case, 'dims'> & { kind?: Kind }): NamedShapes {
  const { dims } = layer;
  const width = dims.d_q ?? dims.p_q;
  const keyWidth = dims.d_k ?? dims.p_k ?? width;
  const shapes: Record<string, Shape> = {};
  if (width !== undefined) shapes.input = [dims.n_q, width];
  if (keyWidth !== undefined) shapes.keyInput = [dims.n_kv, keyWidth];
  for (const [name, shape] of Object.entries(engine.shapes(layer))) shapes[shortName(name)] = shape;
  for (const [name, [rows, columns]] of Object.entries(shapes)) shapes[`${name}_transposed`] = [columns, rows];
  return shapes;
}

/** Width of one head if `total` columns are shared by all; the engine's sentence if they cannot be. */
export function headWidthOf(engine: Headwise, total: number, heads: number): number {
  return engine.shapes({ dims: { n_q: 1, n_kv: 1, d_q: total, num_heads: heads } })['heads[].queries']?.[1] ?? 0;
}

function dimensions(engine: Headwise, state: State): CaseDimensions {
  const width = integer(state, 'width');
  const heads = integer(state, 'heads');
  const headWidth =
    integer(state, 'headWidth') || headWidthOf(engine, integer(state, 'projectionWidth') || width, heads);
  const length = integer(state, 'length');
  return {
    n_q: length,
    n_kv: integer(state, 'keyLength') || length,
    d_q: width,
    d_k: width,
    d_v: width,
    num_heads: heads,
    num_kv_heads: integer(state, 'keyValueHeads') || heads,
    p_q: headWidth,
    p_k: headWidth,
    p_v: integer(state, 'valueWidth') || headWidth,
    p_o: integer(state, 'outputWidth') || width,
  };
}

export const shapesRecipe: Recipe = {
  name: 'shapes',
  parameters: [
    { name: 'length', label: 'tokens n', kind: 'integer', start: 5, min: 1, max: 2048, usualMax: 16 },
    { name: 'keyLength', label: 'keys', kind: 'integer', start: 0, min: 0, max: 2048, zeroMeans: 'as many as tokens' },
    {
      name: 'width',
      label: 'width d',
      kind: 'integer',
      start: 512,
      min: 1,
      max: 16384,
      usualMax: 24,
      stands: engineWords.width,
    },
    {
      name: 'heads',
      label: 'heads',
      kind: 'integer',
      start: 8,
      min: 1,
      max: 128,
      usualMax: 12,
      stands: engineWords.heads,
    },
    {
      name: 'projectionWidth',
      label: 'width over all heads',
      kind: 'integer',
      start: 0,
      min: 0,
      max: 16384,
      usualMax: 36,
      zeroMeans: 'd',
    },
    { name: 'headWidth', label: 'head width p', kind: 'integer', start: 0, min: 0, max: 16384, zeroMeans: 'd / heads' },
    {
      name: 'valueWidth',
      label: 'value width',
      kind: 'integer',
      start: 0,
      min: 0,
      max: 16384,
      zeroMeans: 'head width',
    },
    {
      name: 'keyValueHeads',
      label: 'key and value heads',
      stands: engineWords.keyValueHeads,
      kind: 'integer',
      start: 0,
      min: 0,
      max: 128,
      zeroMeans: 'one per head',
    },
    { name: 'outputWidth', label: 'output width', kind: 'integer', start: 0, min: 0, max: 16384, zeroMeans: 'd' },
  ],
  run(engine, state) {
    const dims = dimensions(engine, state);
    return {
      cases: {},
      names: { tokens: [], keyTokens: [] },
      shapes: namedShapes(engine, { dims }),
      dims,
      headWidth: dims.p_q,
      valueWidth: dims.p_v,
      concatenatedWidth: engine.shapes({ dims }).concatenated?.[1],
      divisors: engine.divisorsOf(integer(state, 'width')),
    };
  },
};
