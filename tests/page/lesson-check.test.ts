import { readFileSync } from 'node:fs';
import { loadHeadwise, type Headwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkLesson } from '../../web/src/build/check/lesson.ts';
import { Faults } from '../../web/src/build/faults.ts';
import { renderLesson } from '../../web/src/build/lesson.ts';
import { renderMarkdown } from '../../web/src/build/markdown.ts';

let engine: Headwise;
beforeAll(async () => {
  engine = await loadHeadwise();
});

function fixture(name: string): string {
  return readFileSync(new URL(`faults/${name}`, import.meta.url), 'utf8');
}

/** "5: what is wrong" for a piece of a lesson, in order of line. */
function faultsOf(markdown: string): string[] {
  const faults = new Faults();
  const file = 'a.md';
  const { elements } = renderMarkdown(markdown, { file, firstLine: 1, articleId: 'a', ids: new Map(), faults });
  checkLesson({ file, elements }, engine, faults);
  return faults.list.map(({ line, message }) => `${line}: ${message}`);
}

/** There are these faults and no others. */
function expectFaults(markdown: string, messages: readonly string[]): void {
  const told = faultsOf(markdown);
  expect(told, told.join('\n')).toHaveLength(messages.length);
  messages.forEach((message, index) => expect(told[index]).toContain(message));
}

const whole = (tag: string) => `${tag}</${/hw-\w+/.exec(tag)![0]}>`;
const inLayer = (inside: string) => `<hw-bench id="b" recipe="layer" tokens="the cat sat">\n\n${inside}\n\n</hw-bench>`;

it('the fifteen faults of a lesson are told at once, each on its line', () => {
  const faults = new Faults();
  const file = 'web/lessons/9-fifteen-faults.md';
  const lesson = renderLesson(file, fixture('9-fifteen-faults.md'), { ids: new Map(), faults });
  checkLesson(lesson!, engine, faults);
  expect(() => faults.stop()).toThrow(
    expect.objectContaining({ message: fixture('9-fifteen-faults.txt').trimEnd() }) as Error,
  );
  expect(faults.list).toHaveLength(15);
});

it('the lesson that docs/writing-a-lesson.md begins with has none', () => {
  const document = readFileSync(new URL('../../docs/writing-a-lesson.md', import.meta.url), 'utf8');
  const example = /```markdown\n(---[^]*?)```/.exec(document)![1]!;
  const faults = new Faults();
  const lesson = renderLesson('9-softmax-of-a-sum.md', example, { ids: new Map(), faults });
  checkLesson(lesson!, engine, faults);
  expect(faults.list).toEqual([]);
});

describe('a bench', () => {
  it.each([
    ['recipe="nothing"', 'there is no such recipe; there are layer, head, split, '],
    ['recipe=""', '<hw-bench> lacks its recipe'],
    ['recipe="layer" heads="two"', 'heads="two": this is no whole number'],
    ['recipe="layer" heads="2.5"', 'heads="2.5": this is no whole number'],
    ['recipe="layer" seed="10000"', 'seed="10000": it goes from 0 to 9999'],
    ['recipe="layer" nudge="5"', 'nudge="5": it goes from -4 to 4'],
    ['recipe="layer" nudge=""', 'nudge="": this is no number'],
    ['recipe="layer" biases="yes"', 'biases="yes": it can be on or off'],
    ['recipe="layer" keyTokens="a b"', 'has no attribute keytokens; did you mean "key-tokens"?'],
    ['recipe="layer" tokens="a b c d e f g h i j k l m"', 'these are 13 words; it takes 12 at most'],
    ['recipe="layer" tokens="incomprehensibly"', '"incomprehensibly" is too long; a word has 14 letters at most'],
    ['recipe="layer" heads="5"', 'as this bench starts it cannot be computed: '],
    ['recipe="split" width="6" heads="4"', 'heads="4": beside the other values it can be 1, 2, 3, 6'],
    ['recipe="split" edits="q/9:0"', 'Without effect: q/9:0'],
    ['recipe="split" edits="q.0.0:1,w/1:0"', '"w/1:0" is no edit; write it like q.0.2:1.5, '],
    ['recipe="layer" id="a.b"', 'an id is made of letters, digits and hyphens'],
  ])('is not %s', (attributes, message) => {
    const id = attributes.includes('id=') ? '' : 'id="b" ';
    expectFaults(`<hw-bench ${id}${attributes}></hw-bench>`, [message]);
  });

  it('may have what any element may', () => {
    expectFaults('<hw-bench id="b" recipe="layer" class="wide" data-note="x" aria-label="y"></hw-bench>', []);
  });

  it('with a misspelt recipe is checked by the one that was meant', () => {
    expectFaults('<hw-bench id="b" recipe="spilt">\n<hw-matrix of="singel.input"></hw-matrix>\n</hw-bench>', [
      '1: recipe="spilt": there is no such recipe; did you mean "split"?',
      '2: of="singel.input": there is no result singel; did you mean "single"?',
    ]);
  });

  it('is not said to be impossible because of what stands in for a faulty value', () => {
    expectFaults('<hw-bench id="b" recipe="layer" width="8" heads="40"></hw-bench>', [
      'heads="40": it goes from 1 to 16',
    ]);
  });

  it('tells the line of the attribute, not of the tag', () => {
    expectFaults('<hw-bench id="b"\n  recipe="layer"\n  mask="causual"></hw-bench>', ['3: mask="causual": ']);
  });
});

