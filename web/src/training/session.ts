// A training session as the page holds it: play, pause, step, reset, and the film of what has been trained so far.

import * as Comlink from 'comlink';
import { addressOutsideFrame } from '../engine-status.ts';
import { frameEvery, lastStep, nudge, runs } from './runs.ts';
import type { EvaluationAt, Frame, Progress, RunReport, TrainingApi, Without } from './training-worker.ts';

export type SessionState = 'idle' | 'loading' | 'paused' | 'playing' | 'done' | 'failed';

export interface Curve {
  readonly evaluations: EvaluationAt[];
  /** Every few steps, and of the newest one. */
  readonly frames: Frame[];
}

/** How fast it plays, and how many steps it may take between two drawings to keep up. */
export interface Pace {
  readonly label: string;
  readonly stepsASecond: number;
  readonly atOnce: number;
}
export const paces: readonly Pace[] = [
  { label: 'slow', stepsASecond: 18, atOnce: 1 },
  { label: 'fast', stepsASecond: 75, atOnce: 5 },
  { label: 'at once', stepsASecond: Infinity, atOnce: 20 },
];

const emptyCurves = (): Curve[] => runs.map(() => ({ evaluations: [], frames: [] }));

/** The last of a list whose step is not beyond. */
function lastUntil<At extends { readonly step: number }>(list: readonly At[], step: number): At | undefined {
  return list.findLast((at) => at.step <= step);
}

export class TrainingSession {
  state: SessionState = 'idle';
  error = '';
  /** Whether starting again may help. */
  mayRestart = true;
  curves = emptyCurves();
  without: Without | undefined;
  /** The run whose heads are looked at. */
  watched = 1;
  pace: Pace = paces[0]!;
  /** Steps that all runs have done. */
  trained = 0;
  /** After so many of them one number of the output matrix was nudged. */
  nudgedAt: number | undefined;

  // The step that is looked at; undefined: the newest, whichever that is.
  private place: number | undefined;
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

  /** The step that is looked at. */
  get step(): number {
    return this.place ?? this.trained;
  }

  /** What a run's heads look at there, or a few steps before. */
  frame(run = this.watched): Frame | undefined {
    return lastUntil(this.curves[run]?.frames ?? [], this.step);
  }

  /** The frame before it. */
  get frameBefore(): Frame | undefined {
    const step = this.frame()?.step ?? 0;
    return lastUntil(this.curves[this.watched]?.frames ?? [], step - 1);
  }

  /** A run's last evaluation until there. */
  evaluation(run: number): EvaluationAt | undefined {
    return lastUntil(this.curves[run]?.evaluations ?? [], this.step);
  }

  /** Looks at another step of what has been trained. */
  goTo(step: number): void {
    this.place = step >= this.trained ? undefined : Math.max(0, step);
    this.changed();
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
    this.empty();
    this.error = '';
    this.become('idle');
  }

  /** Shows the film from where it stands, from its start after its end; where it ends, trains on. */
  async play(until = lastStep): Promise<void> {
    if (this.state !== 'paused' && this.state !== 'done') return;
    if (this.step >= lastStep) this.goTo(0);
    this.become('playing');
    const play = ++this.plays;
    const goesOn = () => this.state === 'playing' && play === this.plays;
    let last = performance.now();
    let due = 0;
    while (goesOn()) {
      // A frame for each drawing; a hidden tab has no frames, and so trains no further.
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const { stepsASecond, atOnce } = this.pace;
      due = Math.min(atOnce, due + (Math.max(0, now - last) / 1000) * stepsASecond || 0);
      last = now;
      const count = Math.min(Math.floor(due), until - this.step);
      if (!goesOn() || count < 1) continue;
      due -= count;
      const replays = this.step + count <= this.trained;
      if (replays) {
        this.goTo(this.step + count);
      } else {
        this.place = undefined;
        await this.advance(count);
      }
      if (this.step >= until && goesOn()) this.become(this.trained >= lastStep ? 'done' : 'paused');
    }
  }

  pause(): void {
    if (this.state === 'playing') this.become(this.trained >= lastStep ? 'done' : 'paused');
  }

  /** The next step: of the film, or where it ends a new one. */
  async stepOn(): Promise<void> {
    if (this.state !== 'paused' && this.state !== 'done') return;
    if (this.step < this.trained) this.goTo(this.step + 1);
    else if (this.trained < lastStep) await this.advance(1);
  }

  /** Trains on. */
  private async advance(count: number): Promise<void> {
    await this.ask(
      (remote) => remote.advance(Math.min(count, lastStep - this.trained), this.watched),
      (progress) => {
        this.take(progress);
        if (this.state !== 'playing' && this.trained >= lastStep) this.become('done');
        else this.changed();
      },
    );
  }

  /** Nudges the run that nothing else parts, after the step that is looked at. */
  async nudge(): Promise<void> {
    const after = this.step;
    await this.ask(
      (remote) => remote.nudge(after),
      (report) => {
        const run = runs.findIndex(({ name }) => name === nudge.run);
        this.curves[run] = { evaluations: [], frames: [] };
        this.add(report, run);
        this.nudgedAt = after;
        this.changed();
      },
    );
    await this.watch(this.watched);
  }

  /** The same initial weights, the first batch. In a new worker if this one still has something to do. */
  async reset(): Promise<void> {
    if (this.settings && (this.pending > 0 || this.state === 'failed'))
      return this.open(this.settings.seed, this.settings.learningRate);
    this.become('loading');
    await this.ask(
      (remote) => remote.reset(this.watched),
      (progress) => {
        this.empty();
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
      (without) => {
        this.without = without;
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

  private empty(): void {
    this.curves = emptyCurves();
    this.without = undefined;
    this.trained = 0;
    this.nudgedAt = undefined;
    this.place = undefined;
  }

  private take({ reports, without }: Progress): void {
    reports.forEach((report, run) => this.add(report, run));
    this.trained += reports[0]?.steps.length ?? 0;
    this.without = without;
  }

  private add({ evaluations, frames }: RunReport, run: number): void {
    const curve = this.curves[run];
    if (!curve) return;
    curve.evaluations.push(...evaluations);
    // The newest frame so far stays only where the film has one.
    if ((curve.frames.at(-1)?.step ?? 0) % frameEvery !== 0) curve.frames.pop();
    curve.frames.push(...frames);
  }

  private become(state: SessionState): void {
    this.state = state;
    this.changed();
  }
}
