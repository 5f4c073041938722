// Registers every element. The bench first and containers before what they hold, since each finds the ones around it when it connects.

import { BenchElement } from './bench.ts';
import { ChoicesElement } from './choices.ts';
import { CodeElement } from './code.ts';
import { ComparisonElement } from './comparison.ts';
import { ControlElement, ControlsElement } from './control.ts';
import { DifferenceElement } from './difference.ts';
import { EditorElement } from './editor.ts';
import { EquationElement, OperatorElement } from './equation.ts';
import { ExerciseElement, FeedbackElement, HintElement } from './exercise.ts';
import { HistogramElement } from './histogram.ts';
import { NumberElement, ShapeElement, TextElement, WhenElement } from './inline.ts';
import { LayoutsElement } from './layouts.ts';
import { MatrixElement } from './matrix.ts';
import { MicroscopeElement } from './microscope.ts';
import { OptionElement, ReasonElement } from './options.ts';
import { PredictionElement } from './prediction.ts';
import { ProductElement } from './product.ts';
import { ShapesElement } from './shapes.ts';
import { TrainingElement } from './training.ts';

const elements: Readonly<Record<string, CustomElementConstructor>> = {
  'hw-bench': BenchElement,
  'hw-controls': ControlsElement,
  'hw-control': ControlElement,
  'hw-matrix': MatrixElement,
  'hw-equation': EquationElement,
  'hw-operator': OperatorElement,
  'hw-difference': DifferenceElement,
  'hw-comparison': ComparisonElement,
  'hw-product': ProductElement,
  'hw-shapes': ShapesElement,
  'hw-histogram': HistogramElement,
  'hw-code': CodeElement,
  'hw-layouts': LayoutsElement,
  'hw-microscope': MicroscopeElement,
  'hw-editor': EditorElement,
  'hw-training': TrainingElement,
  'hw-number': NumberElement,
  'hw-shape': ShapeElement,
  'hw-text': TextElement,
  'hw-when': WhenElement,
  'hw-choices': ChoicesElement,
  'hw-prediction': PredictionElement,
  'hw-exercise': ExerciseElement,
  'hw-option': OptionElement,
  'hw-reason': ReasonElement,
  'hw-hint': HintElement,
  'hw-feedback': FeedbackElement,
};

for (const [name, element] of Object.entries(elements)) {
  if (!customElements.get(name)) customElements.define(name, element);
}
