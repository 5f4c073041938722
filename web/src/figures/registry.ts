// Every figure that can be drawn from results and attributes alone, by the name of its element. The page's elements add what a reader does.

import { costsFigure } from './costs/costs.ts';
import { comparisonFigure } from './comparison/comparison.ts';
import { differenceFigure } from './comparison/difference.ts';
import type { Figure } from './figure.ts';
import { handleFigure } from './handle/handle.ts';
import { histogramFigure } from './histogram/histogram.ts';
import { layoutsFigure } from './layouts/layouts.ts';
import { gridsOf, matrixTemplate } from './matrix/matrix.ts';
import { microscopeFigure } from './microscope/microscope.ts';
import { partnersFigure } from './partners/partners.ts';
import { productFigure } from './product/product.ts';
import { projectionFigure } from './projection/projection.ts';
import { rowFigure } from './row/row.ts';
import { shapesFigure } from './shapes/shapes.ts';

export const figures: ReadonlyMap<string, Figure> = new Map<string, Figure>([
  ['hw-matrix', (context) => matrixTemplate(context, gridsOf(context))],
  ['hw-comparison', comparisonFigure],
  ['hw-difference', differenceFigure],
  ['hw-product', productFigure],
  ['hw-shapes', shapesFigure],
  ['hw-handle', handleFigure],
  ['hw-row', rowFigure],
  ['hw-projection', projectionFigure],
  ['hw-costs', costsFigure],
  ['hw-partners', partnersFigure],
  ['hw-histogram', histogramFigure],
  ['hw-microscope', microscopeFigure],
  ['hw-layouts', layoutsFigure],
]);
