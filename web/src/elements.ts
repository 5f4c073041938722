// Every element. The bench first and containers before what they hold, since each finds the ones around it when it connects.

import { BenchElement } from './bench/bench-element.ts';
import { ChoicesElement } from './controls/choices-element.ts';
import { CodeElement } from './figures/code/code-element.ts';
import { ComparisonElement } from './figures/comparison/comparison-element.ts';
import { differenceFigure } from './figures/comparison/difference.ts';
import { CostsElement } from './figures/costs/costs-element.ts';
import { TimingElement } from './figures/costs/timing-element.ts';
import { PartnersElement } from './figures/partners/partners-element.ts';
import { drawnBy } from './figures/figure-element.ts';
import { HandleElement } from './figures/handle/handle-element.ts';
import { histogramFigure } from './figures/histogram/histogram.ts';
import { layoutsFigure } from './figures/layouts/layouts.ts';
import { MicroscopeElement } from './figures/microscope/microscope-element.ts';
import { ControlElement, ControlsElement } from './controls/control-element.ts';
import { EditorElement } from './controls/editor-element.ts';
import { EquationElement, OperatorElement } from './figures/equation/equation-element.ts';
import { ExerciseElement, FeedbackElement, HintElement } from './tasks/exercise-element.ts';
import { provideHost, type Host } from './host.ts';
import { CoveredElement } from './text/covered-element.ts';
import { NumberElement, ShapeElement, TextElement, WhenElement } from './text/inline-elements.ts';
import type { ElementName } from './markup.ts';
import { MatrixElement } from './figures/matrix/matrix-element.ts';
import { SlotElement } from './tasks/kinds/slots.ts';
import { OptionElement, ReasonElement } from './tasks/options.ts';
import { PredictionElement } from './tasks/prediction-element.ts';
import { ProductElement } from './figures/product/product-element.ts';
import { ProjectionElement } from './figures/projection/projection-element.ts';
import { RowElement } from './figures/row/row-element.ts';
import { ShapesElement } from './figures/shapes/shapes-element.ts';
import { TrainingElement } from './training/training-element.ts';

const elements: Readonly<Record<ElementName, CustomElementConstructor>> = {
  'hw-bench': BenchElement,
  'hw-controls': ControlsElement,
  'hw-control': ControlElement,
  'hw-matrix': MatrixElement,
  'hw-equation': EquationElement,
  'hw-operator': OperatorElement,
  'hw-difference': drawnBy(differenceFigure),
  'hw-comparison': ComparisonElement,
  'hw-product': ProductElement,
  'hw-shapes': ShapesElement,
  'hw-histogram': drawnBy(histogramFigure),
  'hw-code': CodeElement,
  'hw-handle': HandleElement,
  'hw-row': RowElement,
  'hw-projection': ProjectionElement,
  'hw-costs': CostsElement,
  'hw-timing': TimingElement,
  'hw-partners': PartnersElement,
  'hw-layouts': drawnBy(layoutsFigure),
  'hw-microscope': MicroscopeElement,
  'hw-editor': EditorElement,
  'hw-training': TrainingElement,
  'hw-number': NumberElement,
  'hw-shape': ShapeElement,
  'hw-text': TextElement,
  'hw-when': WhenElement,
  'hw-covered': CoveredElement,
  'hw-choices': ChoicesElement,
  'hw-prediction': PredictionElement,
  'hw-exercise': ExerciseElement,
  'hw-option': OptionElement,
  'hw-reason': ReasonElement,
  'hw-hint': HintElement,
  'hw-feedback': FeedbackElement,
  'hw-slot': SlotElement,
};

/** Registers them, and so starts those that are in the document. They ask `host` for what they need; without one they look after themselves. */
export function defineElements(host?: Host): void {
  if (host) provideHost(host);
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
