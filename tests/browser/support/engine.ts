// The engine in Node: the same module as the page's, asked by the tests themselves.

import { loadHeadwise, type Headwise } from 'headwise';

let loaded: Promise<Headwise> | undefined;

export function engine(): Promise<Headwise> {
  loaded ??= loadHeadwise();
  return loaded;
}
