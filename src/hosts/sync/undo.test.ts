import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { sourceUrl } from '../../../test/support/child.ts';
import { RUNS_SOURCES } from '../../../test/support/child.ts';
import { crashAt, stopEach, type ChangingModule } from '../../../test/support/crash-points.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { snapshotTree } from '../../../test/support/snapshot.ts';
import { link, makeTree, skillText, writeTree, type Tree } from '../../../test/support/tree.ts';
import { editConfig } from '../../config/edit-config.ts';
import { editExceptions } from '../../config/host-globs.ts';
import { disable, enable } from '../../install/switch.ts';
import { HOST_IDS, type HostId } from '../../model/agents.ts';
import { HOSTS } from '../all-hosts.ts';
import { connectHost, disconnectHost } from '../connecting/connect-host.ts';
import type { SyncOptions } from './sync-request.ts';
import { planSync, sync, undoSync } from './sync.ts';

const NAMES = ['pdf', 'mail', 'web'] as const;
const skill = (name: string, text = 'Text.'): string => skillText({ name, description: `Does ${name}.` }, `${text}\n`);

/** Settings as people write them, some hosts without any, and skills of others in the way. */
const FOREIGN: Tree = {
  '.claude/settings.json': '{\n  // mine\n  "model": "m0", // the best\n  "skillOverrides": {}\n}\n',
  '.claude/skills/mail/SKILL.md': skill('mail', 'Another.'),
  '.codex/config.toml': '# mine\nmodel = "m0"',
  '.gemini/settings.json': '{"model":"m0","skills":{"disabled":["x"]}}',
  '.copilot/': '',
  '.cursor/': '',
  '.config/opencode/opencode.jsonc': '{\r\n\t"model": "m0",\r\n}\r\n',
  '.agents/skills/theirs/SKILL.md': skill('theirs'),
  '.agents/skills/web': link('theirs'),
};
const SETTINGS = Object.keys(FOREIGN).filter((path) => /settings|config\.|opencode\./.test(path));

const SYNC = `async (home) => {
  const { sync } = await import(${JSON.stringify(sourceUrl('hosts/sync/sync.ts'))});
  await sync({ cwd: home, home, env: { HOME: home, PATH: '' } });
}`;
const syncing = (home: string): ChangingModule => ({ code: `await (${SYNC})(process.argv[1])`, args: [home], home });

type Step =
  | { readonly kind: 'switch'; readonly name: string; readonly isOn: boolean }
  | { readonly kind: 'host'; readonly name: string; readonly host: HostId; readonly isOn: boolean }
  | { readonly kind: 'install' | 'remove'; readonly name: string }
  | { readonly kind: 'sync'; readonly copy: boolean }
  | { readonly kind: 'kill'; readonly at: number }
  | { readonly kind: 'edit'; readonly file: string; readonly to: number }
  | { readonly kind: 'take'; readonly path: string };

const name = fc.constantFrom(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const), name, isOn: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('host' as const),
      name,
      host: fc.constantFrom(...HOST_IDS),
      isOn: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('install' as const, 'remove' as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), copy: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), at: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      file: fc.constantFrom(...SETTINGS),
      to: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      path: fc.constantFrom('.agents/skills/pdf', '.claude/skills/pdf', '.claude/skills/web'),
    }),
  },
);

/** The doings of others, which also happen in a home that is never synced. */
function actAsOther(home: string, action: Step): void {
  if (action.kind === 'edit') {
    const path = join(home, action.file);
    const text = readFileSync(path, 'utf8');
    const comment = action.file.endsWith('.toml') ? '#' : '//';
    const noted = text.includes('\r\n') ? `${comment} ${action.to}\r\n` : `${comment} ${action.to}\n`;
    writeFileSync(path, `${noted}${text.replace(/m\d/, `m${action.to}`)}`);
  }
  if (action.kind !== 'take') return;
  const path = join(home, action.path);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'SKILL.md'), skill('pdf', 'Theirs.'));
}

async function syncOrThrow(options: SyncOptions): Promise<void> {
  const done = await sync(options);
  if (!done.ok) throw new Error(done.message);
}

