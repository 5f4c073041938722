import { describe, expect, it } from 'vitest';
import { polishAttributes } from '../../web/src/build/articles.ts';
import { Faults } from '../../web/src/build/faults.ts';
import { htmlOf, parseHtml } from '../../web/src/build/html.ts';
import { renderInline, renderMarkdown, slug, type MarkdownContext } from '../../web/src/build/markdown.ts';

const context = (): MarkdownContext => ({
  file: 'web/lessons/1-a.md',
  firstLine: 11,
  articleId: 'lesson',
  ids: new Map(),
  faults: new Faults(),
});
/** HTML of the source; throws what is wrong with it. */
function render(source: string, within = context()): string {
  const { html } = renderMarkdown(source, within);
  within.faults.stop();
  return html;
}

describe('Markdown', () => {
  it('gives headings the address of their lesson', () => {
    expect(render('## Where they *part*: $\\Q_j$, `c_attn`')).toContain('<h2 id="lesson--where-they-part-q-j-c-attn">');
    expect(slug('Crème brûlée, the learner’s №2')).toBe('creme-brulee-the-learners-no2');
  });

  it.each([
    ['## 缩放', '缩放'],
    ['## Масштаб йода', 'масштаб-иода'],
    ['## Κλίμακα √d', 'κλιμακα-d'],
    ['## 크기', '크기'],
    ['## पैमाना', 'पैमाना'],
    ['## Why *so*? {#why}', 'why'],
    ['## $\\Q$ {#queries-2}', 'queries-2'],
  ])('makes the address of %s', (heading, name) => {
    expect(render(heading)).toContain(`<h2 id="lesson--${name}">`);
    expect(render(heading)).not.toContain('{');
  });

  it('has real quotation marks, minus signs and products that stay together', () => {
    expect(render('"It\'s -0.5 of 5 × 6", from x-1 to (-2)')).toBe(
      '<p>“It’s −0.5 of 5\u00a0×\u00a06”, from x-1 to (−2)</p>\n',
    );
    expect(render('`a -1 × 2`')).toContain('<code>a -1 × 2</code>');
  });

  it('passes custom elements and the Markdown between them', () => {
    const html = render(
      '<hw-bench id="cut" tokens="a \'b\' -1">\n\nSome *text*.\n\n<hw-matrix of="a > b"></hw-matrix>\n\n</hw-bench>',
    );
    expect(html).toContain('<hw-bench id="cut" tokens="a \'b\' -1">');
    expect(html).toContain('<p>Some <em>text</em>.</p>');
    expect(html).toContain('<hw-matrix of="a > b"></hw-matrix>');
    expect(html).not.toContain('<p><hw-matrix');
  });

  it('takes a line that begins with an element for HTML, and its text for a line of Markdown', () => {
    const html = render(
      '<hw-exercise id="e">\n\nWhat is *it*?\n\n<hw-hint>Look "there" at $d_q$, `x`.</hw-hint>\n<hw-option>-1</hw-option>\n</hw-exercise>',
    );
    expect(html).toMatch(/<hw-hint>Look “there” at <math>.*<\/math>, <code>x<\/code>\.<\/hw-hint>/);
    expect(html).toContain('<hw-option>−1</hw-option>');
    expect(html).toContain('<p>What is <em>it</em>?</p>');
    expect(html).not.toContain('<p><hw-');
  });

  it('leaves elements that stand in a sentence in their paragraph', () => {
    expect(render('It is\n<hw-number of="a"></hw-number> here.')).toBe(
      '<p>It is\n<hw-number of="a"></hw-number> here.</p>\n',
    );
  });

  it('sets what a reader sees in an attribute like text, and leaves the rest', () => {
    const tree = parseHtml(render('<hw-matrix label="One head\'s -1 × 2" of="heads[0](it\'s, -1)">x</hw-matrix>'));
    polishAttributes(tree);
    expect(htmlOf(tree)).toBe('<hw-matrix label="One head’s −1&nbsp;×&nbsp;2" of="heads[0](it\'s, -1)">x</hw-matrix>');
  });

  it('leaves code alone', () => {
    expect(render('```python\nx = "a" -1 # $b$\n```')).toContain('x = &quot;a&quot; -1 # $b$');
    expect(render('<pre>\n"a" $b$\n</pre>')).toContain('"a" $b$');
  });
});

