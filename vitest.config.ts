import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/share-temporary.ts'],
    setupFiles: ['test/use-compiled.ts'],
    expect: { poll: { timeout: 30_000 } },
    // Modules hold no state, so test files can share them; loading them anew for each file takes as long as the tests.
    isolate: false,
    unstubEnvs: true,
    reporters: ['default', './test/report-skips.ts'],
    // Many tests wait for processes of their own; the default leaves a core unused, which of two is half.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      // The hub is a package of its own, on the entry points of this one.
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^skillplane$/, replacement: resolve('src/index.ts') },
            { find: /^skillplane\/(.+)$/, replacement: resolve('src/$1.ts') },
          ],
        },
        test: {
          name: 'hub',
          // An embedded database takes long to start where much else runs.
          testTimeout: 600_000,
          include: ['hub/test/**/*.test.ts'],
          globalSetup: ['test/build-once.ts', 'test/share-browser.ts', 'hub/test/support/share-postgres.ts'],
        },
      },
      // These test what ships: the built package and its command line.
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/**/*.test.ts'],
          exclude: ['test/security/privileged/**'],
          globalSetup: ['test/build-once.ts', 'test/share-browser.ts'],
          // Runs the built command line as Node loads it.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      // These need root and second users; `npm run test:security` runs them.
      {
        extends: true,
        test: {
          name: 'security',
          include: ['test/security/privileged/**/*.test.ts'],
          globalSetup: ['test/build-once.ts'],
        },
      },
    ],
  },
});
