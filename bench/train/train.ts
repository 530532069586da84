/**
 * Learns the numbers of src/select/ranking/learned-weights.ts from real requests, and says how good they are at requests and
 * repositories that they were not learned from. Deterministic: the same data give the same file.
 *
 *     npx node bench/train/train.ts [--check]
 */
import { writeFileSync } from 'node:fs';

import { crossValidate, judge, type Validation } from './cross-validation.ts';
import { EMPHASIS_PARTS, FIXED_PARTS } from './examples.ts';
import { fit, toUsed, TRAIT_NAMES } from './fit.ts';
import { FIXED_WEIGHTS } from './fixed-weights.ts';
import { readLessons } from './lessons.ts';

const FILE = 'src/select/ranking/learned-weights.ts';

const all = readLessons();
if (all === undefined) process.stdout.write('There are no requests to learn from.\n');
else {
  const fixed = FIXED_WEIGHTS;
  const report = (name: string, { ndcg10, hit1, wrongFirst, wrongAmong3 }: Validation): void => {
    const figures = [ndcg10, hit1, wrongFirst, wrongAmong3].map((figure) => figure.toFixed(4)).join('  ');
    process.stdout.write(`${name.padEnd(24)}${figures}\n`);
  };
  process.stdout.write(`${''.padEnd(24)}nDCG    Hit@1   wrong   among 3\n`);
  const weights = fit({ lessons: all.lessons, fixed });
  report(
    'learned from all',
    judge(all, () => weights),
  );
  if (process.argv.includes('--check')) {
    report('skills held out', crossValidate(all, 'skill', fixed));
    report('repositories held out', crossValidate(all, 'repository', fixed));
  }
  const used = toUsed(weights);
  const [parts, emphasis] = [
    [...FIXED_PARTS, ...EMPHASIS_PARTS],
    used.slice(FIXED_PARTS.length + EMPHASIS_PARTS.length),
  ];
  write(
    parts.map((part, at) => [part, used[at] ?? 0]),
    emphasis,
  );
}

function write(parts: readonly (readonly [string, number])[], traits: readonly number[]): void {
  const listed = (names: readonly string[], values: readonly number[], key: string): string =>
    names.map((name, at) => `  { ${key}: '${name}', weight: ${round(values[at] ?? 0)} },`).join('\n');
  writeFileSync(
    FILE,
    `// oxlint-disable oxc/approx-constant -- learned, and like a known number by chance
/** Learned by bench/train/train.ts from real requests; do not edit. No part of a match may count against a skill. */

/** The parts of a score and their weights. \`excluded\` is taken off, all others are added. */
export const PART_WEIGHTS = {
${parts.map(([part, weight]) => `  ${part}: ${round(weight)},`).join('\n')}
};

/** How much of a request's task a word tells, as the exponent of e. */
export const EMPHASIS_WEIGHTS: readonly { readonly trait: string; readonly weight: number }[] = [
${listed(TRAIT_NAMES, traits, 'trait')}
];
`,
  );
}

function round(value: number): string {
  return String(Number(value.toFixed(3)));
}
