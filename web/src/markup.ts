// Every element that a lesson may hold, and what its attributes say. The build checks lessons by this table, and a test holds it
// against what the elements read.

/** Roles, by which names, formulas and figures are coloured. */
export const tones = ['input', 'query', 'key', 'value', 'scores', 'attention', 'output'] as const;

/** What a path has to lead to. */
export type Target = 'matrix' | 'list' | 'number' | 'shape' | 'value' | 'comparison' | 'histogram' | 'place';

/** What an attribute holds. */
export type Content =
  /** Words that the learner reads. */
  | { readonly is: 'text' }
  /** Nothing: it is there or not. */
  | { readonly is: 'flag' }
  | { readonly is: 'id' }
  | { readonly is: 'number'; readonly min: number; readonly max?: number; readonly whole?: true }
  | { readonly is: 'choice'; readonly choices: readonly string[] }
  /** `from`: the attribute whose list the path goes on from. */
  | { readonly is: 'path'; readonly to: Target; readonly from?: string }
  /** Path of an exercise's answer; its kind says what that is. */
  | { readonly is: 'answer' }
  | { readonly is: 'condition' }
  /** "2, 3" or "sat, on", in the matrix that attribute `of` names. */
  | { readonly is: 'cell'; readonly of: string }
  /** A number, or the path of a list with as many members. */
  | { readonly is: 'blocks' }
  /** What names rows or columns: one of these, or words separated by commas. */
  | { readonly is: 'naming'; readonly choices: readonly string[] }
  /** Names of shapes with signs between them. */
  | { readonly is: 'shapes' }
  /** "d=d p_q=d/τ" */
  | { readonly is: 'symbols'; readonly choices: readonly string[] }
  /** "1-3: input; 4: heads[0].queries" */
  | { readonly is: 'lines' }
  /** A layer among the results whose weights can be edited. */
  | { readonly is: 'layer' }
  | { readonly is: 'recipe' }
  /** Name of one of the bench's parameters, or of several. */
  | { readonly is: 'parameter' }
  | { readonly is: 'parameters' }
  /** An end or a step of the slider of the parameter that `name` names. */
  | { readonly is: 'bound' }
  /** A value of the parameter that hw-choices sets. */
  | { readonly is: 'value' }
  /** Names of parameters to count up, or settings to go through. */
  | { readonly is: 'another' }
  /** The cell or the line that an exercise asks for. */
  | { readonly is: 'chosen'; readonly of: string }
  /** What a gap can be filled with, semicolons between. */
  | { readonly is: 'gap' }
  /** A wrong answer, as the exercise's kind spells it. */
  | { readonly is: 'slip' }
  /** Where a wrong answer is among the results: a shape's path, or a number's as an expression. */
  | { readonly is: 'slipPath' }
  | { readonly is: 'bench' }
  | { readonly is: 'prediction' }
  /** A name that several matrices have in common. */
  | { readonly is: 'group' };

export interface Attribute {
  readonly holds: Content;
  readonly required?: true;
  /** Belongs only to exercises of these kinds. */
  readonly kinds?: readonly string[];
}