async function act(home: string, action: Step): Promise<void> {
  const options = { cwd: home, home, env: { HOME: home, PATH: '' } };
  const dir = join(home, '.agent/skills', 'name' in action ? action.name : '');
  if (action.kind === 'install') writeTree(home, { [`.agent/skills/${action.name}/SKILL.md`]: skill(action.name) });
  else if (action.kind === 'remove') rmSync(dir, { recursive: true, force: true });
  else if (action.kind === 'kill') await crashAt(syncing(home), action.at);
  else if (action.kind === 'sync') await syncOrThrow({ ...options, copy: action.copy });
  else if ('isOn' in action && existsSync(dir)) {
    const { isOn } = action;
    const config = { file: join(home, '.agent/config.yaml'), isUsers: true };
    if (action.kind === 'host')
      await editConfig(
        config,
        editExceptions([{ name: action.name, host: action.host, kind: isOn ? 'default' : 'kept' }]),
      );
    else await (isOn ? enable : disable)(action.name, options);
  }
}

const CONFIG = 'skills:\n  disabledSources: [bundled]\n';

test('undoing a sync restores every foreign byte, whatever installs, switches, edits and crashes came before', async ({
  skip,
}) => {
  skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const root = makeTree({ 'home/.agent/config.yaml': CONFIG, 'home/.agent/skills/pdf/SKILL.md': skill('pdf') });
      const [home, other] = [join(root, 'home'), join(root, 'other')];
      writeTree(home, FOREIGN);
      cpSync(home, other, { recursive: true, verbatimSymlinks: true });
      for (const action of steps) {
        actAsOther(home, action);
        actAsOther(other, action);
        await act(home, action);
      }
      const undone = await undoSync({ cwd: home, home, env: { HOME: home, PATH: '' } });
      expect(undone).toMatchObject({ ok: true });
      expect(snapshotTree(home, ['.agent'])).toEqual(snapshotTree(other, ['.agent']));
    }),
    { seed: 20_261_117, numRuns: propertyRuns(12, 4) },
  );
}, 240_000);

const optionsFor = (home: string): SyncOptions => ({ cwd: home, home, env: { HOME: home, PATH: '' } });

/** A home with a skill that two hosts get and two do not. */
function makeUnsynced(): string {
  const config = `${CONFIG}  hosts: { codex: ["!pdf"], gemini: ["!pdf"] }\n`;
  const home = makeTree({ '.agent/config.yaml': config, '.agent/skills/pdf/SKILL.md': skill('pdf') });
  writeTree(home, FOREIGN);
  return home;
}

async function finishAndCheck(home: string): Promise<void> {
  await syncOrThrow(optionsFor(home));
  expect(await planSync(optionsFor(home))).toMatchObject({ plan: { changes: [] } });
}

async function undoAndCheck(home: string): Promise<void> {
  expect(await undoSync(optionsFor(home))).toMatchObject({ ok: true });
  expect(snapshotTree(home, ['.agent'])).toEqual(snapshotTree(makeTree(FOREIGN)));
}

test('a sync that is stopped at any of its steps is completed by the next sync, or undone', async ({ skip }) => {
  skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
  const count = propertyRuns(160, 32);
  const homes = Array.from({ length: count }, (_, index) => ({ home: makeUnsynced(), at: 1 + index * (160 / count) }));
  const stopped = await stopEach(SYNC, homes);
  expect(stopped.length).toBeGreaterThan(count / 2);
  expect(stopped.length).toBeLessThan(count);
  for (const [index, home] of stopped.entries()) {
    if (index % 2 === 0) await finishAndCheck(home);
    await undoAndCheck(home);
  }
});

test('a sync that is killed is completed by the next sync, or undone', async ({ skip }) => {
  skip(!RUNS_SOURCES, 'this version of Node.js cannot run the sources directly');
  const homes = [makeUnsynced(), makeUnsynced()] as const;
  for (const home of homes) expect(await crashAt(syncing(home), 60)).toBe(true);
  await finishAndCheck(homes[0]);
  for (const home of homes) await undoAndCheck(home);
});

test.each(['sync first', 'connect first'])('a sync and a connection in one file are each undone: %s', async (order) => {
  const home = makeUnsynced();
  const place = { home, cwd: home, variables: {}, agentHome: join(home, '.agent') };
  const connect = (): Promise<unknown> =>
    connectHost(HOSTS.gemini, place, {
      server: { kind: 'stdio', command: 'skillplane', args: ['mcp'] },
      hook: ['skillplane', 'hook', 'gemini'],
    });
  const steps = [() => syncOrThrow(optionsFor(home)), connect];
  for (const step of order === 'sync first' ? steps : steps.toReversed()) await step();
  expect(await undoSync(optionsFor(home))).toMatchObject({ ok: true });
  expect(await disconnectHost(HOSTS.gemini, place)).toMatchObject({ ok: true });
  const text = readFileSync(join(home, '.gemini/settings.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(FOREIGN['.gemini/settings.json'] as string));
});
