import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { SKILLPLANE } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

/** Prints how much space there is for new objects, in megabytes, when the process ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const spaces = process.getBuiltinModule('node:v8').getHeapSpaceStatistics();
    process.stderr.write(String(spaces.find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20));
  });`)}`;

test("show of many skills does not enlarge V8's space for new objects", () => {
  const skills = Array.from({ length: 1_000 }, (_, at) => `skill-${at}`);
  const home = makeTree(
    Object.fromEntries(
      skills.map((name) => [
        `.agents/skills/${name}/SKILL.md`,
        skillText({ name, description: `${name} `.repeat(20) }, 'Do it.\n'.repeat(500)),
      ]),
    ),
  );
  const [node = '', ...words] = SKILLPLANE;
  const env = { PATH: process.env['PATH'], HOME: home };
  const shown = spawnSync(node, ['--import', REPORT, ...words, 'show', '--json'], { cwd: home, env, encoding: 'utf8' });
  expect(shown.status).toBe(0);
  expect(Number(shown.stderr)).toBeLessThan(4);
});