export interface ElementRule {
  /** Stands within a sentence. */
  readonly inline?: true;
  /** Elements of which one has to be around it. */
  readonly within?: readonly string[];
  /** Shows or sets what belongs to a bench, so there has to be one. */
  readonly needsBench?: true;
  /** The only recipe that has what it shows. */
  readonly recipe?: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

const text: Attribute = { holds: { is: 'text' } };
const flag: Attribute = { holds: { is: 'flag' } };
const condition: Attribute = { holds: { is: 'condition' } };
const digits: Attribute = { holds: { is: 'number', min: 0, max: 15, whole: true } };
const ownId: Attribute = { holds: { is: 'id' }, required: true };
const blocks: Attribute = { holds: { is: 'blocks' } };
const bound: Attribute = { holds: { is: 'bound' } };

function path(to: Target): Attribute {
  return { holds: { is: 'path', to } };
}

function choice(...choices: string[]): Attribute {
  return { holds: { is: 'choice', choices } };
}

function naming(...choices: string[]): Attribute {
  return { holds: { is: 'naming', choices } };
}

function required(attribute: Attribute): Attribute {
  return { ...attribute, required: true };
}

function only(kinds: readonly string[], attribute: Attribute): Attribute {
  return { ...attribute, kinds };
}

// Sizes by their symbols; one without its index stands for all.
const sides = ['n', 'n_q', 'n_kv', 'd', 'd_q', 'd_k', 'd_v', 'p', 'p_q', 'p_k', 'p_v', 'p_o', 'h·p', 'h·p_v'];
/** What an exercise can ask for. */
export const exerciseKinds = ['number', 'shape', 'choice', 'cell', 'condition', 'order', 'slots', 'line'] as const;
export type ExerciseKindName = (typeof exerciseKinds)[number];

const rowNames = naming('tokens', 'keyTokens', 'numbers', 'heads', 'none');

export const elementRules = {
  'hw-bench': { attributes: { id: ownId, recipe: { holds: { is: 'recipe' }, required: true } } },
  'hw-controls': {
    needsBench: true,
    attributes: { names: { holds: { is: 'parameters' }, required: true }, label: text },
  },
  'hw-control': {
    needsBench: true,
    attributes: {
      name: { holds: { is: 'parameter' }, required: true },
      label: text,
      min: bound,
      max: bound,
      step: bound,
    },
  },
  'hw-choices': {
    needsBench: true,
    attributes: { set: { holds: { is: 'parameter' }, required: true }, label: text },
  },
  'hw-editor': { needsBench: true, attributes: { of: { holds: { is: 'layer' } } } },
  'hw-matrix': {
    needsBench: true,
    attributes: {
      of: { holds: { is: 'path', to: 'matrix', from: 'each' }, required: true },
      each: path('list'),
      join: text,
      label: text,
      tone: choice(...tones),
      rows: rowNames,
      columns: rowNames,
      scale: choice('signed', 'probability'),
      'range-group': { holds: { is: 'group' } },
      blocks,
      'row-blocks': blocks,
      note: text,
      transposed: flag,
      digits,
      compact: flag,
      legend: flag,
    },
  },
  'hw-equation': { attributes: { legend: choice('none'), caption: text } },
  'hw-operator': { within: ['hw-equation'], attributes: {} },
  'hw-product': { needsBench: true, attributes: { of: path('matrix'), cell: { holds: { is: 'cell', of: 'of' } } } },
  'hw-shapes': {
    needsBench: true,
    attributes: {
      of: { holds: { is: 'shapes' }, required: true },
      symbols: { holds: { is: 'symbols', choices: sides } },
    },
  },
  'hw-difference': { needsBench: true, attributes: { of: required(path('comparison')), label: text } },
  'hw-comparison': {
    needsBench: true,
    attributes: {
      left: required(path('matrix')),
      right: required(path('matrix')),
      'left-label': text,
      'right-label': text,
      blocks,
    },
  },
  'hw-histogram': { needsBench: true, attributes: { of: required(path('histogram')), label: text } },
  'hw-code': { attributes: { lines: { holds: { is: 'lines' } } } },
  'hw-training': { needsBench: true, recipe: 'training', attributes: {} },
  'hw-handle': {
    needsBench: true,
    recipe: 'split',
    attributes: { row: { holds: { is: 'number', min: 0, whole: true } } },
  },
  'hw-row': { needsBench: true, recipe: 'head', attributes: {} },
  'hw-projection': { needsBench: true, recipe: 'shapes', attributes: {} },
  'hw-costs': { needsBench: true, recipe: 'costs', attributes: { over: choice('heads', 'keyValueHeads') } },
  'hw-partners': { needsBench: true, recipe: 'sharing', attributes: { fixed: flag } },
  'hw-timing': { needsBench: true, recipe: 'costs', attributes: {} },
  'hw-layouts': { needsBench: true, recipe: 'layer', attributes: {} },
  'hw-microscope': { needsBench: true, recipe: 'layer', attributes: {} },
  'hw-number': { inline: true, needsBench: true, attributes: { of: required(path('number')), digits } },
  'hw-shape': { inline: true, needsBench: true, attributes: { of: required(path('shape')) } },
  'hw-text': { inline: true, needsBench: true, attributes: { of: required(path('value')) } },
  'hw-when': { inline: true, needsBench: true, attributes: { test: required(condition) } },
  'hw-covered': { needsBench: true, attributes: { until: required(condition), label: text } },
  'hw-prediction': { attributes: { id: ownId, heading: text, question: text } },
  'hw-exercise': {
    attributes: {
      id: ownId,
      kind: choice(...exerciseKinds),
      heading: text,
      'answer-of': only(['number', 'shape', 'cell'], { holds: { is: 'answer' } }),
      answer: only(['cell', 'line'], { holds: { is: 'chosen', of: 'in' } }),
      in: only(['cell'], path('matrix')),
      unlinked: only(['cell'], flag),
      'passes-when': only(['condition'], condition),
      digits: only(['number'], digits),
      within: only(['number'], { holds: { is: 'number', min: 0 } }),
      unit: only(['number'], text),
      another: { holds: { is: 'another' } },
    },
  },
  'hw-option': {
    within: ['hw-prediction', 'hw-exercise', 'hw-choices'],
    attributes: { correct: flag, 'correct-when': condition, value: { holds: { is: 'value' } } },
  },
  'hw-reason': { within: ['hw-option', 'hw-exercise'], attributes: {} },
  'hw-hint': { within: ['hw-exercise'], attributes: {} },
  'hw-feedback': {
    within: ['hw-exercise'],
    attributes: { when: { holds: { is: 'slip' } }, 'when-is': { holds: { is: 'slipPath' } } },
  },
  'hw-slot': {
    inline: true,
    within: ['hw-exercise'],
    attributes: { choices: required({ holds: { is: 'gap' } }), answer: required({ holds: { is: 'gap' } }) },
  },
} as const satisfies Readonly<Record<string, ElementRule>>;

export type ElementName = keyof typeof elementRules;
export const elementNames = Object.keys(elementRules) as readonly ElementName[];

export function ruleOf(name: string): ElementRule | undefined {
  return Object.hasOwn(elementRules, name) ? elementRules[name as ElementName] : undefined;
}

/** What any tag may have besides, plain HTML's as well. */
export const commonAttributes: Readonly<Record<string, Attribute>> = {
  bench: { holds: { is: 'bench' } },
  after: { holds: { is: 'prediction' } },
};

/** Attributes of HTML that make sense on an element of ours; aria-… and data-… besides. */
export const htmlAttributes: readonly string[] = [
  'id',
  'class',
  'title',
  'lang',
  'dir',
  'hidden',
  'translate',
  'role',
  'style',
];
