import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/build-once.ts'],
    testTimeout: 30_000,
    // Many tests wait for processes of their own; by default a core would be left over, and of two that is half.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
