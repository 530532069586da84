import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { VERSION } from '../src/model/version.ts';
import { bundleName, BUNDLERS, type Format } from './support/bundlers.ts';
import { makeConsumer } from './support/consumer.ts';
import { makeTree, skillText } from './support/tree.ts';

/** Prints what works of everything that needs more than its own code. */
const PROGRAM = `
import { openSkills } from 'skillplane';
import { callTool, forAgent } from 'skillplane/agent';

void main();

async function main() {
  const place = { cwd: process.cwd(), home: process.cwd() + '/home' };
  const skills = await openSkills({ ...place, dirs: [{ path: './skills', trusted: true }] });
  const found = await skills.search('totals of a table');
  const agent = await forAgent(skills, { run: true });
  const loaded = agent.ok ? await callTool(agent.tools, { name: 'load_skill', args: '{"name": "report"}' }) : undefined;
  const run = async (script: string) => {
    const ran = await skills.scripts.run('report', script);
    return 'stdout' in ran ? ran.stdout + ran.stderr : ran.message;
  };
  const scripts = [await run('totals.sh'), await run('typed.ts'), await run('enum.ts')];
  const { tools, failures } = await skills.toolsets.list();
  const greeted = await tools[0]?.execute({ name: 'Ada' });
  await skills.close();
  const all = await openSkills(place);
  const { skills: bundled, diagnostics } = all.catalog();
  await all.close();
  console.log(JSON.stringify({
    found: found.map(({ name }) => name),
    loaded: loaded?.text.includes('Run totals.sh.'),
    scripts,
    greeted: greeted?.ok === true ? greeted.output : failures[0]?.message,
    bundled: bundled.map(({ name }) => name),
    diagnostics: diagnostics.map(({ message }) => message),
  }));
}
`;

const SKILLS = {
  'skills/report/SKILL.md': skillText(
    { name: 'report', description: 'Make a report with totals of a table.', toolsets: ['tools/greet.ts:greet'] },
    'Run totals.sh.\n',
  ),
  'skills/report/scripts/totals.sh': 'echo total\n',
  'skills/report/scripts/typed.ts': "const text: string = 'typed';\nconsole.log(text);\n",
  'skills/report/scripts/enum.ts': "enum Word { One = 'enum' }\nconsole.log(Word.One);\n",
  'skills/report/tools/greet.ts': `
import { Tool } from '@agent/tools';
import { z } from 'zod';
export const greet = Tool.define('greet', {
  description: 'Greets.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }) => \`Hello \${name}\`,
});
`,
};

const INSTALL = `Install skillplane ${VERSION} where Node.js finds it from the bundle: npm install skillplane@${VERSION}`;

/** Runs a bundle in a folder with skills, and with the package beside it or not. */
function runBundle(bundle: string, name: string, isBeside: boolean): unknown {
  const root = makeTree(SKILLS);
  cpSync(bundle, root, { recursive: true });
  if (isBeside) {
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(resolve('.'), join(root, 'node_modules/skillplane'));
  }
  return JSON.parse(execFileSync(process.execPath, [name], { cwd: root, encoding: 'utf8' }));
}

describe.each(Object.keys(BUNDLERS))('a program bundled by %s', (bundler) => {
  const bundle = BUNDLERS[bundler];

  test.skipIf(bundle === undefined).for<Format>(['esm', 'cjs'])('as %s runs in a folder of its own', async (format) => {
    const root = makeConsumer({ 'main.ts': PROGRAM });
    await bundle?.(root, format);
    const run = (isBeside: boolean): unknown => runBundle(join(root, 'out'), bundleName(format), isBeside);

    const works = { found: ['report'], loaded: true };
    expect(run(true)).toEqual({
      ...works,
      scripts: ['total\n', 'typed\n', 'enum\n'],
      greeted: 'Hello Ada',
      bundled: expect.arrayContaining(['skill-author']),
      diagnostics: [],
    });
    if (bundler !== 'rolldown') return;
    // Alone, it says what is missing.
    expect(run(false)).toEqual({
      ...works,
      scripts: ['total\n', 'typed\n', expect.stringMatching(/enum is not supported in strip-only mode/)],
      greeted: expect.stringContaining(`toolsets run in a file of the package, which this bundle lacks. ${INSTALL}`),
      bundled: [],
      diagnostics: [expect.stringContaining(INSTALL)],
    });
  });
});
