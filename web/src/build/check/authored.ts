// Asking about elements as their author wrote them.

import { nearestName } from 'headwise';
import { exerciseKinds } from '../../markup.ts';
import type { AuthoredElement } from '../markup-check.ts';

export function attribute(element: AuthoredElement, name: string): string | undefined {
  return element.attributes.get(name)?.value;
}

/** The nearest element of one of these names around another. */
export function around(element: AuthoredElement, ...names: readonly string[]): AuthoredElement | undefined {
  let at = element.parent;
  while (at && !names.includes(at.name)) at = at.parent;
  return at;
}

/** What the exercise asks for that an element is or stands in; of a misspelt kind what was meant, so that the rest can be checked. */
export function exerciseKind(element: AuthoredElement): string | undefined {
  const exercise = element.name === 'hw-exercise' ? element : around(element, 'hw-exercise');
  const kind = (exercise && attribute(exercise, 'kind')) ?? 'choice';
  return (exerciseKinds as readonly string[]).includes(kind) ? kind : (nearestName(kind, exerciseKinds) ?? undefined);
}
