import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { sourceUrl } from './support/child.ts';
import { propertyRuns } from './support/property-runs.ts';
import { makeTree, skillText } from './support/tree.ts';

const AGENTS = propertyRuns(100, 30);
/** Code that runs for the first time is compiled, which takes memory. */
const FIRST = 20;
/** Pipes are made in batches, and taken one by one. */
const BATCH_OF_PIPES = 16;

/** Starts agents over one engine. Each has a folder of its own, searches, loads, writes a skill and runs a script. */
const PROGRAM = `
import { readdirSync } from 'node:fs';
import { openSkills } from '${sourceUrl('engine/open-skills.ts')}';
import { forAgent } from '${sourceUrl('agent/for-agent.ts')}';
import { callTool } from '${sourceUrl('agent/call-tool.ts')}';

const skills = await openSkills({ dirs: [{ path: 'shipped', trusted: true }] });
const count = (kind) => readdirSync('/proc/self/' + kind).length;
const measure = async () => {
  await new Promise(setImmediate);
  globalThis.gc();
  return { descriptors: count('fd'), threads: count('task'), bytes: process.memoryUsage().heapUsed, folders: readdirSync(process.env.TMPDIR).length };
};
const answers = new Set();
const work = async (name) => {
  const agent = await forAgent(skills, { agent: name, writesTo: 'learned/' + name, run: true, toolsets: true, saveTo: 'made/' + name });
  const call = async (tool, args) => (await callTool(agent.tools, { name: tool, args })).isError;
  answers.add(await call('search_skills', { query: 'fill a form' }));
  answers.add(await call('load_skill', { name: 'forms' }));
  answers.add(await call('fill_form', {}));
  answers.add(await call('write_skill', { name: 'notes', description: 'Notes of ' + name, content: 'x' }));
  answers.add(await call('run_skill_script', { name: 'forms', script: 'fill.sh' }));
  return agent;
};
for (let at = 0; at < ${FIRST}; at += 1) await work('first-' + at);
const before = await measure();
let agents = [];
for (let at = 0; at < ${AGENTS}; at += 1) agents.push(await work('agent-' + at));
const open = await measure();
agents = [];
const dropped = await measure();
await skills.close();
console.log(JSON.stringify({ answers: [...answers], before, open, dropped, left: readdirSync(process.env.TMPDIR) }));
`;

interface Counts {
  readonly descriptors: number;
  readonly threads: number;
  readonly bytes: number;
  readonly folders: number;
}

test.skipIf(process.platform !== 'linux')(
  `${AGENTS} agents and ${AGENTS} runs over one engine leave nothing open or behind`,
  () => {
    const root = makeTree({
      'main.mjs': PROGRAM,
      'home/': '',
      'tmp/': '',
      'shipped/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill forms.', toolsets: ['forms.mjs:Forms'] }),
      'shipped/forms/forms.mjs': `export const Forms = [{ name: 'fill_form', description: 'Fills.', execute: () => 'filled' }];\n`,
      'shipped/forms/scripts/fill.sh': 'echo filled > filled.txt\n',
    });
    const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') };
    const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', 'main.mjs'];
    const printed = execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
    const {
      answers,
      before,
      open,
      dropped,
      left,
    }: Record<'before' | 'open' | 'dropped', Counts> & {
      readonly answers: readonly boolean[];
      readonly left: readonly string[];
    } = JSON.parse(printed);
    expect(answers).toEqual([false]);
    expect(readdirSync(join(root, 'made'))).toHaveLength(AGENTS + FIRST);
    for (const { descriptors, threads, folders } of [open, dropped]) {
      expect(descriptors).toBeLessThanOrEqual(before.descriptors + BATCH_OF_PIPES);
      expect([threads, folders]).toEqual([before.threads, before.folders]);
    }
    expect((open.bytes - before.bytes) / AGENTS).toBeLessThan(100_000);
    expect((dropped.bytes - before.bytes) / AGENTS).toBeLessThan(20_000);
    expect(left).toEqual([]);
  },
);
