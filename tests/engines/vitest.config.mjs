import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts'],
    // Lessons are opened in two browsers, and one of them draws without a graphics card.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
