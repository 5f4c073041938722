// The golden files, for those who hold an implementation of their own against them; tests/golden/README.md describes the files.
import type { Case, Headwise } from './headwise.d.ts';

/** The cases in a golden file, each with its name and expected results: one of a plain kind, several of a derived one. compare: the single
 *  layer, then the multi; shared_weights: shared projections under distinct blocks of W_o, the one head this amounts to, the same
 *  two under equal blocks, and unique projections; fused_layouts: canonical, gpt2, torch, neox. mistakes: the correct layer.
 *  training is refused: it has no single layer. */
export function fromGolden(headwise: Headwise, file: unknown): Case[];

/** Golden spelling → trace path: Q → heads[].queries, … */
export const goldenNames: Readonly<Record<string, string>>;
