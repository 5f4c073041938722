// <hw-training>: five runs trained live in a worker: the chart, the numbers, and the heads of one run.

import { html, nothing, type TemplateResult } from 'lit';
import { fixed, groupThousands, significant } from '../text/format.ts';
import { host } from '../host.ts';
import { LossChart } from './loss-chart.ts';
import { heldOutSize, lastStep, runs } from './runs.ts';
import { TrainingSession } from './session.ts';
import type { BenchNews } from '../bench/bench-element.ts';
import { FigureElement } from '../figures/figure-element.ts';
import { headsTemplate } from './heads.ts';
import { lossCells, lossesHead } from './losses.ts';

const speeds = [1, 5, 20];
/** Started when this close to the screen: whoever reads the top of the lesson need not pay for it. */
const startMargin = '600px';

export class TrainingElement extends FigureElement {
  private readonly session = new TrainingSession(() => this.requestUpdate());
  private chart: LossChart | undefined;
  private isNear = false;
  /** The seed and learning rate that the session has, or had when it was left. */
  private opened = '';
  private showsAll = false;
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
    if (news === 'results') this.openIfWanted();
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
    // What was trained from other settings must not stand under these.
    this.leave();
    if (!this.isNear) return;
    this.opened = wanted;
    void this.session.open(seed, learningRate);
  }

  protected override render(): TemplateResult {
    const { session, context } = this;
    return html`<div
      class="training"
      data-state=${session.state}
      data-step=${session.step}
      data-seed=${this.opened.split(' ')[0]!}
    >
      ${this.controlsTemplate()}
      <figure class="chart">
        <div class="chart-host" role="img" aria-label=${`Losses of five runs by steps. ${this.summary()}`}></div>
        <figcaption>
          Loss on ${groupThousands(heldOutSize)} held-out sequences, on a logarithmic axis. Dotted: the bound for one
          head, ${this.bound()}.
        </figcaption>
      </figure>
      ${this.summaryTemplate()} ${this.numbersTemplate()} ${this.allLossesTemplate()}
      <div class="training-look">${context ? headsTemplate(session, this.bench?.id ?? '', context) : nothing}</div>
    </div>`;
  }

  protected override updated(): void {
    const host = this.querySelector<HTMLElement>('.chart-host');
    if (!host || !this.isConnected) return;
    this.chart ??= new LossChart(host);
    this.chart.draw(this.session.curves);
  }

  private latest(run: number) {
    return this.session.curves[run]?.evaluations.at(-1);
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
    const rests = (state === 'paused' && step > 0) || state === 'done';
    return html`<p class="training-summary" role="status">
      ${rests ? `Step ${step} of ${lastStep}. ${this.summary()}` : ''}
    </p>`;
  }

  private controlsTemplate(): TemplateResult {
    const { session } = this;
    const { state } = session;
    const name = `${this.bench?.id ?? ''}-speed`;
    return html`<div class="training-controls" role="group" aria-label="Training">
        <button
          type="button"
          class="primary"
          ?disabled=${state === 'idle' || state === 'failed'}
          aria-disabled=${state === 'loading'}
          @click=${() => (session.state === 'playing' ? session.pause() : void session.play())}
        >
          ${state === 'playing' ? 'Pause' : state === 'done' ? 'Play again' : 'Play'}
        </button>
        <button
          type="button"
          ?disabled=${state === 'idle' || state === 'failed'}
          aria-disabled=${state !== 'paused'}
          @click=${() => session.state === 'paused' && void session.advance(1)}
        >
          Step
        </button>
        <button type="button" ?disabled=${state === 'idle' || !session.mayRestart} @click=${() => void session.reset()}>
          Reset
        </button>
        <fieldset class="segmented">
          <legend>steps at a time</legend>
          <div class="segments">
            ${speeds.map(
              (speed) => html`
                <label>
                  <input
                    type="radio"
                    name=${name}
                    .checked=${session.speed === speed}
                    @change=${() => {
                      session.speed = speed;
                      this.requestUpdate();
                    }}
                  />
                  <span>${speed}</span>
                </label>
              `,
            )}
          </div>
        </fieldset>
        <label class="training-progress">
          <progress max=${lastStep} value=${session.step}></progress>
          <span>step ${session.step} of ${lastStep}</span>
        </label>
      </div>
      ${
        state === 'failed'
          ? html`<p class="notice" role="alert">
              ${session.mayRestart ? `Training stopped: ${session.error} “Reset” starts it again.` : session.error}
            </p>`
          : nothing
      }`;
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
