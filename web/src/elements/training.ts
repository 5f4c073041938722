// <hw-training>: five runs trained live in a worker: the chart, the numbers, and the heads of one run.

import { html, nothing, type TemplateResult } from 'lit';
import { fixed, significant } from '../bench/format.ts';
import { gridOf } from '../bench/grid.ts';
import type { Results } from '../bench/results.ts';
import { LossChart } from '../training/loss-chart.ts';
import { lastStep, runs } from '../training/runs.ts';
import { TrainingSession } from '../training/session.ts';
import type { BenchNews } from './bench.ts';
import { FigureElement } from './figure-element.ts';
import { gridTemplate } from './grid-template.ts';

const tokenNames = ['t = 0', 't = 1', 't = 2', 't = 3', 't = 4', 't = 5'];
const speeds = [1, 5, 20];

export class TrainingElement extends FigureElement {
  private readonly session = new TrainingSession(() => this.requestUpdate());
  private chart: LossChart | undefined;
  private opened = '';
  private observer: ResizeObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const article = this.closest('article');
    article?.addEventListener('hw-close', this.leave);
    this.observer = new ResizeObserver(() => this.requestUpdate());
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.closest('article')?.removeEventListener('hw-close', this.leave);
    this.observer?.disconnect();
    this.leave();
  }

  // The bench computes when its lesson is open, and again when it is opened after leaving: both start the worker.
  protected override benchChanged(news: BenchNews): void {
    if (news === 'results') this.openFor();
    super.benchChanged(news);
  }

  private openFor(): void {
    const { seed, learningRate } = this.bench?.state ?? {};
    const wanted = `${String(seed)} ${String(learningRate)}`;
    if (this.opened === wanted || typeof seed !== 'number' || typeof learningRate !== 'number') return;
    this.opened = wanted;
    void this.session.open(seed, learningRate);
  }

  private readonly leave = (): void => {
    this.opened = '';
    this.session.close();
  };

  protected override render(): TemplateResult {
    const { session } = this;
    if (session.state === 'idle') this.openFor();
    return html`<div class="training" data-state=${session.state} data-step=${session.step}>
      ${this.controlsTemplate()}
      <figure class="chart">
        <figcaption>Loss on 4,096 held-out sequences, by steps of training</figcaption>
        <div
          class="chart-host"
          role="img"
          aria-label="Loss curves of five runs; the table below has the numbers."
        ></div>
      </figure>
      ${this.numbersTemplate()} ${this.headsTemplate()}
    </div>`;
  }

  protected override updated(): void {
    const host = this.querySelector<HTMLElement>('.chart-host');
    if (!host) return;
    this.chart ??= new LossChart(host);
    void this.chart.draw(this.session.curves);
  }

  private controlsTemplate(): TemplateResult {
    const { session } = this;
    const ready = session.state === 'paused';
    const playing = session.state === 'playing';
    return html`<div class="training-controls" role="group" aria-label="Training">
      <button
        type="button"
        class="primary"
        ?disabled=${!ready && !playing}
        @click=${() => (playing ? session.pause() : session.play())}
      >
        ${playing ? 'Pause' : 'Play'}
      </button>
      <button type="button" ?disabled=${!ready} @click=${() => void session.advance(1)}>Step</button>
      <button
        type="button"
        ?disabled=${session.state === 'idle' || session.state === 'loading'}
        @click=${() => void session.reset()}
      >
        Reset
      </button>
      <fieldset class="segments">
        <legend>steps a frame</legend>
        ${speeds.map(
          (speed) =>
            html`<label
              ><input
                type="radio"
                name="${this.bench?.id ?? ''}-speed"
                .checked=${session.speed === speed}
                @change=${() => this.setSpeed(speed)}
              /><span>${speed}</span></label
            >`,
        )}
      </fieldset>
      <label class="training-progress"
        ><progress max=${lastStep} value=${session.step}></progress> step ${session.step} of ${lastStep}</label
      >
      ${session.state === 'loading' ? html`<p class="note" role="status">Starting the training worker …</p>` : nothing}
      ${
        session.state === 'failed'
          ? html`<p class="note" role="alert">
              Training stopped: ${session.error}
              <button type="button" @click=${() => this.restart()}>Start again</button>
            </p>`
          : nothing
      }
    </div>`;
  }

  private setSpeed(speed: number): void {
    this.session.speed = speed;
    this.requestUpdate();
  }

  private restart(): void {
    this.opened = '';
    this.openFor();
  }

  private numbersTemplate(): TemplateResult {
    const { session } = this;
    const latest = session.curves.map(({ evaluations }) => evaluations.at(-1));
    const bound = latest[0]?.oneHeadBound;
    const evaluated = latest[0]?.step ?? 0;
    const settled = session.state === 'paused' || session.state === 'done';
    const summary = runs.map(({ label }, run) => `${label}: ${significant(latest[run]?.loss ?? NaN)}`).join('; ');
    const steps = session.curves[0]?.evaluations.map(({ step }) => step) ?? [];
    return html`<table class="training-numbers">
        <caption>
          After ${evaluated} steps. No single head can go below ${bound === undefined ? '…' : fixed(bound, 4)} on this
          set.
        </caption>
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">loss</th>
            <th scope="col">previous token</th>
            <th scope="col">first token</th>
          </tr>
        </thead>
        <tbody>
          ${runs.map(({ name, label, note }, run) => {
            const at = latest[run];
            return html`<tr data-run=${name}>
              <th scope="row">
                <span class="run-key run-${run + 1}" aria-hidden="true"></span>${label}<small>${note}</small>
              </th>
              ${[at?.loss, at?.previousLoss, at?.firstLoss].map(
                (value) => html`<td data-value=${value ?? ''}>${value === undefined ? '…' : significant(value)}</td>`,
              )}
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="visually-hidden" aria-live="polite">
        ${settled && evaluated > 0 ? `After ${evaluated} steps: ${summary}.` : ''}
      </p>
      <details>
        <summary>All losses as a table</summary>
        <div class="scroller" tabindex="0" role="region" aria-label="All losses">
          <table class="training-losses">
            <thead>
              <tr>
                <th scope="col">step</th>
                ${runs.map(({ label }) => html`<th scope="col">${label}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${steps.map(
                (step, row) =>
                  html`<tr>
                    <th scope="row">${step}</th>
                    ${session.curves.map(({ evaluations }) => html`<td>${significant(evaluations[row]?.loss ?? NaN)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>`;
  }

  private headsTemplate(): TemplateResult {
    const { session } = this;
    const { snapshot, watched } = session;
    return html`<fieldset class="segments watched">
        <legend>Look at the heads of</legend>
        ${runs.map(
          ({ label }, run) =>
            html`<label
              ><input
                type="radio"
                name="${this.bench?.id ?? ''}-watched"
                .checked=${watched === run}
                @change=${() => void session.watch(run)}
              /><span>${label}</span></label
            >`,
        )}
      </fieldset>
      ${snapshot ? this.snapshotTemplate() : nothing}`;
  }

  private snapshotTemplate(): TemplateResult {
    const { snapshot } = this.session;
    if (!snapshot) return html``;
    const results: Results = {
      cases: {},
      names: { tokens: tokenNames, keyTokens: tokenNames },
      heads: snapshot.trace.heads,
    };
    const grids = snapshot.trace.heads.flatMap(
      (_, head) => gridOf(results, { path: `heads[${head}].attentionWeights` }) ?? [],
    );
    return html`<div class="training-heads">
        ${grids.map((grid) => gridTemplate(grid, { highlights: [], compact: false, active: undefined, chosen: undefined }))}
      </div>
      ${
        snapshot.headGap === undefined
          ? nothing
          : html`<p class="note" data-gap=${snapshot.headGap}>
              ${
                snapshot.headGap === 0
                  ? 'The weights of both heads are equal to the last bit.'
                  : `The weights of the heads differ by up to ${significant(snapshot.headGap)}.`
              }
            </p>`
      }
      ${
        snapshot.without.length === 0
          ? nothing
          : html`<table class="training-numbers">
              <caption>
                Switch a head off (its block of W<sup>o</sup>
                set to 0), and see which look-up dies.
              </caption>
              <thead>
                <tr>
                  <th scope="col">without</th>
                  <th scope="col">loss</th>
                  <th scope="col">previous token</th>
                  <th scope="col">first token</th>
                </tr>
              </thead>
              <tbody>
                ${snapshot.without.map(
                  ({ loss, previousLoss, firstLoss }, head) =>
                    html`<tr data-without=${head}>
                      <th scope="row">head ${head + 1}</th>
                      ${[loss, previousLoss, firstLoss].map((value) => html`<td data-value=${value}>${significant(value)}</td>`)}
                    </tr>`,
                )}
              </tbody>
            </table>`
      }`;
  }
}
