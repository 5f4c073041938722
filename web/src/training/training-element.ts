// <hw-training>: six runs trained live in a worker, and the film of them: the chart, the heads of one run, the numbers.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed, groupThousands, significant } from '../text/format.ts';
import { host } from '../host.ts';
import { LossChart } from './loss-chart.ts';
import { frameEvery, heldOutSize, lastStep, runs } from './runs.ts';
import { paces, TrainingSession } from './session.ts';
import type { BenchNews } from '../bench/bench-element.ts';
import type { Film } from '../bench/recipes/training.ts';
import { FigureElement } from '../figures/figure-element.ts';
import {
  gapTemplate,
  mapNumbersTemplate,
  mapsTemplate,
  nudgeTemplate,
  watchedTemplate,
  withoutTemplate,
} from './heads.ts';
import type { Frame } from './training-worker.ts';
import { lossCells, lossesHead } from './losses.ts';

/** Started when this close to the screen: whoever reads the top of the lesson need not pay for it. */
const startMargin = '600px';

export class TrainingElement extends FigureElement {
  private readonly session = new TrainingSession(() => this.sessionChanged());
  private chart: LossChart | undefined;
  private isNear = false;
  /** The seed and learning rate that the session has, or had when it was left. */
  private opened = '';
  private showsAll = false;
  private showsNumbers = false;
  // Until the film is where the address says, and while the bar is dragged, nothing is written there.
  private isRestoring = false;
  private isDragging = false;
  private stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const near = new IntersectionObserver(
      (entries) => {
        // Of several that waited, the last says how it is.
        this.isNear = entries.at(-1)?.isIntersecting === true;
        this.openIfWanted();
      },
      { rootMargin: startMargin },
    );
    near.observe(this);
    const resized = new ResizeObserver(() => this.requestUpdate());
    resized.observe(this);
    const themed = new MutationObserver(this.recolour);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', this.recolour);
    this.stops = [
      host()
        .lessonOf(this)
        .onChange((isOpen) => {
          if (!isOpen) this.leave();
        }),
      () => near.disconnect(),
      () => resized.disconnect(),
      () => themed.disconnect(),
      () => system.removeEventListener('change', this.recolour),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
    // Moved in the document it is back in a moment, and goes on with what it has.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.chart?.destroy();
      this.chart = undefined;
      this.leave();
    });
  }

  protected override benchChanged(news: BenchNews): void {
    if (news === 'results') {
      this.openIfWanted();
      this.followState();
      this.publish();
    }
    super.benchChanged(news);
  }

  private readonly recolour = (): void => this.chart?.redraw();

  private readonly leave = (): void => {
    this.opened = '';
    this.session.close();
  };

  private openIfWanted(): void {
    const { seed, learningRate } = this.bench?.state ?? {};
    if (!this.ready || typeof seed !== 'number' || typeof learningRate !== 'number') return;
    const wanted = `${seed} ${learningRate}`;
    if (this.opened === wanted) return;
    // Other numbers start from the first step, unless a link says more.
    if (this.opened !== '' && this.isAsRemembered()) this.bench?.setAll({ step: 0, nudge: -1 });
    // What was trained from other settings must not stand under these.
    this.leave();
    if (!this.isNear) return;
    this.opened = wanted;
    void this.restore(seed, learningRate, wanted);
  }

  // --- Run, step and nudge stand in the address ---

  private remembered = { run: '', step: 0, nudge: -1 };

  private isAsRemembered(): boolean {
    const state = this.bench?.state;
    return state?.step === this.remembered.step && state.nudge === this.remembered.nudge;
  }

  private remember(): void {
    const { watched, step, nudgedAt } = this.session;
    this.remembered = { run: runs[watched]?.name ?? '', step, nudge: nudgedAt ?? -1 };
    const state = this.bench?.state;
    if (state?.run !== this.remembered.run || !this.isAsRemembered()) this.bench?.setAll(this.remembered);
  }

  /** Trains to where the address says. */
  private async restore(seed: number, learningRate: number, wanted: string): Promise<void> {
    const { session } = this;
    const { run, step, nudge } = this.bench?.state ?? {};
    const [to, nudgedAt] = [Number(step ?? 0), Number(nudge ?? -1)];
    session.watched = Math.max(
      0,
      runs.findIndex(({ name }) => name === run),
    );
    this.isRestoring = true;
    await session.open(seed, learningRate);
    const isLate = () => this.opened !== wanted || session.state === 'failed';
    if (!isLate()) await this.trainTo(Math.max(to, nudgedAt));
    if (nudgedAt >= 0 && !isLate()) {
      session.goTo(nudgedAt);
      await session.nudge();
    }
    if (isLate()) return;
    session.goTo(to);
    this.isRestoring = false;
    this.requestUpdate();
  }

  private async trainTo(step: number): Promise<void> {
    const { session } = this;
    if (step <= session.trained) return;
    const { pace } = session;
    session.pace = paces.at(-1)!;
    await session.play(step);
    session.pace = pace;
  }

  /** A link may ask for another run or step of what is there. */
  private followState(): void {
    const { session } = this;
    const rests = session.state === 'paused' || session.state === 'done';
    const state = this.bench?.state;
    if (!rests || this.isRestoring || this.isDragging || !state) return;
    const run = runs.findIndex(({ name }) => name === state.run);
    if (run >= 0 && run !== session.watched) void session.watch(run);
    if (typeof state.step !== 'number' || state.step === session.step) return;
    if (state.step <= session.trained) session.goTo(state.step);
    else void this.trainTo(state.step);
  }

  private readonly toggleNumbers = (isOpen: boolean): void => {
    this.showsNumbers = isOpen;
    this.requestUpdate();
  };

  private sessionChanged(): void {
    const { state } = this.session;
    this.publish();
    this.requestUpdate();
    if ((state === 'paused' || state === 'done') && !this.isRestoring && !this.isDragging) this.remember();
  }

  private publish(): void {
    const { session } = this;
    const film: Film = {
      trained: session.trained,
      step: session.step,
      apart: this.apart(session.frame()),
      apartBefore: this.apart(session.frameBefore),
      nudged: session.nudgedAt !== undefined,
    };
    this.bench?.add({ film });
  }

  /** Largest difference of the first two heads' maps. */
  private apart(frame: Frame | undefined): number {
    const [first, second] = frame?.maps ?? [];
    const engine = this.bench?.headwise;
    return engine && first && second ? engine.compareMatrices(first, second).largestDifference : 0;
  }

  protected override render(): TemplateResult {
    const { session, context } = this;
    const frame = session.frame();
    return html`<div
      class="training"
      data-state=${session.state}
      data-step=${session.step}
      data-trained=${session.trained}
      data-seed=${this.opened.split(' ')[0]!}
    >
      ${this.controlsTemplate()} ${this.barTemplate()}
      ${watchedTemplate(session, this.bench?.id ?? '', (run) => void session.watch(run).then(() => this.remember()))}
      <div class="film">
        <div class="film-heads">
          ${context ? mapsTemplate(session, context) : nothing}
          ${frame ? gapTemplate(frame, this.apart(frame)) : nothing}
          ${nudgeTemplate(session, () => void session.nudge().then(() => this.remember()))}
        </div>
        <figure class="chart">
          <div class="chart-host" role="img" aria-label=${`Losses of six runs by steps. ${this.summary()}`}></div>
          <figcaption>
            Loss on ${groupThousands(heldOutSize)} held-out sequences, on a logarithmic axis. Dotted: the bound for one
            head, ${this.bound()}.
          </figcaption>
        </figure>
      </div>
      ${context ? mapNumbersTemplate(session, context, this.showsNumbers, this.toggleNumbers) : nothing}
      ${this.summaryTemplate()} ${this.numbersTemplate()} ${this.allLossesTemplate()} ${withoutTemplate(session)}
    </div>`;
  }

  protected override updated(): void {
    const host = this.querySelector<HTMLElement>('.chart-host');
    if (!host || !this.isConnected) return;
    this.chart ??= new LossChart(host);
    this.chart.draw(this.session.curves, this.session.step);
  }

  private latest(run: number) {
    return this.session.evaluation(run);
  }

  private bound(): string {
    const bound = this.latest(0)?.oneHeadBound;
    return bound === undefined ? '…' : fixed(bound, 4);
  }

  /** "After 300 steps: one head 0.420, two heads 2.23·10⁻⁴ …" */
  private summary(): string {
    const step = this.latest(0)?.step;
    if (step === undefined) return '';
    const losses = runs.map(({ label }, run) => `${label} ${significant(this.latest(run)?.loss ?? NaN)}`);
    return `After ${step} steps: ${losses.join(', ')}. The bound for one head is ${this.bound()}.`;
  }

  // Said when a run comes to rest, not at every frame.
  private summaryTemplate(): TemplateResult {
    const { state, step } = this.session;
    const rests = step > 0 && (state === 'paused' || state === 'done') && !this.isDragging;
    return html`<p class="training-summary" role="status">
      ${rests ? `Step ${step} of ${lastStep}. ${this.summary()}` : ''}
    </p>`;
  }

  private controlsTemplate(): TemplateResult {
    const { session } = this;
    const { state } = session;
    const name = `${this.bench?.id ?? ''}-pace`;
    return html`<div class="training-controls" role="group" aria-label="Training">
        <button
          type="button"
          class="primary"
          ?disabled=${state === 'idle' || state === 'failed'}
          aria-disabled=${state === 'loading'}
          @click=${() => (session.state === 'playing' ? session.pause() : void session.play())}
        >
          ${state === 'playing' ? 'Pause' : session.step >= lastStep ? 'Play again' : 'Play'}
        </button>
        <button
          type="button"
          ?disabled=${state === 'idle' || state === 'failed'}
          aria-disabled=${(state !== 'paused' && state !== 'done') || session.step >= lastStep}
          @click=${() => void session.stepOn()}
        >
          Step
        </button>
        <button type="button" ?disabled=${state === 'idle' || !session.mayRestart} @click=${() => void session.reset()}>
          Reset
        </button>
        <fieldset class="segmented">
          <legend>speed</legend>
          <div class="segments">
            ${paces.map(
              (pace) => html`
                <label>
                  <input
                    type="radio"
                    name=${name}
                    .checked=${session.pace === pace}
                    @change=${() => {
                      session.pace = pace;
                      this.requestUpdate();
                    }}
                  />
                  <span>${pace.label}</span>
                </label>
              `,
            )}
          </div>
        </fieldset>
      </div>
      ${
        state === 'failed'
          ? html`<p class="notice" role="alert">
              ${session.mayRestart ? `Training stopped: ${session.error} “Reset” starts it again.` : session.error}
            </p>`
          : nothing
      }`;
  }

  /** The film's place; beyond its end it is trained to there. */
  private barTemplate(): TemplateResult {
    const { session } = this;
    const { step, trained, state } = session;
    return html`<label class="film-bar" style="--trained: ${trained / lastStep}; --fill: ${(100 * step) / lastStep}%">
      <span>step <b>${step}</b> of ${lastStep}</span>
      <input
        type="range"
        min="0"
        max=${lastStep}
        step=${frameEvery}
        aria-label="step of the film"
        aria-valuetext=${`step ${step} of ${lastStep}`}
        ?disabled=${state === 'idle' || state === 'failed' || state === 'loading'}
        .value=${live(String(step))}
        @input=${(event: Event) => {
          this.isDragging = true;
          session.pause();
          session.goTo(Number((event.target as HTMLInputElement).value));
        }}
        @change=${(event: Event) => {
          this.isDragging = false;
          void this.trainTo(Number((event.target as HTMLInputElement).value));
          this.sessionChanged();
        }}
      />
    </label>`;
  }

  private numbersTemplate(): TemplateResult {
    const step = this.latest(0)?.step;
    return html`<table class="training-numbers">
      <caption>
        ${step === undefined ? 'Losses' : `Losses after ${step} steps`}: of both look-ups together, and of each
      </caption>
      ${lossesHead('run')}
      <tbody>
        ${runs.map(({ name, label, note, dash }, run) => {
          const at = this.latest(run);
          return html`<tr data-run=${name}>
            <th scope="row">
              <svg class="run-key run-${run + 1}" viewBox="0 0 28 4" aria-hidden="true">
                <line x1="0" y1="2" x2="28" y2="2" stroke-dasharray=${dash.join(' ') || nothing} />
              </svg>
              ${label}<small>${note}</small>
            </th>
            ${lossCells(at)}
          </tr>`;
        })}
      </tbody>
    </table> `;
  }

  private allLossesTemplate(): TemplateResult {
    const { curves } = this.session;
    return html`<details
      @toggle=${(event: Event) => {
        this.showsAll = (event.target as HTMLDetailsElement).open;
        this.requestUpdate();
      }}
    >
      <summary>All losses as a table</summary>
      ${
        this.showsAll
          ? html`<div class="scroller" tabindex="0" role="region" aria-label="All losses">
              <table class="training-losses">
                <thead>
                  <tr>
                    <th scope="col">step</th>
                    ${runs.map(({ label }) => html`<th scope="col">${label}</th>`)}
                  </tr>
                </thead>
                <tbody>
                  ${curves[0]?.evaluations.map(
                    ({ step }, row) =>
                      html`<tr>
                        <th scope="row">${step}</th>
                        ${curves.map(({ evaluations }) => html`<td>${significant(evaluations[row]?.loss ?? NaN)}</td>`)}
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
          : nothing
      }
    </details>`;
  }
}
