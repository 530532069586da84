import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';

const EMBEDDINGS = '  ranking:\n    embeddings: { url: "http://127.0.0.1:1/v1", model: m, key: k }\n';

describeInBrowser(
  'a ranking for which a model did not answer, in a browser',
  (world) => {
    test.each(['/skills?q=archive+and+label+slides', '/lab?request=archive+and+label+slides'])(
      'is marked as not complete on %s',
      async (path) => {
        await world.watched.visit(path);
        await expect
          .poll(() => world.watched.page.locator('.not-complete').innerText())
          .toMatch(/^Not complete: no embeddings: http:\/\/127\.0\.0\.1:1 cannot be asked/);
        expect(await world.watched.violations()).toEqual([]);
      },
    );
  },
  { prepare: ({ home }) => appendFileSync(join(home, '.agent/config.yaml'), EMBEDDINGS) },
);
