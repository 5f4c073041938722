import { describe, expect, it } from 'vitest';
import { recipes } from '../../web/src/bench/recipes/index.ts';
import { parseHash } from '../../web/src/shell/hash.ts';
import { linkFaults, linkNotice } from '../../web/src/shell/link-faults.ts';

const layer = recipes.get('layer')!.parameters;
const here = {
  benches: new Map([
    ['steps', layer],
    ['masks', layer],
  ]),
  controls: ['heads', 'seed', 'mask'],
};
const faultsOf = (hash: string) => linkFaults(parseHash(hash), here);

describe('a link', () => {
  it('that is right has no fault', () => {
    expect(faultsOf('#l')).toEqual([]);
    expect(
      faultsOf(
        '#l?v=1&steps.heads=3&steps.biases=on&steps.nudge=-0.5&masks.mask=causal&masks.tokens=a+b&hide=bar,seed',
      ),
    ).toEqual([]);
    expect(faultsOf('#l?v=1&steps.edits=q.0.0:1,x.0.1:-2')).toEqual([]);
    expect(linkNotice([])).toBe('');
  });

  it.each([
    ['a bench that is not there', 'stepz.seed=4', 'stepz.seed', 'steps.seed'],
    ['a parameter that the bench has not', 'steps.edit=q.0.0:1', 'steps.edit', 'steps.edits'],
    ['a value that is none of the choices', 'masks.mask=causl', 'masks.mask=causl', 'masks.mask=causal'],
    ['a value that is no number', 'steps.heads=three', 'steps.heads=three', undefined],
    ['a number out of bounds', 'steps.heads=99', 'steps.heads=99', 'steps.heads=16'],
    ['an edit that is none', 'steps.edits=q.0.0:1,hello', 'steps.edits=hello', undefined],
    ['a control to hide', 'hide=sead', 'hide=sead', 'hide=seed'],
    ['a part without a bench', 'heads=3', 'heads=3', 'steps.heads'],
    ['a misspelt word of the address itself', 'hid=seed', 'hid=seed', 'hide'],
    ['a name of an object', 'steps.__proto__=1', 'steps.__proto__', undefined],
    ['nothing like anything', 'xylophone', 'xylophone', undefined],
  ])('tells %s', (_, part, written, nearest) => {
    expect(faultsOf(`#l?v=1&steps.heads=2&${part}`)).toEqual([
      nearest === undefined ? { written } : { written, nearest },
    ]);
  });

  it('of another version says nothing of its parts', () => {
    expect(faultsOf('#l?v=9&stepz.seed=4')).toEqual([]);
  });

  it('is told in one short sentence', () => {
    const hash = `#l?v=1&stepz.seed=4&masks.mask=slidng&${'n'.repeat(19_000)}=1&hide=sead&a=b`;
    const told = linkNotice(faultsOf(hash));
    expect(told).toMatch(/^Not all of this link means something here: /);
    expect(told).toContain('“stepz.seed” (nearest: “steps.seed”)');
    expect(told).toMatch(/ and 2 more\.$/);
    expect(told.length).toBeLessThan(260);
  });

  it('has the nearest of those alone that are named', () => {
    const faults = faultsOf(`#l?v=1&${'sted=4&'.repeat(2000)}`);
    expect(faults).toHaveLength(2000);
    expect(faults.filter(({ nearest }) => nearest !== undefined).length).toBeLessThanOrEqual(3);
  });
});
