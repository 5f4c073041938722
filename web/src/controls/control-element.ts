// <hw-control name>: the input that fits one parameter of the bench. <hw-controls names> groups several.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { boundsOf, type Parameter } from '../bench/parameters.ts';
import { host } from '../host.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import { benchOf, numberAttribute } from '../figures/figure-element.ts';

let lastId = 0;
// 0.015 − 0.005 is a little less than 0.01: steps are counted, not added up.
function onGrid(value: number, first: number, step: number): number {
  return Number((first + Math.round((value - first) / step) * step).toFixed(9));
}

// A slider with more steps than this is too fine for a finger.
const mostSliderSteps = 130;

abstract class ControlBase extends LitElement {
  protected bench: BenchElement | undefined;
  private stops: (() => void)[] = [];

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    this.bench = benchOf(this);
    const stop = this.bench?.listen((news) => {
      if (news !== 'selection') this.requestUpdate();
    });
    this.stops = [host().state.onChange(() => this.requestUpdate()), ...(stop ? [stop] : [])];
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.stops) stop();
  }
}

export class ControlElement extends ControlBase {
  private readonly inputId = `control-${++lastId}`;
  private readonly errorId = `${this.inputId}-error`;

  protected override render(): TemplateResult | typeof nothing {
    const name = this.getAttribute('name') ?? '';
    const { bench } = this;
    const parameter = bench?.parameter(name);
    if (!bench || !parameter) return html`<p class="author-error">There is no parameter “${name}” here.</p>`;
    this.hidden = host().state.hiddenControls().has(name) || parameter.shownWhen?.(bench.state) === false;
    if (this.hidden) return nothing;
    const objection = bench.objectionTo(name);
    return html`<fieldset class="switched" role="presentation" ?disabled=${!bench.canCompute}>
        ${this.input(bench, parameter)}
      </fieldset>
      ${objection ? html`<p class="control-error" id=${this.errorId} .textContent=${objection}></p>` : nothing}`;
  }

  private input(bench: BenchElement, parameter: Parameter): TemplateResult {
    switch (parameter.kind) {
      case 'integer':
      case 'number':
        return this.slider(bench, parameter);
      case 'seed':
        return this.seed(bench, parameter);
      case 'choice':
        return this.choice(bench, parameter);
      case 'flag':
        return this.flag(bench, parameter);
      default:
        return this.field(bench, parameter);
    }
  }

  protected override updated(): void {
    const isWrong = this.querySelector('.control-error') !== null;
    const marks = { 'aria-invalid': 'true', 'aria-describedby': this.errorId };
    for (const input of this.querySelectorAll('input')) {
      for (const [name, value] of Object.entries(marks)) {
        if (isWrong) input.setAttribute(name, value);
        else input.removeAttribute(name);
      }
    }
  }

  private label(parameter: Parameter): string {
    return this.getAttribute('label') ?? parameter.label;
  }

  private bounds(
    bench: BenchElement,
    parameter: Parameter,
  ): { values: readonly number[] | undefined; min: number; max: number; step: number } {
    const min = numberAttribute(this, 'min') ?? parameter.min ?? 0;
    const most = parameter.max ?? 100;
    const usual = parameter.usualMax ?? most;
    const max = numberAttribute(this, 'max') ?? (Number(bench.state[parameter.name]) > usual ? most : usual);
    const step = numberAttribute(this, 'step') ?? parameter.step ?? 1;
    const values = bench.headwise && parameter.allowed?.(bench.headwise, bench.state);
    return { values: values?.filter((value) => value >= min && value <= max), min, max, step };
  }

