// <hw-choices set="construction">: a row of buttons that set one parameter; the one in force is pressed.

import { host } from '../host.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import { benchOf } from '../figures/figure-element.ts';

export class ChoicesElement extends HTMLElement {
  private bench: BenchElement | undefined;
  private buttons: { button: HTMLButtonElement; value: string }[] = [];
  private stops: (() => void)[] = [];

  connectedCallback(): void {
    this.bench = benchOf(this);
    const stop = this.bench?.listen((news) => {
      if (news !== 'selection') this.refresh();
    });
    this.stops = [host().state.onChange(() => this.refresh()), ...(stop ? [stop] : [])];
    if (this.buttons.length === 0) this.build();
    this.refresh();
  }

  disconnectedCallback(): void {
    for (const stop of this.stops) stop();
  }

  private get parameterName(): string {
    return this.getAttribute('set') ?? '';
  }

  private build(): void {
    const options = [...this.querySelectorAll('hw-option')].map((option) => ({
      value: option.getAttribute('value') ?? option.textContent.trim(),
      content: [...option.childNodes],
    }));
    const own = (this.bench?.parameter(this.parameterName)?.choices ?? []).map((choice) => {
      const help = document.createElement('small');
      help.textContent = choice.help ?? '';
      return { value: choice.value, content: [choice.label, help] };
    });
    const list = document.createElement('div');
    list.className = 'choices';
    list.setAttribute('role', 'group');
    list.setAttribute(
      'aria-label',
      this.getAttribute('label') ?? this.bench?.parameter(this.parameterName)?.label ?? 'Choices',
    );
    this.buttons = (options.length > 0 ? options : own).map(({ value, content }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...content);
      button.addEventListener('click', () => this.bench?.set(this.parameterName, value));
      list.append(button);
      return { button, value };
    });
    this.replaceChildren(list);
  }

  private refresh(): void {
    this.hidden = host().state.hiddenControls().has(this.parameterName);
    const current = this.bench?.valueText(this.parameterName);
    for (const { button, value } of this.buttons) {
      button.setAttribute('aria-pressed', String(value === current));
      button.disabled = this.bench?.canCompute === false;
    }
  }
}
