// <hw-timing>: the counted layers run on this machine, one button.

import * as Comlink from 'comlink';
import { html, nothing, type TemplateResult } from 'lit';
import type { BenchNews } from '../../bench/bench-element.ts';
import type { CostResults } from '../../bench/recipes/costs.ts';
import { groupThousands, significant } from '../../text/format.ts';
import { FigureElement } from '../figure-element.ts';
import { watchTables } from '../scroller.ts';
import type { TimingApi } from './timing-worker.ts';

export class TimingElement extends FigureElement {
  private worker: Worker | undefined;
  private times: string[] = [];
  private state: 'idle' | 'measuring' | 'done' = 'idle';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  // Times of other sizes are no longer those of these.
  protected override benchChanged(news: BenchNews): void {
    if (news === 'results') this.stop();
    super.benchChanged(news);
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.times = [];
    this.state = 'idle';
  }

  private rowsOf({ one, within, full, oneDims, dims, fullDims }: CostResults) {
    const h = dims.num_heads;
    return [
      { name: 'one head of width d', cost: one, dims: oneDims },
      { name: `${h} heads of width d / h`, cost: within, dims },
      { name: `${h} heads of width d`, cost: full, dims: fullDims },
    ];
  }

  private readonly measure = async (): Promise<void> => {
    const results = this.results as unknown as CostResults | undefined;
    if (!results) return;
    this.stop();
    this.state = 'measuring';
    this.requestUpdate();
    const worker = new Worker(new URL('./timing-worker.ts', import.meta.url), { type: 'module' });
    this.worker = worker;
    const remote = Comlink.wrap<TimingApi>(worker);
    for (const { dims } of this.rowsOf(results)) {
      const told = await remote.measure(dims).then(
        (milliseconds) => `${significant(milliseconds)} ms`,
        () => 'too large for this page',
      );
      // Stopped in the meantime.
      if (this.worker !== worker) return;
      this.times.push(told);
      this.requestUpdate();
    }
    worker.terminate();
    this.worker = undefined;
    this.state = 'done';
    this.requestUpdate();
  };

  protected override updated(): void {
    watchTables(this);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { results } = this;
    if (!results || !('byHeads' in results)) return nothing;
    const rows = this.rowsOf(results as unknown as CostResults);
    return html`<div class="timing" role="group" aria-label="Measured on this machine">
      <button type="button" ?disabled=${this.state === 'measuring'} @click=${() => void this.measure()}>
        ${this.state === 'measuring' ? 'Measuring …' : 'Measure on this machine'}
      </button>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">layer</th>
              <th scope="col">multiply-adds</th>
              <th scope="col">softmax terms</th>
              <th scope="col">time here</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ name, cost }, at) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  <td>${groupThousands(cost.multiplyAdds)}</td>
                  <td>${groupThousands(cost.softmaxTerms)}</td>
                  <td>${this.times[at] ?? '–'}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="visually-hidden" aria-live="polite">
        ${this.state === 'done' ? `Measured: ${this.times.join(', ')}.` : ''}
      </p>
    </div>`;
  }
}
