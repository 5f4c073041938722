// <hw-costs over>: what heads cost, with a slider along their number.

import { nothing, type TemplateResult } from 'lit';
import type { CostResults } from '../../bench/recipes/costs.ts';
import type { State } from '../../bench/parameters.ts';
import { FigureElement } from '../figure-element.ts';
import { watchTables } from '../scroller.ts';
import { costsTemplate, overOf } from './costs.ts';

export class CostsElement extends FigureElement {
  protected override updated(): void {
    watchTables(this);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { context, bench } = this;
    if (!context || !bench || !('byHeads' in context.results)) return nothing;
    const over = overOf(this.getAttribute('over'));
    return costsTemplate(context.results as unknown as CostResults & { state: State }, over, (values) =>
      bench.setAll(values),
    );
  }
}
