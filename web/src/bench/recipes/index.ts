// Every recipe a bench may name.

import type { Recipe } from '../parameters.ts';
import { costsRecipe } from './costs.ts';
import { headRecipe } from './head.ts';
import { layerRecipe } from './layer.ts';
import { scaleRecipe } from './scale.ts';
import { shapesRecipe } from './shapes.ts';
import { sharingRecipe } from './sharing.ts';
import { splitRecipe } from './split.ts';
import { trainingRecipe } from './training.ts';

export const recipes: ReadonlyMap<string, Recipe> = new Map(
  [layerRecipe, headRecipe, splitRecipe, shapesRecipe, scaleRecipe, sharingRecipe, trainingRecipe, costsRecipe].map(
    (recipe) => [recipe.name, recipe],
  ),
);
