// What is wrong with an element: where it stands, which attributes it has and lacks, and what they say.

import { attributeName } from '../../bench/parameters.ts';
import {
  commonAttributes,
  htmlAttributes,
  ruleOf,
  type Attribute,
  type Content,
  type ElementRule,
} from '../../markup.ts';
import { advice } from '../faults.ts';
import type { AuthoredElement } from '../markup-check.ts';
import { asksBench, benchFaults, plainFault } from './attributes.ts';
import { around, attribute, exerciseKind } from './authored.ts';
import type { Belonging, LessonCheck } from './lesson.ts';
import { wholeFaults } from './whole.ts';

const intoBench = 'put it inside a hw-bench, or name one with bench="its id"';

function nameFault(lesson: LessonCheck, value: string, of: string): string | undefined {
  const there = lesson.idsOf(of);
  if (there.includes(value)) return undefined;
  if (there.length === 0) return `this is the id of a ${of}, and the lesson has none`;
  return `no ${of} of this lesson has this id; ${advice(value, there, 'the ids are')}`;
}

function groupFault(lesson: LessonCheck, element: AuthoredElement, name: string): string | undefined {
  // The matrices that hw-layouts draws have a group of their own.
  const drawn = lesson.all('hw-layouts').map(() => 'layouts');
  const others = lesson.all('hw-matrix').filter((matrix) => matrix !== element);
  const groups = [...drawn, ...others.flatMap((matrix) => attribute(matrix, name) ?? [])];
  const value = attribute(element, name)!;
  if (groups.includes(value)) return undefined;
  const what = groups.length > 0 ? advice(value, [...new Set(groups)], 'the groups are') : 'give it to another, too';
  return `no other matrix of this lesson has this group; ${what}`;
}

function lessonFault(lesson: LessonCheck, element: AuthoredElement, name: string, holds: Content): string | undefined {
  const value = attribute(element, name)!;
  if (holds.is === 'bench') return nameFault(lesson, value, 'hw-bench');
  if (holds.is === 'prediction') return nameFault(lesson, value, 'hw-prediction');
  if (holds.is === 'group') return groupFault(lesson, element, name);
  return plainFault(holds, value);
}

function checkAttribute(lesson: LessonCheck, element: AuthoredElement, name: string, { holds }: Attribute): void {
  const value = attribute(element, name)!;
  const say = (message: string) => lesson.fail(element, `${name}="${value}": ${message}`, name);
  const fault = lessonFault(lesson, element, name, holds);
  const bench = lesson.benchOf(element);
  if (fault !== undefined) {
    say(fault);
  } else if (bench === 'none') {
    if (asksBench(holds) && !ruleOf(element.name)?.needsBench)
      say(`this asks a bench, and the element is in none; ${intoBench}`);
  } else if (bench !== 'faulty') {
    const settings = lesson.settingsOf(element, bench);
    for (const message of benchFaults(holds, { element, name, value, bench, settings, ids: lesson.ids })) say(message);
  }
}

function checkPlace(lesson: LessonCheck, element: AuthoredElement, rule: ElementRule, bench: Belonging): boolean {
  const { name } = element;
  if (rule.within && !around(element, ...rule.within)) {
    const owners = rule.within.map((owner) => `<${owner}>`).join(' or ');
    lesson.fail(element, `<${name}> stands outside of ${owners}, where it does nothing; put it inside`);
    return false;
  }
  if (rule.needsBench && bench === 'none') lesson.fail(element, `<${name}> is in no bench; ${intoBench}`);
  if (rule.recipe !== undefined && typeof bench === 'object' && bench.recipe.name !== rule.recipe) {
    const has = `this one has "${bench.recipe.name}"`;
    lesson.fail(element, `<${name}> shows what only recipe "${rule.recipe}" has; ${has}. Put it into another bench`);
  }
  return true;
}

// Attributes without an example here are told by their names alone.
const examples: Readonly<Record<string, string>> = {
  id: 'id="…", a name that nothing else in the whole page has',
  recipe: 'recipe="layer"',
  of: 'of="heads[0].queries", the path of what it shows',
  test: 'test="state.mask=causal", a condition',
  names: 'names="heads width seed", the parameters to set',
  name: 'name="heads", the parameter to set',
  set: 'set="mask", the parameter to set',
  left: 'left="single.output", the path of a matrix',
  right: 'right="multi.output", the path of a matrix',
};

function checkLacking(lesson: LessonCheck, element: AuthoredElement, rule: ElementRule): void {
  for (const [name, { required }] of Object.entries(rule.attributes)) {
    const value = attribute(element, name);
    // With `each`, an empty path stands for the members themselves.
    const empty = value?.trim() === '' && !element.attributes.has('each');
    if (required && (value === undefined || empty))
      lesson.fail(element, `<${element.name}> lacks its ${name}; write ${examples[name] ?? `${name}="…"`}`);
  }
}

function checkGiven(lesson: LessonCheck, element: AuthoredElement, rule: ElementRule, bench: Belonging): void {
  const isBench = element.name === 'hw-bench';
  const recipe = isBench && typeof bench === 'object' ? bench.recipe : undefined;
  const parameters = recipe?.parameters.map((parameter) => attributeName(parameter.name)) ?? [];
  const known: Readonly<Record<string, Attribute>> = { ...commonAttributes, ...rule.attributes };
  const kind = exerciseKind(element);
  for (const name of element.attributes.keys()) {
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    if (own) {
      if (own.kinds && kind !== undefined && !own.kinds.includes(kind)) {
        const kinds = own.kinds.join(' or ');
        lesson.fail(element, `${name} belongs to an exercise of kind ${kinds}, and this one is of kind ${kind}`, name);
      } else if (own.required !== true || attribute(element, name)?.trim() !== '' || element.attributes.has('each')) {
        checkAttribute(lesson, element, name, own);
      }
    } else if (
      // Of a faulty bench it is not known which parameters it has.
      !(isBench && (!recipe || parameters.includes(name))) &&
      !htmlAttributes.includes(name) &&
      !/^(?:aria|data)-/.test(name)
    ) {
      const names = [...parameters, ...Object.keys(rule.attributes)];
      const can = names.length > 0 ? advice(name, names, 'it can have') : 'it has none of its own; take it out';
      lesson.fail(element, `<${element.name}> has no attribute ${name}; ${can}`, name);
    }
  }
}

/** Tells the lesson what is wrong with one of its elements. */
export function checkElement(lesson: LessonCheck, element: AuthoredElement): void {
  const rule = ruleOf(element.name);
  if (!rule) {
    // Plain HTML may be covered by a prediction, or name the bench of what is inside.
    for (const [name, common] of Object.entries(commonAttributes))
      if (element.attributes.has(name)) checkAttribute(lesson, element, name, common);
    return;
  }
  const bench = lesson.benchOf(element);
  if (!checkPlace(lesson, element, rule, bench)) return;
  checkLacking(lesson, element, rule);
  checkGiven(lesson, element, rule, bench);
  for (const message of wholeFaults(lesson, element, bench)) lesson.fail(element, message);
}
