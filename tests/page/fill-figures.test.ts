import { loadHeadwise, type Headwise } from 'headwise';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, settle, startValues } from '../../web/src/bench/parameters.ts';
import { recipes } from '../../web/src/bench/recipes/index.ts';
import { resolvePath } from '../../web/src/bench/results.ts';
import { checkLesson } from '../../web/src/build/check/lesson.ts';
import { Faults } from '../../web/src/build/faults.ts';
import { fillFigures } from '../../web/src/build/fill-figures.ts';
import { elementsIn, htmlOf, parseHtml } from '../../web/src/build/html.ts';
import { renderMarkdown } from '../../web/src/build/markdown.ts';

let engine: Headwise;
beforeAll(async () => {
  engine = await loadHeadwise();
});

/** What the build makes of a piece of a lesson. */
function filled(markdown: string): string {
  const faults = new Faults();
  const file = 'a.md';
  const { html, elements } = renderMarkdown(markdown, { file, firstLine: 1, articleId: 'a', ids: new Map(), faults });
  const benches = checkLesson({ file, elements }, engine, faults);
  faults.stop();
  const tree = parseHtml(html);
  fillFigures(tree, benches, engine);
  return htmlOf(tree);
}

describe('the page without JavaScript', () => {
  it('has tables, numbers and shapes from the benches’ start values', () => {
    const html = filled(
      '<hw-bench id="b" recipe="layer" tokens="I like tea" heads="2"><p><hw-number of="heads[0].attentionWeights(like, I)" digits="3"></hw-number> <hw-shape of="output"></hw-shape></p><hw-matrix of="heads[1].attentionWeights"></hw-matrix></hw-bench>',
    );
    const recipe = recipes.get('layer')!;
    const start = startValues(recipe, (name) => ({ tokens: 'I like tea', heads: '2' })[name]);
    const results = run(recipe, engine, settle(recipe, engine, start));
    const expected = resolvePath(results, 'heads[0].attentionWeights(1, 0)') as number;
    expect(html).toContain(`>${expected.toFixed(3)}</hw-number>`);
    expect(html).toContain('>3 × 12</hw-shape>');
    expect(html.match(/<td class="(positive|negative|zero)/g)).toHaveLength(9);
    expect(html).toContain('<th scope="row">like</th>');
  });

  it('shares colours and decimals within an equation, as the page does', () => {
    const html = filled(
      '<hw-bench id="b" recipe="split"><hw-equation><hw-matrix of="single.heads[0].rawScores"></hw-matrix> = <hw-matrix each="multi.heads" of="rawScores" join="+"></hw-matrix></hw-equation></hw-bench>',
    );
    expect(html.match(/<table>/g)).toHaveLength(3);
    expect(html.match(/--fill:1\.00"/g)).toHaveLength(1);
    expect(html).toContain('<hw-operator>+</hw-operator>');
  });

  it('hides sentences that do not hold, and escapes the learner’s words', () => {
    const html = filled(
      '<hw-bench id="b" recipe="layer" tokens="a &lt;pad&gt;"><hw-when test="heads.length=3">yes</hw-when><hw-when test="heads.length=1">no</hw-when><hw-matrix of="heads[0].rawScores"></hw-matrix></hw-bench>',
    );
    expect(html).toContain('<hw-when test="heads.length=3">yes');
    expect(html).toContain('<hw-when test="heads.length=1" hidden="">no');
    expect(html).toContain('&lt;pad&gt;</th>');
    expect(elementsIn(parseHtml(html)).map(({ tagName }) => tagName)).not.toContain('pad');
  });

  it('shows what a recipe computes when it is asked', () => {
    const html = filled(
      '<hw-bench id="b" recipe="sharing" sharing="all" output-blocks="equal"><p><hw-number of="rank.rank"></hw-number> <hw-number of="cost.parametersMerged" digits="0"></hw-number></p><hw-matrix of="one.output"></hw-matrix></hw-bench>',
    );
    expect(html).toContain('>4</hw-number>');
    expect(html).toContain('>192</hw-number>');
    expect(html.match(/<td class="(positive|negative|zero)/g)).toHaveLength(8 * 12);
  });

  it('finds benches by name', () => {
    const html = filled('<hw-bench id="b" recipe="layer"></hw-bench><hw-shape bench="b" of="output"></hw-shape>');
    expect(html).toContain('5 × 12</hw-shape>');
  });

  it('asks the questions, and folds hints and reasons with what is in them', () => {
    const html = filled(
      '<hw-bench id="b" recipe="layer"><hw-prediction id="p" question="Is 1 < 2?"><hw-option correct>yes</hw-option></hw-prediction>' +
        '<hw-exercise id="e" kind="shape" answer-of="output"><hw-hint>Look: <hw-shape of="input"></hw-shape></hw-hint></hw-exercise></hw-bench>',
    );
    expect(html).toContain('<p class="task-question">Is 1 &lt; 2?</p><hw-option correct="">yes</hw-option>');
    expect(html).toContain(
      '<hw-hint><details class="folded"><summary>Hint</summary>Look: <hw-shape of="input">5 × 12</hw-shape></details></hw-hint>',
    );
  });

  it('stops the build if a bench cannot be computed as it starts', () => {
    expect(() =>
      filled('\n<hw-bench id="b" recipe="layer" heads="5"><hw-shape of="output"></hw-shape></hw-bench>'),
    ).toThrow(/^a\.md:2: as this bench starts it cannot be computed: .*5 does not divide/);
  });
});
