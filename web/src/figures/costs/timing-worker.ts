// The worker that measures how long layers take on this machine, so that the page never waits.

import * as Comlink from 'comlink';
import { loadHeadwise, type Headwise, type RandomCaseRequest } from 'headwise';

/** Runs of one layer, and the time after which no further one begins. */
const mostRuns = 15;
const longEnough = 400;

let engine: Headwise | undefined;

const api = {
  /** Milliseconds of one forward pass: the median of several, the first left out. Throws what the engine refuses. */
  async measure(dims: RandomCaseRequest['dims']): Promise<number> {
    engine ??= await loadHeadwise();
    const layer = engine.openLayer(engine.randomCase({ dims, seed: 1 }));
    try {
      engine.forward(layer);
      const times: number[] = [];
      const started = performance.now();
      while (times.length < mostRuns && (times.length < 3 || performance.now() - started < longEnough)) {
        const before = performance.now();
        engine.forward(layer);
        times.push(performance.now() - before);
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    } finally {
      layer.dispose();
    }
  },
};

export type TimingApi = typeof api;
Comlink.expose(api);
