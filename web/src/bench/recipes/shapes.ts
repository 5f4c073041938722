// Recipe "shapes": sizes without numbers, for exercises about shapes at any width.

import type { CaseDimensions, Field, Headwise, Kind } from 'headwise';
import { integer, type Recipe, type State } from '../parameters.ts';
import { engineWords } from './common.ts';
import { lazily, type Shape } from '../results.ts';

/** A shape that knows which field of the computation has it, or has it turned round. */
export type FieldShape = Shape & { readonly field: Field | undefined; readonly turned: boolean };
export type NamedShapes = Readonly<Record<string, FieldShape>>;

function fieldShape(rows: number, columns: number, field: Field | undefined, turned = false): FieldShape {
  // Beside the two sizes, not among them.
  return Object.defineProperties([rows, columns] as const, {
    field: { value: field },
    turned: { value: turned },
  }) as unknown as FieldShape;
}

// A head's output needs a name of its own beside the layer's.
function nameOf({ path }: Field): string {
  return path === 'heads[].output' ? 'headOutput' : path.slice(path.lastIndexOf('.') + 1).replace('[]', '');
}

/** Shapes by short name, and each turned round as `<name>_transposed`. */
export function namedShapes(
  engine: Headwise,
  layer: { readonly dims: CaseDimensions; readonly kind?: Kind },
): NamedShapes {
  const sizes = engine.shapes(layer);
  const shapes: Record<string, FieldShape> = {};
  for (const field of engine.fields) {
    const size = sizes[field.path];
    if (!size) continue;
    const name = field.path === 'inputs.query' ? 'input' : field.path === 'inputs.key' ? 'keyInput' : nameOf(field);
    if (field.path !== 'inputs.value') shapes[name] = fieldShape(...size, field);
  }
  for (const [name, { 0: rows, 1: columns, field }] of Object.entries(shapes))
    shapes[`${name}_transposed`] = fieldShape(columns, rows, field, true);
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

/** Shapes that are often written in the place of a head's matrix. */
function slipsOf(engine: Headwise, { d_q: width = 0, num_heads: heads = 1 }: CaseDimensions) {
  // d / M, though the heads may have another width; nothing where that does not come out even.
  const divides = engine.divisorsOf(width).includes(heads);
  const slips: Record<string, Shape> = {
    ...(divides && { widthDivided: [width, width / heads], widthDivided_transposed: [width / heads, width] }),
    headCount: [width, heads],
    headCount_transposed: [heads, width],
    square: [width, width],
  };
  return slips;
}

/** What the heads cost, and one head that is as wide as the input. */
function costsOf(engine: Headwise, dims: CaseDimensions) {
  const { d_q: width = 0 } = dims;
  const count = (sizes: CaseDimensions) => {
    const { parameters, multiplyAdds } = engine.sharingCost({ kind: 'mha', dims: sizes }, { sharing: 'none' });
    return { parameters, multiplyAdds };
  };
  const oneHead = { ...dims, num_heads: 1, num_kv_heads: 1, p_q: width, p_k: width, p_v: width };
  return { ...count(dims), oneHead: count(oneHead) };
}

/** Whether the heads together are as wide as the input. */
function fitOf(together: number, width: number): 'fills' | 'over' | 'under' {
  return together === width ? 'fills' : together > width ? 'over' : 'under';
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
  publish(engine, state) {
    const dims = dimensions(engine, state);
    const concatenatedWidth = engine.shapes({ dims }).concatenated?.[1] ?? 0;
    return lazily(
      {
        names: { tokens: [], keyTokens: [] },
        shapes: namedShapes(engine, { dims }),
        dims,
        headWidth: dims.p_q,
        valueWidth: dims.p_v,
        concatenatedWidth,
        fit: fitOf(concatenatedWidth, integer(state, 'width')),
        divisors: engine.divisorsOf(integer(state, 'width')),
        slips: slipsOf(engine, dims),
      },
      { cost: () => costsOf(engine, dims) },
    );
  },
};
