// Counts as formulas, with the layer's sizes in the place of their letters: each term as the engine gives it.

import type { CostCountName, CostTerm, LayerCost } from 'headwise';
import { html, type TemplateResult } from 'lit';
import { groupThousands } from '../../text/format.ts';

const titles: Readonly<Record<CostCountName, string>> = {
  parameters: 'Parameters',
  multiplyAdds: 'Multiply-adds',
  softmaxTerms: 'Softmax terms',
  tanhTerms: 'tanh',
  mapNumbers: 'Numbers in maps',
  cacheNumbersPerToken: 'Numbers kept of each token',
};

const stages: Readonly<Record<string, string>> = {
  queries: 'project queries',
  keys: 'project keys',
  values: 'project values',
  scores: 'scores',
  weightedSum: 'weighted sum',
  output: 'output matrix',
  attentionWeights: 'each map',
};

function stageOf({ count, of }: CostTerm): TemplateResult {
  const [letter = '', index] = of.split('_');
  if (index !== undefined) return html`${letter}<sup>${index}</sup>`;
  return html`${count === 'cacheNumbersPerToken' ? of : (stages[of] ?? of)}`;
}

function symbolOf(symbol: string): TemplateResult {
  const [letter = '', index] = symbol.split('_');
  return html`<i>${letter}</i>${index === undefined ? '' : html`<sub>${index}</sub>`}`;
}

export function formulasTemplate(cost: LayerCost, counts: readonly CostCountName[]): TemplateResult {
  const product = (pieces: readonly unknown[]) => pieces.map((piece, at) => (at === 0 ? piece : html` · ${piece}`));
  return html`<div class="table costs-formulas">
    <table>
      ${counts.map((count) => {
        const terms = cost.terms.filter((term) => term.count === count);
        return html`<tbody data-count=${count}>
          <tr>
            <th scope="rowgroup" colspan="3">${titles[count]}</th>
            <td>${groupThousands(cost[count])}</td>
          </tr>
          ${terms.map(
            (term) =>
              html`<tr>
                <th scope="row">${stageOf(term)}</th>
                <td>${product(term.factors.map(({ symbol }) => symbolOf(symbol)))}</td>
                <td>${product(term.factors.map(({ size }) => groupThousands(size)))}</td>
                <td>${groupThousands(term.value)}</td>
              </tr>`,
          )}
        </tbody>`;
      })}
    </table>
  </div>`;
}
