import { join } from 'node:path';

import { expect, test } from 'vitest';

import { codeSamples } from './support/code-samples.ts';
import { typeCheck } from './support/consumer.ts';

/** Names that a sample may use without declaring them. */
const GIVEN: Readonly<Record<string, string>> = {
  skills: "import('skillplane').Skills",
  model: "import('ai').LanguageModel",
};

const GUIDES = [
  'your-own-agent.md',
  'bundling.md',
  'mcp.md',
  'ctx.md',
  'giving.md',
  'hosts.md',
  'installing.md',
  'sources.md',
];

/** A sample as a module of its own. */
function toModule(sample: string): string {
  const declared = Object.entries(GIVEN).filter(
    ([name]) => !new RegExp(`const ${name}\\b|using ${name}\\b`).test(sample),
  );
  return `${declared.map(([name, type]) => `declare const ${name}: ${type};\n`).join('')}${sample}\nexport {};\n`;
}

test('every code sample in the guides compiles against the package', () => {
  const files = GUIDES.flatMap((guide) =>
    codeSamples(join('docs/guide', guide)).map((sample, at) => [`${guide}-${at}.ts`, toModule(sample)] as const),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(typeCheck(Object.fromEntries(files), { skipLibCheck: true })).toEqual([]);
});
