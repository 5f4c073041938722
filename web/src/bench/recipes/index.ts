// Every recipe a bench may name.

import type { Recipe } from '../parameters.ts';
import { layerRecipe } from './layer.ts';
import { scaleRecipe } from './scale.ts';
import { shapesRecipe } from './shapes.ts';
import { splitRecipe } from './split.ts';

export const recipes: ReadonlyMap<string, Recipe> = new Map(
  [layerRecipe, splitRecipe, shapesRecipe, scaleRecipe].map((recipe) => [recipe.name, recipe]),
);
