// A training session as the page holds it: play, pause, step, reset, and what has been reported so far.

import * as Comlink from 'comlink';
import type { Evaluation } from 'headwise';
import { lastStep, runs } from './runs.ts';
import type { RunReport, Snapshot, TrainingApi } from './training-worker.ts';

export type SessionState = 'idle' | 'loading' | 'paused' | 'playing' | 'done' | 'failed';

export interface Curve {
  readonly steps: number[];
  readonly losses: number[];
  readonly evaluations: (Evaluation & { readonly step: number })[];
}

const emptyCurves = (): Curve[] => runs.map(() => ({ steps: [], losses: [], evaluations: [] }));

export class TrainingSession {
  state: SessionState = 'idle';
  error = '';
  curves = emptyCurves();
  snapshot: Snapshot | undefined;
  /** The run whose heads are looked at. */
  watched = 1;
  /** Steps between two drawings. */
  speed = 5;

  private worker: Worker | undefined;
  private remote: Comlink.Remote<TrainingApi> | undefined;
  // Counts up whenever what was asked before no longer matters.
  private epoch = 0;
  private busy = false;

  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  get step(): number {
    return this.curves[0]?.steps.at(-1) ?? 0;
  }

  /** Starts a worker with fresh trainers; ends the one before. */
  async open(seed: number, learningRate: number): Promise<void> {
    this.close();
    const epoch = this.epoch;
    this.become('loading');
    try {
      this.worker = new Worker(new URL('./training-worker.ts', import.meta.url), { type: 'module' });
      const failure = new Promise<never>((_, reject) => {
        this.worker?.addEventListener('error', () => reject(new Error('The training worker could not start.')));
      });
      this.remote = Comlink.wrap<TrainingApi>(this.worker);
      const reports = await Promise.race([this.remote.open(seed, learningRate), failure]);
      if (epoch !== this.epoch) return;
      this.take(reports);
      await this.look();
      if (epoch === this.epoch) this.become('paused');
    } catch (error) {
      this.fail(epoch, error);
    }
  }

  /** Ends the worker, and with it whatever it is doing. */
  close(): void {
    ++this.epoch;
    this.worker?.terminate();
    this.remote?.[Comlink.releaseProxy]();
    this.worker = undefined;
    this.remote = undefined;
    this.busy = false;
    this.curves = emptyCurves();
    this.snapshot = undefined;
    this.error = '';
    this.become('idle');
  }

  play(): void {
    if (this.state !== 'paused') return;
    this.become('playing');
    void this.run();
  }

  pause(): void {
    if (this.state === 'playing') this.become('paused');
  }

  async advance(count: number): Promise<void> {
    if (!this.remote || this.busy) return;
    const steps = Math.min(count, lastStep - this.step);
    if (steps < 1) return;
    const epoch = this.epoch;
    this.busy = true;
    try {
      const reports = await this.remote.advance(steps);
      if (epoch !== this.epoch) return;
      this.take(reports);
      await this.look();
      if (epoch !== this.epoch) return;
      this.busy = false;
      if (this.step >= lastStep) this.become('done');
      else this.changed();
    } catch (error) {
      this.fail(epoch, error);
    }
  }

  /** The same initial weights, the first batch. */
  async reset(): Promise<void> {
    if (!this.remote) return;
    const epoch = ++this.epoch;
    this.become('loading');
    try {
      const reports = await this.remote.reset();
      if (epoch !== this.epoch) return;
      this.busy = false;
      this.curves = emptyCurves();
      this.take(reports);
      await this.look();
      if (epoch === this.epoch) this.become('paused');
    } catch (error) {
      this.fail(epoch, error);
    }
  }

  async watch(run: number): Promise<void> {
    this.watched = run;
    await this.look();
    this.changed();
  }

  private async run(): Promise<void> {
    const epoch = this.epoch;
    while (this.state === 'playing' && epoch === this.epoch) {
      await this.advance(this.speed);
      // A frame of its own for each drawing; a hidden tab has no frames and so trains no further.
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }

  private async look(): Promise<void> {
    const { epoch, watched } = this;
    const snapshot = await this.remote?.snapshot(watched);
    if (epoch === this.epoch && watched === this.watched) this.snapshot = snapshot;
  }

  private take(reports: readonly RunReport[]): void {
    reports.forEach(({ steps, evaluations }, run) => {
      const curve = this.curves[run];
      if (!curve) return;
      for (const report of steps) {
        curve.steps.push(report.step);
        curve.losses.push(report.loss);
      }
      curve.evaluations.push(...evaluations);
    });
  }

  private fail(epoch: number, error: unknown): void {
    if (epoch !== this.epoch) return;
    this.busy = false;
    this.error = error instanceof Error ? error.message : String(error);
    this.become('failed');
  }

  private become(state: SessionState): void {
    this.state = state;
    this.changed();
  }
}
