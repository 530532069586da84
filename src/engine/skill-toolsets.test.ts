import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { skillText } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { openSkills, type Skills } from './open-skills.ts';

/** The tool `where` says in which thread and version of the toolset it runs; on request it waits until a file exists. */
function toolset(version: string): string {
  return `
    import { existsSync, writeFileSync } from 'node:fs';
    import { threadId } from 'node:worker_threads';
    export const T = [{
      name: 'where',
      description: 'Says where it runs.',
      async execute({ begun, until } = {}) {
        if (begun !== undefined) writeFileSync(begun, '');
        while (until !== undefined && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 5));
        return '${version} in ' + threadId;
      },
    }];`;
}

interface World {
  readonly skills: Skills;
  readonly dir: string;
  /** The threads that were started since, counted by Node. */
  readonly started: () => number;
}

/** A trusted skill of the project, called `hello`, with the toolset `t.mjs`. */
async function openTrusted(
  more: Readonly<Record<string, string>> = {},
  toolsets: readonly string[] = ['t:T'],
): Promise<World> {
  const world = makeWorld({ 'project/.claude/skills/hello/SKILL.md': skillText({ name: 'hello', toolsets }) });
  const dir = join(world.project, '.claude/skills/hello');
  for (const [name, text] of Object.entries({ 't.mjs': toolset('first'), ...more }))
    writeFileSync(join(dir, name), text);
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  await trust(skills);
  let count = 0;
  const note = (): void => void (count += 1);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return { skills, dir, started: () => count };
}

async function trust(skills: Skills): Promise<void> {
  const inspected = await skills.trust.inspect('hello');
  if (!inspected.ok) throw new Error(inspected.message);
  expect(await skills.trust.grant('hello', inspected.digest)).toMatchObject({ ok: true });
}

async function ask(skills: Skills, args: object = {}): Promise<string> {
  const result = await skills.toolsets.call('hello', 'where', { args });
  return result.ok ? result.output : `${result.code}: ${result.message}`;
}

test('fifty calls of a toolset and a listing share one thread', async () => {
  const { skills, started } = await openTrusted();
  const together = await Promise.all([ask(skills), ask(skills), skills.toolsets.list('hello')]);
  const answers = new Set(together.filter((one) => typeof one === 'string'));
  for (let count = 0; count < 48; count += 1) answers.add(await ask(skills));
  expect(answers.size).toBe(1);
  expect(started()).toBe(1);
});

test('a changed toolset is reloaded once its skill is trusted again', async () => {
  const { skills, dir, started } = await openTrusted();
  expect(await ask(skills)).toMatch(/^first in/);
  writeFileSync(join(dir, 't.mjs'), toolset('second'));
  expect(await ask(skills)).toMatch(/^NOT_TRUSTED: .*changed after/);
  await trust(skills);
  expect(await ask(skills)).toMatch(/^second in/);
  expect(await ask(skills)).toMatch(/^second in/);
  expect(started()).toBe(2);
});

test('a change of a file that a toolset imports reloads the toolset', async () => {
  const { skills, dir } = await openTrusted({
    't.mjs':
      "import { word } from './word.mjs';\nexport const T = [{ name: 'where', description: '', execute: () => word }];",
    'word.mjs': "export const word = 'one';",
  });
  expect(await ask(skills)).toBe('one');
  writeFileSync(join(dir, 'word.mjs'), "export const word = 'two';");
  await trust(skills);
  expect(await ask(skills)).toBe('two');
});

test('tools of a skill cannot be called after its trust is revoked, even if listed before', async () => {
  const { skills, started } = await openTrusted();
  const listed = await skills.toolsets.list('hello');
  const [tool] = listed.ok ? listed.tools : [];
  expect(await tool?.execute({})).toMatchObject({ ok: true });
  await skills.trust.revoke('hello');
  expect(await tool?.execute({})).toMatchObject({ ok: false, code: 'NOT_TRUSTED' });
  expect(await ask(skills)).toMatch(/^NOT_TRUSTED/);
  expect(started()).toBe(1);
});

test('a running tool call finishes in its own thread while its toolset is replaced', async () => {
  const { skills, dir, started } = await openTrusted();
  const before = await ask(skills);
  const [begun, until] = [join(dir, '../begun'), join(dir, '../until')];
  const slow = ask(skills, { begun, until });
  await expect.poll(() => existsSync(begun)).toBe(true);
  writeFileSync(join(dir, 't.mjs'), toolset('second'));
  await trust(skills);
  expect(await ask(skills)).toMatch(/^second in/);
  await skills.trust.revoke('hello');
  expect(await ask(skills)).toMatch(/^NOT_TRUSTED/);
  writeFileSync(until, '');
  expect(await slow).toBe(before);
  expect(started()).toBe(2);
});

test('tools that were listed before call the current version of their toolset', async () => {
  const { skills, dir } = await openTrusted();
  const listed = await skills.toolsets.list('hello');
  const [tool] = listed.ok ? listed.tools : [];
  writeFileSync(join(dir, 't.mjs'), toolset('second'));
  await trust(skills);
  expect(await tool?.execute({})).toMatchObject({ ok: true, output: expect.stringMatching(/^second/) });
  writeFileSync(join(dir, 't.mjs'), toolset('third').replace("'where'", "'else'"));
  await trust(skills);
  expect(await tool?.execute({})).toMatchObject({ ok: false, message: 'where is no longer in its toolset' });
  rmSync(dir, { recursive: true });
  expect(await tool?.execute({})).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
});

test('a toolset that failed is tried again only when it is needed', async () => {
  const { skills, started } = await openTrusted({ 'u.mjs': "throw new Error('not now'); export const U = [];" }, [
    't:T',
    'u:U',
  ]);
  for (let count = 0; count < 3; count += 1) expect(await ask(skills)).toMatch(/^first in/);
  expect(started()).toBe(2);
  expect(await skills.toolsets.call('hello', 'other', { args: {} })).toMatchObject({
    code: 'TOOLSET_FAILED',
    message: expect.stringContaining('not now'),
  });
  expect(started()).toBe(4);
  expect(await skills.toolsets.list('hello')).toMatchObject({
    tools: [{ name: 'where' }],
    failures: [{ toolset: 'u:U' }],
  });
});

test('closed toolsets are opened again by the next tool call', async () => {
  const { skills, started } = await openTrusted();
  await ask(skills);
  await skills.toolsets.close();
  expect(await ask(skills)).toMatch(/^first in/);
  expect(started()).toBe(2);
});
