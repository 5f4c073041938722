// A training session as the page holds it: play, pause, step, reset, and what has been reported so far.

import * as Comlink from 'comlink';
import { addressOutsideFrame } from '../engine-status.ts';
import { lastStep, runs } from './runs.ts';
import type { EvaluationAt, Progress, Snapshot, TrainingApi } from './training-worker.ts';

export type SessionState = 'idle' | 'loading' | 'paused' | 'playing' | 'done' | 'failed';

export interface Curve {
  /** Loss on each step's own batch. */
  readonly losses: number[];
  readonly evaluations: EvaluationAt[];
}

const emptyCurves = (): Curve[] => runs.map(() => ({ losses: [], evaluations: [] }));

export class TrainingSession {
  state: SessionState = 'idle';
  error = '';
  /** Whether starting again may help. */
  mayRestart = true;
  curves = emptyCurves();
  snapshot: Snapshot | undefined;
  /** The run whose heads are looked at. */
  watched = 1;
  /** Steps between two drawings. */
  speed = 5;

  private worker: Worker | undefined;
  private remote: Comlink.Remote<TrainingApi> | undefined;
  private settings: { seed: number; learningRate: number } | undefined;
  // Counts up whenever what was asked before no longer matters.
  private epoch = 0;
  // The worker is asked one thing at a time; this is the last one.
  private asked: Promise<void> = Promise.resolve();
  private pending = 0;
  // Counts up with each play, so that a loop that was paused does not wake up beside the next.
  private plays = 0;

  constructor(private readonly changed: () => void) {}

  get step(): number {
    return this.curves[0]?.losses.length ?? 0;
  }

  /** Starts a worker with fresh trainers; ends the one before. */
  async open(seed: number, learningRate: number): Promise<void> {
    this.close();
    this.settings = { seed, learningRate };
    this.become('loading');
    const { epoch } = this;
    let worker: Worker;
    try {
      worker = new Worker(new URL('./training-worker.ts', import.meta.url), { type: 'module' });
    } catch {
      // Browsers say so in words of their own, and always will.
      this.mayRestart = false;
      const address = addressOutsideFrame();
      const advice = address ? `Open the page by itself: ${address}` : 'Another browser may let it.';
      this.fail(epoch, new Error(`The browser does not let this page train beside what it shows. ${advice}`));
      return;
    }
    worker.onerror = worker.onmessageerror = () =>
      this.fail(epoch, new Error('The part of the page that trains did not start, or has stopped.'));
    this.worker = worker;
    this.remote = Comlink.wrap<TrainingApi>(worker);
    await this.ask(
      (remote) => remote.open(seed, learningRate, this.watched),
      (progress) => {
        this.take(progress);
        this.become('paused');
      },
    );
  }

  /** Ends the worker, and with it whatever it is doing. */
  close(): void {
    this.endWorker();
    this.curves = emptyCurves();
    this.snapshot = undefined;
    this.error = '';
    this.become('idle');
  }

  /** Goes on, or from the start after the end. */
  async play(): Promise<void> {
    if (this.state === 'done') await this.reset();
    if (this.state !== 'paused') return;
    this.become('playing');
    const play = ++this.plays;
    const goesOn = () => this.state === 'playing' && play === this.plays;
    while (goesOn()) {
      // A frame for each drawing; a hidden tab has no frames, and so trains no further.
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (goesOn()) await this.advance(this.speed);
    }
  }

  pause(): void {
    if (this.state === 'playing') this.become('paused');
  }

  async advance(count: number): Promise<void> {
    await this.ask(
      (remote) => remote.advance(Math.min(count, lastStep - this.step), this.watched),
      (progress) => {
        this.take(progress);
        if (this.step >= lastStep) this.become('done');
        else this.changed();
      },
    );
  }

  /** The same initial weights, the first batch. In a new worker if this one still has something to do. */
  async reset(): Promise<void> {
    if (this.settings && (this.pending > 0 || this.state === 'failed'))
      return this.open(this.settings.seed, this.settings.learningRate);
    this.become('loading');
    await this.ask(
      (remote) => remote.reset(this.watched),
      (progress) => {
        this.curves = emptyCurves();
        this.take(progress);
        this.become('paused');
      },
    );
  }

  /** Asked for in every state: what is under way may be of the run before, and may be the last. */
  async watch(run: number): Promise<void> {
    this.watched = run;
    this.changed();
    await this.ask(
      (remote) => remote.look(this.watched),
      (snapshot) => {
        this.snapshot = snapshot;
        this.changed();
      },
    );
  }

  /** An answer that nobody waits for any more is dropped. */
  private ask<Answer>(
    request: (remote: Comlink.Remote<TrainingApi>) => Promise<Answer>,
    use: (answer: Answer) => void,
  ): Promise<void> {
    const { epoch } = this;
    ++this.pending;
    this.asked = this.asked.then(async () => {
      if (epoch !== this.epoch || !this.remote) return;
      try {
        const answer = await request(this.remote);
        if (epoch !== this.epoch) return;
        --this.pending;
        use(answer);
      } catch (error) {
        this.fail(epoch, error);
      }
    });
    return this.asked;
  }

  private fail(epoch: number, error: unknown): void {
    if (epoch !== this.epoch) return;
    this.endWorker();
    this.error = error instanceof Error ? error.message : String(error);
    this.become('failed');
  }

  private endWorker(): void {
    ++this.epoch;
    this.asked = Promise.resolve();
    this.pending = 0;
    this.remote?.[Comlink.releaseProxy]();
    this.worker?.terminate();
    this.worker = undefined;
    this.remote = undefined;
  }

  private take({ reports, snapshot }: Progress): void {
    reports.forEach(({ steps, evaluations }, run) => {
      this.curves[run]?.losses.push(...steps.map(({ loss }) => loss));
      this.curves[run]?.evaluations.push(...evaluations);
    });
    this.snapshot = snapshot;
  }

  private become(state: SessionState): void {
    this.state = state;
    this.changed();
  }
}