describe('formulas', () => {
  it('become MathML with roles as classes', () => {
    expect(render('$\\query{W_j^q}$')).toMatch(/<math>.*class="role-query".*<\/math>/);
    expect(render('$\\class{role-key}{K}$')).toContain('class="role-key letter"');
    expect(render('$\\Q\\K\\V\\S\\A\\O\\H$').match(/role-\w+/g)).toEqual([
      'role-query',
      'role-key',
      'role-value',
      'role-scores',
      'role-attention',
      'role-output',
      'role-input',
    ]);
  });

  it('carry no colour of their own', () => {
    expect(render('$\\softmax\\left(\\frac{\\Q\\K^\\T}{\\sqrt{d}}\\right)\\V$')).not.toContain('style=');
  });

  it('colour an index with its letter, and set letters apart from names', () => {
    expect(render('$\\Q_j$')).toContain('<msub class="role-query">');
    expect(render('$\\softmax x$')).toMatch(/<mi>softmax<\/mi>.*<mi class="letter">x<\/mi>/);
  });

  it('stand on a line of their own between double dollars', () => {
    expect(render('Text\n\n$$\na = b\n$$\n\nText')).toMatch(/<div class="formula"><math display="block".*<\/div>/);
    expect(render('$$a = b$$')).toContain('<div class="formula">');
  });

  it('are not seen in prices and escapes', () => {
    expect(render('It costs $5 and then $6.')).toBe('<p>It costs $5 and then $6.</p>\n');
    expect(render('\\$a\\$')).toBe('<p>$a$</p>\n');
  });

  it('may hold Markdown characters and comparison signs', () => {
    expect(render('$a_i * b_i < c_i * d_i$')).not.toContain('<em>');
    expect(render('<hw-hint>$a &lt; b$</hw-hint>')).toContain('&lt;');
  });

  it.each([
    ['Text\n\nMore $\\frac{a}$', /1-a\.md:13: the formula \$\\frac\{a\}\$ does not work: Unexpected end of input/],
    ['$\\nosuch$', /1-a\.md:11: .*Unsupported function name: \\nosuch/],
    ['$a^$', /1-a\.md:11: the formula/],
    ['One\ntwo $a_b_c$', /1-a\.md:12: .*Double subscript/],
    ['$$\n\\left( a\n$$', /1-a\.md:11: the formula/],
    ['<hw-hint>one\n$\\nosuch$</hw-hint>', /1-a\.md:12: the formula/],
  ])('stop the build with file and line if TeX does not know them: %s', (source, message) => {
    expect(() => render(source)).toThrow(message);
  });
});

describe('the check of tags', () => {
  it.each([
    ['A\n\n<hw-matrx of="a"></hw-matrx>', /1-a\.md:13: there is no element <hw-matrx>; did you mean <hw-matrix>\?/],
    ['<hw-zebra></hw-zebra>', /there is no element <hw-zebra>; the elements are hw-bench, /],
    ['text <hw-nmber of="a"></hw-nmber>', /did you mean <hw-number>/],
    ['<hw-bench id="a">\n\ntext', /1-a\.md:11: <hw-bench> is never closed; put <\/hw-bench> where it ends/],
    ['<div>\n<hw-bench id="a">\n</div>', /1-a\.md:12: <hw-bench> is still open at the end of <\/div> on line 13/],
    ['text\n\n</div>', /1-a\.md:13: <\/div> closes nothing/],
    ['text <b>bold', /<b> is still open at the end of its paragraph/],
    ['- item\n\n  <div>\n\n- item', /1-a\.md:13: <div> is still open at the end of its paragraph, list/],
    ['<hw-matrix of="a" />', /<hw-matrix …\/> does not close itself in HTML; write <hw-matrix …><\/hw-matrix>/],
    [
      '<p id="a">x</p>\n\n<p id="a">y</p>',
      /1-a\.md:13: the id "a" is taken by web\/lessons\/1-a\.md:11; ids are unique/,
    ],
    ['## Same\n\n## Same', /1-a\.md:13: the id "lesson--same" is taken/],
    ['# Title', /1-a\.md:11: the title is in the front matter; start the headings of the text with ##/],
    ['<script>x</script>', /cannot hold <script>/],
    [
      '## !?',
      /1-a\.md:11: this heading has no letters to make its address from; give it a name, like "## … \{#the-experiment\}"/,
    ],
    [
      'A\n\n## B {#No Good}',
      /1-a\.md:13: the name \{#No Good\} of this heading is not made of small letters and digits/,
    ],
    ['## A {#same}\n\n## Same', /1-a\.md:13: the id "lesson--same" is taken/],
    ['One\n<hw-number of="a></hw-number> two', /1-a\.md:12: the tag <hw-number is not whole/],
    ['<hw-bench id="a"\n  id="b"></hw-bench>', /1-a\.md:12: an attribute is given twice in one tag/],
  ])('stops at %s', (source, message) => {
    expect(() => render(source)).toThrow(message);
  });

  it('tells all at once, in order of line, and each slip once', () => {
    const within = context();
    renderMarkdown('<div>\n<hw-hint>\n</div>\n\n# A\n\n</p>\n\n<hw-bench id="x">\n\ntext', within);
    expect(within.faults.list.map(({ line, message }) => `${line}: ${message.split(';')[0]}`)).toEqual([
      '12: <hw-hint> is still open at the end of </div> on line 13',
      '15: the title is in the front matter',
      '17: </p> closes nothing that was opened here',
      '19: <hw-bench> is never closed',
    ]);
  });

  it('lets sound markup pass', () => {
    expect(() =>
      render(
        '<p>a<br>b <img src="x" alt=""></p>\n\n- one\n- two **bold**\n\n> <em>x</em>\n\n<svg viewBox="0 0 1 1"><path d="" /></svg>\n\n<!-- <b> -->',
      ),
    ).not.toThrow();
    expect(() => render('`<hw-nothing>` and\n\n```html\n<div>\n```')).not.toThrow();
  });

  it('sees ids of other lessons', () => {
    const shared = context();
    render('<p id="bet">x</p>', { ...shared, file: 'web/lessons/2-b.md' });
    expect(() => render('<p id="bet">x</p>', shared)).toThrow(/taken by web\/lessons\/2-b\.md:11/);
  });
});

describe('a line of Markdown', () => {
  it('has no paragraph around it', () => {
    expect(renderInline('*A book*, "chapter" $d$', context()).html).toMatch(
      /^<em>A book<\/em>, “chapter” <math>.*<\/math>$/,
    );
  });
});