describe('a path', () => {
  it.each([
    ['<hw-matrix of="head[0].queries">', 'there is no result head; did you mean "heads"?'],
    ['<hw-matrix of="heads.queries">', 'heads is a list of 3; write heads[0].queries for its first member'],
    ['<hw-number of="heads.lenght">', 'heads is a list of 3; did you mean "length"?'],
    ['<hw-matrix of="heads[7].querys">', 'heads[7] has no querys; did you mean "queries"?'],
    ['<hw-matrix of="heads[0]">', 'heads[0] is a group of results (queries, '],
    ['<hw-matrix of="heads[0.queries">', '"heads[0.queries" is no path; write it like heads[0].queries'],
    ['<hw-matrix of="input[0]">', 'input is a matrix of 3 × 12, not a list; take [0] out'],
    ['<hw-matrix of="unheard">', 'there is no result unheard; there are '],
    ['<hw-matrix of="cases">', 'there is no result cases; '],
    ['<hw-matrix of="output(0, 0)">', 'output(0, 0) is a number; here goes the path of a matrix'],
    ['<hw-matrix each="headz" of="queries">', 'each="headz": there is no result headz; did you mean "heads"?'],
    ['<hw-matrix each="heads" of="querries">', 'heads[0] has no querries; did you mean "queries"?'],
    ['<hw-number of="heads[0].queries(dog, 0)">', 'there is no row "dog"; the tokens are the, cat, sat'],
    ['<hw-number of="heads[0].queries(0, 9)">', 'there is no column 9; they are counted from 0 to 3'],
    ['<hw-number of="heads[0].queries(0)">', 'a cell is written as row, column; "0" is not'],
    ['<hw-number of="heads[0].queries(0, 1">', 'is no path; write it like '],
    ['<hw-number of="heads[0].queries">', 'heads[0].queries is a matrix of 3 × 4; here goes the path of a number'],
    ['<hw-number of="state.widht">', 'state has no widht; did you mean "width"?'],
    ['<hw-shape of="heads">', 'heads is a list of 3; here goes the path of a matrix or a shape'],
    ['<hw-text of="dims">', 'here goes the path of a number, a text, a shape or a list of them'],
    ['<hw-difference of="comparison">', 'here goes the path of a comparison, such as comparison.output'],
    ['<hw-histogram of="output">', 'here goes the path of a histogram'],
    ['<hw-shapes of="input · W_x = queries">', 'there is no shape W_x; did you mean "W_q"?'],
    ['<hw-shapes of="input" symbols="pp_k=d/h">', 'no side is called pp_k; did you mean "p_k"?'],
    [
      '<hw-matrix of="input" blocks="hed">',
      'neither a number of blocks nor the path of a list: there is no result hed; ',
    ],
    ['<hw-editor of="singel">', 'there is no result singel; '],
    ['<hw-editor>', '<hw-editor> edits the layer "single", where of="…" names no other: there is no result single'],
  ])('has to lead to what the element shows: %s', (tag, message) => {
    expectFaults(inLayer(whole(tag)), [message]);
  });

  it.each([
    '<hw-matrix of="heads[7].queries">',
    '<hw-matrix each="weights.W_q" of="">',
    '<hw-matrix of="poolings.dot.concatenated" blocks="heads">',
    '<hw-number of="heads[0].queries(the, 0)">',
    '<hw-shape of="shapes.W_q">',
    '<hw-text of="emptyRows">',
    '<hw-shapes of="input · W_q = queries" symbols="d=m p_q=m/τ">',
    '<hw-editor of="">',
  ])('may be %s', (tag) => {
    expectFaults(inLayer(whole(tag)), []);
  });

  it('inside hw-when may lead to what is there with the settings that it asks for', () => {
    const shown = (test: string) =>
      `<hw-bench id="b" recipe="layer" tokens="a b" key-tokens="c">\n<hw-when test="${test}">\n<hw-number of="output(b, 0)"></hw-number>\n<hw-number of="heads[0].rawScores(b, d)"></hw-number>\n</hw-when>\n</hw-bench>`;
    expectFaults(shown('state.mask=causal'), ['4: of="heads[0].rawScores(b, d)": there is no column "d"']);
    expectFaults(shown('state.keyTokens=d'), []);
    expectFaults(shown('state.keyTokens!=d'), ['4: ']);
  });

  it('tells why a result cannot be computed', () => {
    expectFaults(
      '<hw-bench id="b" recipe="layer" width="8" heads="4" key-value-heads="2">\n<hw-matrix of="layouts.interleaved"></hw-matrix>\n</hw-bench>',
      ['2: of="layouts.interleaved": layouts.interleaved cannot be computed: '],
    );
  });
});

