// What is wrong with an element as a whole: an exercise, a prediction, a row of choices, an editor.

import { conditionHolds } from '../../bench/conditions.ts';
import { slotChoices } from '../../tasks/slot-choices.ts';
import type { AuthoredElement } from '../markup-check.ts';
import { layerFault } from './attributes.ts';
import { around, attribute, exerciseKind } from './authored.ts';
import type { LessonBench } from './benches.ts';
import { conditionFault } from './conditions.ts';
import type { Belonging, LessonCheck } from './lesson.ts';

const owners = ['hw-prediction', 'hw-exercise', 'hw-choices'];

function optionsOf(lesson: LessonCheck, element: AuthoredElement): AuthoredElement[] {
  return lesson.all('hw-option').filter((option) => around(option, ...owners) === element);
}

function answersFault(
  lesson: LessonCheck,
  element: AuthoredElement,
  bench: LessonBench | undefined,
): string | undefined {
  const options = optionsOf(lesson, element);
  if (options.length === 0) return `<${element.name}> has no answers to choose from; write them as <hw-option>`;
  const conditions = options.flatMap((option) => attribute(option, 'correct-when') ?? []);
  if (options.some((option) => attribute(option, 'correct') !== undefined)) return undefined;
  if (conditions.length === 0)
    return `none of the answers is marked as right; write <hw-option correct> or <hw-option correct-when="…">`;
  // What cannot be read is told at its own place.
  if (!bench || conditions.some((condition) => conditionFault(bench, bench.results, condition))) return undefined;
  if (conditions.some((condition) => conditionHolds(bench.results, condition))) return undefined;
  return 'none of the answers is right as the bench starts; check their correct-when';
}

function isDrawn(lesson: LessonCheck, path: string, bench: LessonBench): boolean {
  const own = lesson.elements.filter((element) => lesson.benchOf(element) === bench);
  return own.some((element) => {
    const [of, each] = [attribute(element, 'of') ?? '', attribute(element, 'each')];
    if (element.name === 'hw-comparison')
      return [attribute(element, 'left'), attribute(element, 'right')].includes(path);
    if (element.name === 'hw-layouts') return path.startsWith('layouts.');
    if (element.name !== 'hw-matrix') return false;
    return each === undefined ? of === path : path.startsWith(`${each}[`) && path.endsWith(of === '' ? ']' : `].${of}`);
  });
}

const needs: Readonly<Record<string, readonly string[]>> = {
  number: ['answer-of'],
  shape: ['answer-of'],
  cell: ['in'],
  condition: ['passes-when'],
  line: ['answer'],
};

function slotsOf(lesson: LessonCheck, element: AuthoredElement): AuthoredElement[] {
  return lesson.all('hw-slot').filter((slot) => around(slot, 'hw-exercise') === element);
}

function slotFaults(lesson: LessonCheck, element: AuthoredElement): string[] {
  const slots = slotsOf(lesson, element);
  if (slots.length === 0) return ['there is no gap to fill; write <hw-slot choices="d; d/M" answer="d"></hw-slot>'];
  return slots.flatMap((slot) => {
    const choices = slotChoices(attribute(slot, 'choices') ?? '');
    const right = attribute(slot, 'answer') ?? '';
    return choices.includes(right) ? [] : [`the answer "${right}" is not among the choices of its gap`];
  });
}

function lineFaults(lesson: LessonCheck, element: AuthoredElement): string[] {
  const { listing } = element;
  if (listing === undefined) return ['there is no listing to choose a line of; write one between ``` and ```'];
  const asked = [element, ...lesson.all('hw-feedback').filter((reply) => around(reply, 'hw-exercise') === element)];
  return asked.flatMap((one) => {
    const line = attribute(one, one === element ? 'answer' : 'when') ?? '';
    return /^[1-9]\d*$/.test(line) && Number(line) <= listing
      ? []
      : [`there is no line ${line}; the listing has ${listing}`];
  });
}

