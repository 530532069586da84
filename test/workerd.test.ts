import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test } from 'vitest';

import { defineSkill } from '../src/sources/memory-source.ts';
import { BUNDLERS, bundleName } from './support/bundlers.ts';
import { makeConsumer } from './support/consumer.ts';
import { serveSite } from './support/source-makers.ts';
import { makeTree } from './support/tree.ts';

/** A runtime without processes and without a lasting file system. Its program comes in a package for each system. */
const WORKERD = resolve('node_modules/@cloudflare/workerd-linux-64/bin/workerd');
const { esbuild } = BUNDLERS;
const isHere = existsSync(WORKERD) && esbuild !== undefined;

const WORKER = `
import { defineSkill, memorySource, openSkills, webSource } from 'skillplane';
import { callTool, forAgent } from 'skillplane/agent';

const report = defineSkill({
  name: 'report',
  description: 'Make a report with totals of a table.',
  instructions: 'Read references/columns.md.',
  files: { 'references/columns.md': 'The second column is the price.', 'scripts/totals.sh': 'echo total' },
});

async function answer(site) {
  const web = webSource(site, { fetch: (...given) => fetch(...given) });
  const skills = await openSkills({ sources: [{ source: memorySource([report]), trusted: true }, web] });
  const found = await skills.search('totals of a table');
  const agent = await forAgent(skills, { run: true });
  if (!agent.ok) throw new Error(agent.message);
  const call = (name, args) => callTool(agent.tools, { name, args });
  const answers = {
    found: found.map(({ name }) => name),
    system: agent.system,
    loaded: await call('load_skill', { name: 'report' }),
    read: await call('read_skill_resource', { name: 'report', path: 'references/columns.md' }),
    fetched: await call('load_skill', { name: 'pdf' }),
    run: await call('run_skill_script', { name: 'report', script: 'totals.sh' }),
    diagnostics: skills.catalog().diagnostics,
  };
  await skills.close();
  return Response.json(answers);
}

export default { fetch: ({ url }) => answer(new URL(url).searchParams.get('site')).catch((error) => new Response(error.stack, { status: 500 })) };
`;

const CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "main.mjs", esModule = embed "main.mjs")],
  compatibilityDate = "2026-08-04",
);
`;

/** Serves a worker on a free port until the test ends. */
async function serve(bundle: string): Promise<string> {
  const root = makeTree({ 'main.mjs': readFileSync(bundle, 'utf8'), 'config.capnp': CONFIG });
  const child = spawn(WORKERD, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const [, , errors, control] = child.stdio;
  if (errors === null || control === null || control === undefined) throw new Error('no streams');
  const failed = text(errors as NodeJS.ReadableStream);
  const started: unknown = await Promise.race([once(control, 'data').then(([line]) => line as unknown), failed]);
  const port = /"port":(\d+)/.exec(String(started))?.[1];
  if (port === undefined) throw new Error(String(started));
  return `http://127.0.0.1:${port}/`;
}

test.skipIf(!isHere)(
  'skills in memory and from a site are found, loaded and read in a runtime without a file system',
  async () => {
    const root = makeConsumer({ 'main.ts': WORKER });
    await esbuild?.(root, 'esm');
    const pdf = defineSkill({ name: 'pdf', description: 'Fill PDF forms.', instructions: 'Fill it.' });
    const { url: site } = await serveSite([pdf]);
    const worker = await serve(join(root, 'out', bundleName('esm')));
    const response = await fetch(`${worker}?site=${encodeURIComponent(site)}`);
    expect(await response.json()).toEqual({
      found: ['report'],
      system: expect.stringContaining('- report: Make a report with totals of a table.'),
      loaded: expect.objectContaining({ isError: false, text: expect.stringContaining('Read references/columns.md.') }),
      read: expect.objectContaining({
        isError: false,
        text: expect.stringContaining('The second column is the price.'),
      }),
      fetched: expect.objectContaining({ isError: false, text: expect.stringContaining('Fill it.') }),
      run: expect.objectContaining({
        isError: true,
        text: expect.stringContaining('cannot run scripts/totals.sh: bash is not installed'),
      }),
      diagnostics: [],
    });
  },
);
