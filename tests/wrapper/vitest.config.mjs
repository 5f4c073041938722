import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.mjs'],
    // The memory tests run for several seconds each, longer where other work shares the processor.
    testTimeout: 120_000,
  },
});
