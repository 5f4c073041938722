// Whether there are numbers to judge an answer by, and what to say if not.

import type { BenchElement } from '../bench/bench-element.ts';

export const notComputable =
  'The settings ask for something that cannot be computed: the bench says why. Set them otherwise first.';

/** undefined if an answer can be judged. */
export function whyNoVerdict(bench: BenchElement | undefined): string | undefined {
  if (bench?.canCompute === false) return 'This needs the numbers, and they could not be computed here.';
  if (!bench?.results) return 'The numbers are not there yet; try again in a moment.';
  return bench.error ? notComputable : undefined;
}