  private slider(bench: BenchElement, parameter: Parameter): TemplateResult {
    const { values, min, max, step } = this.bounds(bench, parameter);
    const value = Number(bench.state[parameter.name]);
    const shown = value === 0 && parameter.zeroMeans ? parameter.zeroMeans : String(value);
    // With a list of values the slider moves along the list.
    const [first, last, by] = values ? [0, values.length - 1, 1] : [min, max, step];
    const place = values ? values.indexOf(value) : value;
    const move = (to: number) => {
      const next = onGrid(Math.min(Math.max(to, first), last), first, by);
      const wanted = values ? values[next] : next;
      if (wanted !== undefined) bench.set(parameter.name, wanted);
    };
    const moved = (event: Event) => move(Number((event.target as HTMLInputElement).value));
    const isFine = (last - first) / by > mostSliderSteps;
    const input = isFine
      ? html`<input
          id=${this.inputId}
          type="number"
          inputmode="numeric"
          min=${first}
          max=${last}
          step=${by}
          .value=${String(place)}
          @change=${moved}
        />`
      : html`<input
          id=${this.inputId}
          type="range"
          min=${first}
          max=${last}
          step=${by}
          .value=${String(place)}
          style="--fill: ${last > first ? ((place - first) / (last - first)) * 100 : 0}%"
          aria-valuetext=${shown}
          @input=${moved}
        />`;
    const button = (sign: string, more: string, isOff: boolean, change: number) =>
      html`<button
        type="button"
        class="stepper"
        aria-label="${this.label(parameter)}: ${more}"
        ?disabled=${isOff}
        @click=${() => move(place + change)}
      >
        ${sign}
      </button>`;
    return html`
      <div class="control">
        <label for=${this.inputId}>${this.label(parameter)}</label>
        <output class="control-value" for=${this.inputId} translate="no"
          >${isFine && shown === String(value) ? '' : shown}</output
        >
        <div class="control-slider">
          ${button('−', 'less', place <= first, -by)}${input}${button('+', 'more', place >= last, by)}
        </div>
      </div>
    `;
  }

  private seed(bench: BenchElement, parameter: Parameter): TemplateResult {
    const { min, max } = boundsOf(parameter);
    return html`
      <div class="control">
        <label for=${this.inputId}>${this.label(parameter)}</label>
        <div class="control-slider">
          <input
            id=${this.inputId}
            type="number"
            inputmode="numeric"
            min=${min}
            max=${max}
            .value=${bench.valueText(parameter.name)}
            title=${parameter.help ?? ''}
            @change=${(event: Event) => bench.set(parameter.name, (event.target as HTMLInputElement).value)}
          />
          <button type="button" class="wide" @click=${() => bench.advance(parameter.name)}>New numbers</button>
        </div>
      </div>
    `;
  }

  private choice(bench: BenchElement, parameter: Parameter): TemplateResult {
    const value = bench.state[parameter.name];
    const chosen = parameter.choices?.find((choice) => choice.value === value);
    return html`
      <fieldset class="control segmented">
        <legend>${this.label(parameter)}</legend>
        <div class="segments">
          ${parameter.choices?.map(
            (choice) => html`
              <label>
                <input
                  type="radio"
                  name=${this.inputId}
                  .value=${choice.value}
                  .checked=${choice.value === value}
                  @change=${() => bench.set(parameter.name, choice.value)}
                />
                <span>${choice.label}</span>
              </label>
            `,
          )}
        </div>
        ${chosen?.help ? html`<p class="control-help" .textContent=${chosen.help}></p>` : nothing}
      </fieldset>
    `;
  }

  private flag(bench: BenchElement, parameter: Parameter): TemplateResult {
    return html`
      <div class="control">
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            .checked=${bench.state[parameter.name] === true}
            @change=${(event: Event) => bench.set(parameter.name, (event.target as HTMLInputElement).checked)}
          />
          <span>${this.label(parameter)}</span>
        </label>
      </div>
    `;
  }

  private field(bench: BenchElement, parameter: Parameter): TemplateResult {
    // While someone types, what they typed stands, not what was read from it.
    const input = this.querySelector('input');
    const typing = input !== null && document.activeElement === input;
    const value = typing ? input.value : bench.valueText(parameter.name);
    return html`
      <div class="control">
        <label for=${this.inputId}>${this.label(parameter)}</label>
        <input
          id=${this.inputId}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          .value=${value}
          @input=${(event: Event) => bench.set(parameter.name, (event.target as HTMLInputElement).value)}
          @blur=${() => this.requestUpdate()}
        />
        ${parameter.help ? html`<p class="control-help">${parameter.help}</p>` : nothing}
      </div>
    `;
  }
}

export class ControlsElement extends ControlBase {
  protected override render(): TemplateResult {
    const names = (this.getAttribute('names') ?? '').split(/\s+/).filter((name) => name !== '');
    const visible = names.filter((name) => !host().state.hiddenControls().has(name));
    this.hidden = visible.length === 0;
    return html`
      <div class="controls" role="group" aria-label=${this.getAttribute('label') ?? 'Settings'}>
        ${names.map((name) => html`<hw-control name=${name}></hw-control>`)}
        <button
          type="button"
          class="quiet"
          ?disabled=${!this.bench?.changed || !this.bench.canCompute}
          @click=${() => this.bench?.reset()}
        >
          Reset
        </button>
      </div>
    `;
  }
}
