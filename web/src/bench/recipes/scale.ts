// Recipe "scale": why scores are divided by the root of the head width.

import { integer, type Recipe } from '../parameters.ts';
import { lazily } from '../results.ts';
import { seedParameter } from './common.ts';

const binCount = 24;

/** Counts of values in equal bins between two numbers. */
export interface Histogram {
  readonly counts: Float64Array;
  readonly from: number;
  readonly to: number;
}

export function isHistogram(value: unknown): value is Histogram {
  return typeof value === 'object' && value !== null && 'counts' in value && value.counts instanceof Float64Array;
}

export const scaleRecipe: Recipe = {
  name: 'scale',
  parameters: [
    { name: 'keySize', label: 'head width p', kind: 'integer', start: 16, min: 1, max: 256, usualMax: 128 },
    { name: 'queries', label: 'queries', kind: 'integer', start: 32, min: 1, max: 128 },
    { name: 'keys', label: 'keys', kind: 'integer', start: 16, min: 2, max: 128 },
    { name: 'reach', label: 'axis up to', kind: 'number', start: 24, min: 1, max: 100 },
    seedParameter,
  ],
  run(engine, state) {
    const study = engine.studyScale({
      keySize: integer(state, 'keySize'),
      queryCount: integer(state, 'queries'),
      keyCount: integer(state, 'keys'),
      seed: integer(state, 'seed'),
    });
    const reach = integer(state, 'reach');
    const histogram = (matrix: typeof study.rawScores): Histogram => ({
      counts: engine.histogram(matrix, -reach, reach, binCount),
      from: -reach,
      to: reach,
    });
    return lazily(
      { cases: {}, names: { tokens: [], keyTokens: [] }, study },
      {
        raw: () => histogram(study.rawScores),
        scaled: () => histogram(study.scaledScores),
        rawWeights: () => engine.softmaxRows(study.rawScores),
        scaledWeights: () => engine.softmaxRows(study.scaledScores),
      },
    );
  },
};
