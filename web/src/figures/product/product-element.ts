// <hw-product of>: the chosen cell opened, with the numbers put in.

import { nothing, type TemplateResult } from 'lit';
import type { BenchNews, Selection } from '../../bench/bench-element.ts';
import { FigureElement } from '../figure-element.ts';
import { ownCell, workingTemplate } from './product.ts';
import { workingOf } from './working.ts';

export class ProductElement extends FigureElement {
  // What was chosen last stays open when the pointer leaves.
  private shown: Selection | undefined;

  protected override benchChanged(news: BenchNews): void {
    if (news === 'state') return;
    // `of` names the matrix it starts with; the learner's choice leads anywhere there is something to open.
    const { selection, explanation } = this.bench ?? {};
    if (news === 'selection' && !explanation) return;
    if (selection && explanation) this.shown = selection;
    this.requestUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { context, shown } = this;
    if (!context) return nothing;
    const { engine, results, covers } = context;
    const own = ownCell(context);
    // The cell may be gone since the shapes changed.
    const working = shown && workingOf(engine, results, covers, shown.path, shown);
    return workingTemplate(working ?? workingOf(engine, results, covers, own.path, own));
  }
}
