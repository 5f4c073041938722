// <hw-editor>: changes the weights of a bench with an `edits` parameter: single cells, or whole blocks at once.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatEdits, mostEdits, parseEdits, withEdit, type Edit, type EditableName } from '../bench/edits.ts';
import { fixed, parseNumber } from '../text/format.ts';
import { isMatrix, resolvePath } from '../bench/results.ts';
import type { BenchElement } from '../bench/bench-element.ts';
import type { DrawnCell } from '../figures/matrix/cell-pointer.ts';
import { onEnter } from '../tasks/fields.ts';
import { benchOf, keepFromTranslator } from '../figures/figure-element.ts';
import { mostMembers } from '../figures/matrix/grid.ts';
import { labelTemplate } from '../figures/label.ts';

type Weight = Exclude<EditableName, 'o' | 'x'>;
const weights: readonly { name: Weight; label: string; tone: string }[] = [
  { name: 'q', label: 'W_q', tone: 'query' },
  { name: 'k', label: 'W_k', tone: 'key' },
  { name: 'v', label: 'W_v', tone: 'value' },
];

export class EditorElement extends LitElement {
  private bench: BenchElement | undefined;
  private stop: (() => void) | undefined;
  private matrix: Weight = 'q';
  private block = 0;
  private cell: { row: number; column: number } | undefined;
  private wrong = '';

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    keepFromTranslator(this);
    this.bench = benchOf(this);
    this.stop = this.bench?.listen((news) => {
      if (news !== 'selection') this.requestUpdate();
    });
    // The same function again, after a move, is not a second listener.
    this.addEventListener('hw-cell', this.cellChosen);
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.();
  }

  private readonly cellChosen = (event: Event): void => {
    const { row, column } = (event as CustomEvent<DrawnCell>).detail;
    this.cell = { row, column };
    this.wrong = '';
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const field = this.querySelector<HTMLInputElement>('.cell-value');
      field?.focus();
      field?.select();
    });
  };

  private get edits(): Edit[] {
    return parseEdits(String(this.bench?.state.edits ?? ''));
  }

  private get layer(): string {
    return this.getAttribute('of') ?? 'single';
  }

  private get path(): string {
    return `${this.layer}.weights.W_${this.matrix}[0]`;
  }

  private get blockCount(): number {
    return Number(this.bench?.state.heads ?? 1);
  }

  private put(edits: readonly Edit[]): void {
    this.wrong = '';
    this.bench?.set('edits', formatEdits(edits));
  }

  private add(edit: Edit): void {
    const edits = withEdit(this.edits, edit);
    if (edits.length <= mostEdits) {
      this.put(edits);
      return;
    }
    this.wrong = `These are ${mostEdits} changes already, and an address holds no more. Undo some first.`;
    this.requestUpdate();
  }

  private field(selector: string): string {
    return this.querySelector<HTMLInputElement | HTMLSelectElement>(selector)?.value ?? '';
  }

  private number(selector: string): number | undefined {
    const value = parseNumber(this.field(selector));
    this.wrong = value === undefined ? 'That does not read as a number.' : '';
    if (value === undefined) this.requestUpdate();
    return value;
  }

  private readonly setCell = (): void => {
    const value = this.number('.cell-value');
    if (value !== undefined && this.cell) this.add({ kind: 'cell', matrix: this.matrix, ...this.cell, value });
  };

  private readonly multiply = (): void => {
    const factor = this.number('.factor');
    if (factor !== undefined) this.add({ kind: 'times', to: { matrix: this.matrix, block: this.block }, factor });
  };

  private copy(): void {
    const [matrix, block] = this.field('.copy-from').split('/');
    this.add({
      kind: 'copy',
      to: { matrix: this.matrix, block: this.block },
      from: { matrix: matrix as Weight, block: Number(block) },
    });
  }

  protected override render(): TemplateResult {
    this.block = Math.min(this.block, this.blockCount - 1);
    const edits = this.edits;
    const blocks = [...Array(Math.min(this.blockCount, mostMembers)).keys()];
    const more = this.blockCount - blocks.length;
    return html`<fieldset class="editor" role="presentation" ?disabled=${this.bench?.canCompute === false}>
      <div class="segments" role="group" aria-label="Matrix">
        ${weights.map(
          ({ name, label, tone }) =>
            html`<button
              type="button"
              aria-pressed=${name === this.matrix ? 'true' : 'false'}
              @click=${() => this.choose(name)}
            >
              <span class=${name === this.matrix ? '' : `role-${tone}`}>${labelTemplate(label)}</span>
            </button>`,
        )}
      </div>
      ${weights.map(
        ({ name, label }) =>
          html`<hw-matrix
            ?hidden=${name !== this.matrix}
            of="${this.layer}.weights.W_${name}[0]"
            label=${label}
            blocks="multi.heads"
          ></hw-matrix>`,
      )}
      ${this.cellTemplate()}
      <fieldset class="block-tools">
        <legend>A whole block</legend>
        <div class="segments" role="group" aria-label="Block">
          ${blocks.map(
            (block) =>
              html`<button
                type="button"
                aria-pressed=${block === this.block ? 'true' : 'false'}
                @click=${() => this.chooseBlock(block)}
              >
                block ${block + 1}
              </button>`,
          )}
        </div>
        ${more > 0 ? html`<p class="control-help">and ${more} more blocks, which only an address can change</p>` : nothing}
        <div class="answer">
          <button
            type="button"
            @click=${() => this.add({ kind: 'zero', to: { matrix: this.matrix, block: this.block } })}
          >
            Set to 0
          </button>
          <span class="answer">
            <button type="button" @click=${this.multiply}>Multiply by</button>
            <input
              class="factor size"
              type="text"
              aria-label="Factor"
              value="0.5"
              autocomplete="off"
              enterkeyhint="done"
              @keydown=${onEnter(this.multiply)}
            />
          </span>
          <span class="answer">
            <button type="button" @click=${() => this.copy()}>Copy from</button>
            <select class="copy-from" aria-label="Block to copy from">
              ${weights.flatMap(({ name }) =>
                blocks
                  .filter((block) => name !== this.matrix || block !== this.block)
                  .map((block) => html`<option value="${name}/${block}">W_${name}, block ${block + 1}</option>`),
              )}
            </select>
          </span>
        </div>
      </fieldset>
      <div aria-live="polite">${this.wrong ? html`<p class="author-error">${this.wrong}</p>` : nothing}</div>
      <ol class="edits" aria-label="Changes, in order">
        ${edits.map((edit) => html`<li>${sentence(edit)}</li>`)}
      </ol>
      <div class="answer">
        <button
          type="button"
          class="quiet"
          ?disabled=${edits.length === 0}
          @click=${() => this.put(edits.slice(0, -1))}
        >
          Undo
        </button>
        <button type="button" class="quiet" ?disabled=${edits.length === 0} @click=${() => this.put([])}>
          Undo all
        </button>
      </div>
    </fieldset>`;
  }

  private cellTemplate(): TemplateResult {
    const matrix = this.bench?.read((results) => resolvePath(results, this.path));
    const cell = this.cell;
    if (!cell || !isMatrix(matrix) || cell.row >= matrix.rows || cell.column >= matrix.columns) {
      return html`<p class="control-help">
        Choose a cell (click, or arrow keys and Enter) to type another number into it.
      </p>`;
    }
    const value = matrix.data[cell.row * matrix.columns + cell.column] ?? 0;
    return html`<div class="answer">
      <label
        >Row ${cell.row + 1}, column ${cell.column + 1}:
        <input
          class="cell-value number"
          type="text"
          autocomplete="off"
          enterkeyhint="done"
          .value=${fixed(value, 3)}
          @keydown=${onEnter(this.setCell)}
      /></label>
      <button type="button" @click=${this.setCell}>Set</button>
    </div>`;
  }

  private choose(name: Weight): void {
    this.matrix = name;
    this.cell = undefined;
    this.requestUpdate();
  }

  private chooseBlock(block: number): void {
    this.block = block;
    this.requestUpdate();
  }
}

function sentence(edit: Edit): TemplateResult {
  const name = (matrix: string) => html`${labelTemplate(matrix === 'x' ? 'H' : `W_${matrix}`)}`;
  switch (edit.kind) {
    case 'cell':
      return html`${name(edit.matrix)}, row ${edit.row + 1}, column ${edit.column + 1} = ${edit.value}`;
    case 'zero':
      return html`${name(edit.to.matrix)}, block ${edit.to.block + 1} = 0`;
    case 'copy':
      return html`${name(edit.to.matrix)}, block ${edit.to.block + 1} = ${name(edit.from.matrix)}, block
      ${edit.from.block + 1}`;
    case 'times':
      return html`${name(edit.to.matrix)}, block ${edit.to.block + 1} times ${edit.factor}`;
  }
}
