// Recipe "scale": why scores are divided by the root of the head width.

import { described } from '../described.ts';
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
  publish(engine, state) {
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
    const scores = (name: 'rawScores' | 'scaledScores', label: string) =>
      described(study[name], `study.${name}`, { label, tone: 'scores' });
    const weights = (name: string, matrix: typeof study.rawScores) =>
      described(engine.softmaxRows(matrix), name, { label: 'A', tone: 'attention', scale: 'probability' });
    return lazily(
      {
        names: { tokens: [], keyTokens: [] },
        study: { ...study, rawScores: scores('rawScores', 'Q K^T'), scaledScores: scores('scaledScores', 'S') },
      },
      {
        raw: () => histogram(study.rawScores),
        scaled: () => histogram(study.scaledScores),
        rawWeights: () => weights('rawWeights', study.rawScores),
        scaledWeights: () => weights('scaledWeights', study.scaledScores),
      },
    );
  },
};