describe('an attribute', () => {
  it.each([
    ['<hw-matrix>', '<hw-matrix> lacks its of; write of="heads[0].queries", the path of what it shows'],
    ['<hw-matrix of="">', '<hw-matrix> lacks its of'],
    ['<hw-comparison left="output">', '<hw-comparison> lacks its right; write right="multi.output"'],
    ['<hw-matrix of="input" Digts="2">', '<hw-matrix> has no attribute digts; did you mean "digits"?'],
    ['<hw-microscope of="input">', '<hw-microscope> has no attribute of; it has none of its own; take it out'],
    [
      '<hw-matrix of="input" compact="false">',
      'compact="false": this has no values; write its name alone, or take it out',
    ],
    ['<hw-matrix of="input" digits="many">', 'digits="many": this is no number'],
    ['<hw-matrix of="input" digits="-1">', 'digits="-1": it goes from 0 to 15'],
    ['<hw-matrix of="input" digits="1.5">', 'digits="1.5": this is no whole number'],
    [
      '<hw-matrix of="input" scale="colour">',
      'scale="colour": this is none of its values; it can be signed, probability',
    ],
    ['<hw-matrix of="input" rows="tokns">', 'rows="tokns": did you mean "tokens"?'],
    ['<hw-matrix of="input" range-group="one">', 'no other matrix of this lesson has this group'],
    ['<hw-matrix of="input" bench="bb">', 'bench="bb": no hw-bench of this lesson has this id; did you mean "b"?'],
    ['<hw-matrix of="input" after="bet">', 'after="bet": this is the id of a hw-prediction, and the lesson has none'],
    ['<hw-product cell="sat, dog" of="output">', 'cell="sat, dog": there is no column "dog"'],
    ['<hw-control name="haeds">', 'recipe layer has no parameter haeds; did you mean "heads"?'],
    ['<hw-control name="mask" min="1">', 'min="1": only sliders have one, and mask has none'],
    ['<hw-control name="heads" max="99">', 'max="99": it goes from 1 to 16'],
    ['<hw-control name="nudge" step="0">', 'step="0": a step is a number above 0'],
    ['<hw-choices set="heads">', 'heads has no choices of its own; write them as <hw-option value="…">'],
    ['<hw-equation legend="nine">', 'legend="nine": this is none of its values; did you mean "none"?'],
    ['<hw-training>', '<hw-training> shows what only recipe "training" has; this one has "layer"'],
  ])('%s', (tag, message) => {
    expectFaults(inLayer(whole(tag)), [message]);
  });

  it('of plain HTML is checked where it means something', () => {
    expectFaults(inLayer('<div after="bet" class="side"></div>'), ['after="bet": ']);
  });

  it('of hw-choices', () => {
    expectFaults(
      inLayer(
        '<hw-choices set="mask">\n<hw-option value="casual">x</hw-option>\n<hw-option>y</hw-option>\n</hw-choices>',
      ),
      [
        '4: value="casual": this is none of its values; did you mean "causal"?',
        '5: <hw-option> in hw-choices lacks its value',
      ],
    );
  });

  it('of a listing', () => {
    expectFaults(
      inLayer(
        '<hw-code lines="1: input; two: output; 4: output; 2: heads[0].querys e">\n\n```\na\nb\n```\n\n</hw-code>',
      ),
      [
        '"two: output" is not written like 1-3: heads[0].queries',
        'there is no line 4; the listing has 2',
        'heads[0] has no querys',
        'there is no result e',
      ],
    );
  });

  it('joins matrices', () => {
    const matrix = (group: string) => `<hw-matrix of="input" range-group="${group}"></hw-matrix>\n`;
    expectFaults(inLayer(matrix('both') + matrix('both') + matrix('boht')), ['5: range-group="boht": ']);
    expectFaults(inLayer(`<hw-layouts></hw-layouts>\n${matrix('layouts')}`), []);
  });
});

