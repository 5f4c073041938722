// <hw-equation>: matrices and signs as one line that breaks well, with one colour range and one legend.

import { render } from 'lit';
import { legendTemplate } from '../matrix/legend.ts';
import { place } from '../matrix/layout.ts';
import { MatrixElement } from '../matrix/matrix-element.ts';
import { keepFromTranslator } from '../figure-element.ts';
import { watchWidth } from '../width.ts';

export class EquationElement extends HTMLElement {
  private width = 0;
  private stopWatching: (() => void) | undefined;
  private legend: HTMLElement | undefined;
  private pending = false;
  private legendDrawn = false;
  private built = false;

  connectedCallback(): void {
    if (!this.built) this.build();
    this.addEventListener('hw-drawn', this.drawn);
    this.stopWatching = watchWidth(this, (width) => {
      this.width = width;
      this.layOut();
    });
  }

  disconnectedCallback(): void {
    this.removeEventListener('hw-drawn', this.drawn);
    this.stopWatching?.();
  }

  private get matrices(): MatrixElement[] {
    return [...this.querySelectorAll('hw-matrix')].filter((matrix) => matrix instanceof MatrixElement);
  }

  // A sign belongs to the matrix after it, so that no line ends in one.
  private build(): void {
    this.built = true;
    for (const matrix of this.querySelectorAll('hw-matrix')) {
      let sign = '';
      for (let before = matrix.previousSibling; before && before.nodeName !== 'HW-MATRIX';) {
        const node = before;
        before = before.previousSibling;
        if (node instanceof Text || node.nodeName === 'HW-OPERATOR') {
          sign = `${node.textContent?.trim() ?? ''} ${sign}`.trim();
          node.remove();
        }
      }
      if (!(matrix instanceof MatrixElement)) continue;
      matrix.lead = sign;
      if (sign) {
        // Until the matrix is drawn, beside what the build put there.
        const operator = document.createElement('hw-operator');
        operator.textContent = sign;
        matrix.querySelector('.term')?.prepend(operator);
      }
    }
    // The build has made both, unless the lesson was changed by a program.
    this.legend = this.querySelector<HTMLElement>('.equation-legend') ?? undefined;
    if (!this.legend && this.getAttribute('legend') !== 'none') {
      this.legend = document.createElement('div');
      this.legend.className = 'equation-legend';
      this.append(this.legend);
    }
    if (this.legend) keepFromTranslator(this.legend);
    const caption = this.getAttribute('caption');
    if (caption && !this.querySelector('.equation-caption')) {
      const text = document.createElement('p');
      text.className = 'equation-caption';
      text.textContent = caption;
      this.append(text);
    }
  }

  // Once for all matrices that were drawn in this frame.
  private readonly drawn = (): void => {
    if (this.pending) return;
    this.pending = true;
    queueMicrotask(() => {
      this.pending = false;
      this.layOut();
      if (this.legend && !this.legendDrawn) this.legend.replaceChildren();
      this.legendDrawn = true;
      if (this.legend) render(legendTemplate(this.matrices.flatMap((matrix) => matrix.drawn)), this.legend);
    });
  };

  private layOut(): void {
    if (this.width === 0) return;
    const matrices = this.matrices;
    const terms = matrices.map((matrix) => matrix.terms());
    const sizes = place(terms.flat(), this.width);
    this.toggleAttribute('data-heads', this.querySelector('thead') !== null);
    let at = 0;
    matrices.forEach((matrix, index) => {
      const count = terms[index]?.length ?? 0;
      matrix.setSizes(sizes.slice(at, at + count));
      at += count;
    });
  }
}

/** A sign between matrices. */
export class OperatorElement extends HTMLElement {}