/** A slip fills the gaps in their order; "…" stands for any. */
function slotSlipFault(lesson: LessonCheck, element: AuthoredElement): string | undefined {
  const exercise = around(element, 'hw-exercise');
  const slots = exercise ? slotsOf(lesson, exercise) : [];
  const slip = slotChoices(attribute(element, 'when') ?? '');
  if (slip.length !== slots.length) return `this fills ${slip.length} gaps, and there are ${slots.length}`;
  const wrong = slip.find(
    (choice, at) => choice !== '…' && !slotChoices(attribute(slots[at]!, 'choices') ?? '').includes(choice),
  );
  return wrong === undefined ? undefined : `"${wrong}" is not among the choices of its gap`;
}

function exerciseFaults(lesson: LessonCheck, element: AuthoredElement, bench: LessonBench | undefined): string[] {
  const kind = exerciseKind(element) ?? '';
  const has = (name: string) => attribute(element, name) !== undefined;
  const lacking = (needs[kind] ?? []).filter((name) => !has(name));
  if (kind === 'cell' && !has('answer') && !has('answer-of')) lacking.push('answer or answer-of');
  const faults = lacking.map((name) => `an exercise of kind ${kind} lacks its ${name}`);
  if (kind === 'order' && optionsOf(lesson, element).length < 3)
    faults.push('there are fewer than three steps to put in order; write them as <hw-option>, in the right order');
  if (kind === 'slots') faults.push(...slotFaults(lesson, element));
  if (kind === 'line') faults.push(...lineFaults(lesson, element));
  if (kind === 'choice') faults.push(...[answersFault(lesson, element, bench) ?? []].flat());
  const matrix = attribute(element, 'in');
  if (kind === 'cell' && matrix !== undefined && bench && !isDrawn(lesson, matrix, bench))
    faults.push(
      `no figure of this bench draws ${matrix}, so that no cell of it can be chosen; add <hw-matrix of="${matrix}">`,
    );
  return faults;
}

function feedbackFault(lesson: LessonCheck, element: AuthoredElement): string | undefined {
  const kind = exerciseKind(element);
  const isPath = attribute(element, 'when-is') !== undefined;
  if (kind === 'choice')
    return 'an exercise of kind choice shows no hw-feedback; write <hw-reason> inside the <hw-option> that it is about';
  if (kind === 'order')
    return 'an exercise of kind order shows no hw-feedback: it says how many of the steps stand where they belong';
  if (isPath && kind !== 'number' && kind !== 'shape')
    return `when-is belongs to an exercise of kind number or shape, and this one is of kind ${kind}; write when="…"`;
  if (!isPath && attribute(element, 'when') === undefined)
    return '<hw-feedback> lacks the wrong answer that it is about; write when="…" or when-is="its path"';
  if (kind === 'slots') return slotSlipFault(lesson, element);
  return undefined;
}

/** A sentence each. */
export function wholeFaults(lesson: LessonCheck, element: AuthoredElement, belongsTo: Belonging): string[] {
  const bench = typeof belongsTo === 'object' ? belongsTo : undefined;
  switch (element.name) {
    case 'hw-exercise':
      return exerciseFaults(lesson, element, bench);
    case 'hw-prediction':
      return [answersFault(lesson, element, bench) ?? []].flat();
    case 'hw-feedback':
      return [feedbackFault(lesson, element) ?? []].flat();
    case 'hw-option': {
      const isChoice = around(element, ...owners)?.name === 'hw-choices';
      const lacks = isChoice && attribute(element, 'value') === undefined;
      return lacks ? ['<hw-option> in hw-choices lacks its value; write value="…", what it sets'] : [];
    }
    case 'hw-choices': {
      const set = bench?.recipe.parameters.find(({ name }) => name === attribute(element, 'set'));
      const empty = set && !set.choices && optionsOf(lesson, element).length === 0;
      return empty ? [`${set.name} has no choices of its own; write them as <hw-option value="…">`] : [];
    }
    case 'hw-editor': {
      if (!bench || attribute(element, 'of') !== undefined) return [];
      const fault = layerFault(bench.results, 'single');
      return fault === undefined ? [] : [`<hw-editor> edits the layer "single", where of="…" names no other: ${fault}`];
    }
    default:
      return [];
  }
}