describe('a condition', () => {
  it.each([
    ['', '<hw-when> lacks its test'],
    ['state.mask', '"state.mask" has no sign and value; write it like heads.length>1'],
    ['state.mask=causual', 'state.mask is never "causual"; did you mean "causal"?'],
    [
      'state.mask=none or state.heads=2',
      'there is a second sign in "none or state.heads=2"; join two conditions with " and "',
    ],
    ['heads.length>=2', '">=" is no sign; the signs are =, !=, < and >'],
    ['heads.length>', 'nothing stands after the >; put a number or a path there'],
    ['heads.length>heads', 'after the > goes a number or the path of one: heads is a list of 3'],
    ['heads.length=many', 'heads.length is a number; "many" is none'],
    ['comparison.fused.equal=yes', 'comparison.fused.equal is true or false; "yes" is neither'],
    ['shapes.W_q=wide', 'shapes.W_q is a shape; write its value like 5 × 3'],
    ['=2', 'nothing stands before the =; put a path there'],
    ['state.mask>2', 'state.mask is the text "none"; > compares numbers'],
    ['heads.length=3 and nothing.here=1', 'there is no result nothing'],
  ])('is not "%s"', (test, message) => {
    expectFaults(inLayer(`<hw-when test="${test}">x</hw-when>`), [message]);
  });

  it.each([
    'state.mask=none and heads.length!=2',
    'heads.length>dims.n_q',
    'shapes.W_q=12 x 4',
    'emptyRows=none',
    'emptyRows.length<1',
  ])('may be "%s"', (test) => expectFaults(inLayer(`<hw-when test="${test}">x</hw-when>`), []));
});

describe('an exercise', () => {
  const exercise = (attributes: string, inside = '') =>
    inLayer(`<hw-exercise id="e" ${attributes}>${inside}</hw-exercise>`);
  const right = '<hw-option correct>a</hw-option>';

  it.each([
    ['kind="number"', '', ['an exercise of kind number lacks its answer-of']],
    ['kind="nubmer" answer-of="output"', '', ['did you mean "number"?', 'here goes the path of a number']],
    [
      'kind="shape" answer-of="output" digits="2"',
      '',
      ['digits belongs to an exercise of kind number, and this one is of kind shape'],
    ],
    [
      'kind="cell" answer-of="output"',
      '',
      ['output is a matrix of 3 × 12; here goes the path of a place', 'lacks its in'],
    ],
    [
      'kind="cell" in="output"',
      '<hw-matrix of="output"></hw-matrix>',
      ['an exercise of kind cell lacks its answer or answer-of'],
    ],
    [
      'kind="cell" in="heads[1].output" answer="0, 12"',
      '<hw-matrix each="heads" of="output"></hw-matrix>',
      ['there is no column 12; they are counted from 0 to 3'],
    ],
    [
      'kind="cell" in="output" answer="0, 1"',
      '',
      ['no figure of this bench draws output, so that no cell of it can be chosen; add <hw-matrix of="output">'],
    ],
    ['kind="condition"', '', ['lacks its passes-when']],
    ['kind="choice"', '', ['<hw-exercise> has no answers to choose from']],
    ['kind="choice"', '<hw-option>a</hw-option>', ['none of the answers is marked as right']],
    [
      '',
      '<hw-option correct-when="heads.length=9">a</hw-option>',
      ['none of the answers is right as the bench starts'],
    ],
    ['', '<hw-option correct="no">a</hw-option>', ['correct="no": this has no values']],
    ['', `${right}<hw-feedback when="1">x</hw-feedback>`, ['an exercise of kind choice shows no hw-feedback']],
    ['kind="number" answer-of="output(0, 0)" within="-1"', '', ['within="-1": it is at least 0']],
    ['kind="number" answer-of="output(0, 0)" another="sed"', '', ['has no parameter sed; did you mean "seed"?']],
    ['kind="number" answer-of="output(0, 0)" another="mask"', '', ['mask is no number that could be counted up']],
    [
      'kind="number" answer-of="output(0, 0)" another="heads=5; hedas=2; seed"',
      '',
      ['with heads=5 it cannot be computed: ', 'there is no parameter hedas', '"seed" is not written like width=512'],
    ],
    [
      'kind="number" answer-of="output(0, 0)"',
      '<hw-feedback>x</hw-feedback>',
      ['lacks the wrong answer that it is about'],
    ],
    ['kind="number" answer-of="output(0, 0)"', '<hw-feedback when="x">x</hw-feedback>', ['this is no number']],
    [
      'kind="number" answer-of="output(0, 0)"',
      '<hw-feedback when-is="output">x</hw-feedback>',
      ['here goes the path of a number'],
    ],
    [
      'kind="shape" answer-of="output"',
      '<hw-feedback when="big">x</hw-feedback>',
      ['this is no shape; write it like 5 × 3'],
    ],
    [
      'kind="condition" passes-when="heads.length>3"',
      '<hw-feedback when="heads.length">x</hw-feedback>',
      ['has no sign and value'],
    ],
    [
      'kind="condition" passes-when="heads.length>3"',
      '<hw-feedback when-is="output">x</hw-feedback>',
      ['when-is belongs to an exercise of kind number or shape'],
    ],
  ])('%s %s', (attributes, inside, messages) => expectFaults(exercise(attributes, inside), messages));

  it('may be sound', () => {
    expectFaults(
      exercise(
        'kind="number" answer-of="output(0, 0)" digits="2" within="0.1" unit="m" another="heads=2; heads=4 mask=causal"',
        '<hw-feedback when="1.5">x</hw-feedback><hw-feedback when-is="output(0, 1)">x</hw-feedback>',
      ),
      [],
    );
    const matrix = '<hw-matrix each="heads" of="output"></hw-matrix>';
    expectFaults(
      exercise('kind="cell" in="heads[2].output" answer="sat, 3"', `${matrix}<hw-feedback when="0, 1">x</hw-feedback>`),
      [],
    );
    expectFaults(
      exercise('kind="cell" in="layouts.torch" answer-of="layoutTargets.torch"', '<hw-layouts></hw-layouts>'),
      [],
    );
    expectFaults('<hw-exercise id="e" kind="choice"><hw-option correct>a</hw-option></hw-exercise>', []);
  });
});

describe('an element', () => {
  it.each([
    [
      '<hw-operator>+</hw-operator>',
      '<hw-operator> stands outside of <hw-equation>, where it does nothing; put it inside',
    ],
    ['<hw-reason>x</hw-reason>', '<hw-reason> stands outside of <hw-option> or <hw-exercise>'],
    ['<hw-hint>x</hw-hint>', '<hw-hint> stands outside of <hw-exercise>'],
    ['<hw-option>x</hw-option>', '<hw-option> stands outside of <hw-prediction> or <hw-exercise> or <hw-choices>'],
    [
      '<hw-matrix of="input"></hw-matrix>',
      '<hw-matrix> is in no bench; put it inside a hw-bench, or name one with bench="its id"',
    ],
    ['It is <hw-number of="output(0, 0)"></hw-number>.', '<hw-number> is in no bench'],
    [
      '<hw-exercise id="e" kind="number" answer-of="output(0, 0)"></hw-exercise>',
      'answer-of="output(0, 0)": this asks a bench, and the element is in none',
    ],
    ['<hw-cell></hw-cell>', 'there is no element <hw-cell>; the elements are hw-bench, '],
    ['<hw-open></hw-open>', 'there is no element <hw-open>; '],
    ['<hw-results></hw-results>', 'there is no element <hw-results>; '],
  ])('has its place: %s', (markup, message) => expectFaults(markup, [message]));

  it('may name a bench of its lesson, also around it', () => {
    const bench = '<hw-bench id="b" recipe="layer"></hw-bench>\n\n';
    expectFaults(`${bench}<hw-matrix bench="b" of="input"></hw-matrix>`, []);
    expectFaults(`${bench}<div bench="b"><hw-matrix of="inputt"></hw-matrix></div>`, ['3: of="inputt": ']);
  });
});

describe('a tag', () => {
  it.each([
    ['One <hw-number of="a></hw-number> two', 'the tag <hw-number is not whole; a quotation mark or > is missing'],
    ['<hw-code lines="1: a>\nx', 'a tag never ends; a quotation mark or > is missing before the next empty line'],
    ['<hw-code lines="" lines=""></hw-code>', 'an attribute is given twice in one tag; keep one of them'],
    ['<hw-code lines=a"></hw-code>', 'an attribute has no quotation marks around its value'],
    ['<hw-code lines="a"class="b"></hw-code>', 'between two attributes there is no space'],
  ])('is whole: %s', (markup, message) => expect(faultsOf(markup).join('\n')).toContain(message));
});
