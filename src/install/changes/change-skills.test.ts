import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { gitEnvironment, makeRepository, type TestRepository } from '../../../test/support/git-repositories.ts';
import {
  catalogOf,
  changeContext,
  done,
  makeInstallWorld,
  skill,
  snapshot,
  type InstallWorld,
} from '../../../test/support/install-world.ts';
import { deadName } from '../../../test/support/locks.ts';
import { makeTree, writeTree } from '../../../test/support/tree.ts';
import { renderLock } from '../../config/lock-file.ts';
import { MAX_LOCK_BYTES } from '../../model/limits.ts';
import type { LockedSkill } from '../../model/lock.ts';
import { makeChange } from '../../platform/files/pending-changes.ts';
import { makeTemporaryTree } from '../../platform/files/temporary-tree.ts';
import { openAuditGate } from '../audit-gate.ts';
import { resolveOrigin } from '../origins/origin-kinds.ts';
import { prepareSkill } from '../staging/prepare-skill.ts';
import { changeSkills, planChange } from './change-skills.ts';
import { findPrevious } from './previous-version.ts';
import type { ChangeContext, SkillChange } from './skill-change.ts';

/** A skill of three versions, two of which are installed one after the other, and the context of a change. */
interface Scene extends InstallWorld {
  readonly source: TestRepository;
  readonly context: ChangeContext;
  readonly locked: LockedSkill;
}

/** The repository, and a home with the first two versions, made once and copied for each scene. */
const kept = makeTemporaryTree({});
afterAll(() => kept[Symbol.dispose]());
let repository: Promise<TestRepository> | undefined;

async function makeKept(): Promise<TestRepository> {
  const world = makeInstallWorld({ 'home/.agent/config.yaml': '# mine\n' });
  const source = makeRepository({ 'SKILL.md': skill('pdf'), v: '1' }, join(kept.root, 'repository'));
  done(await world.user.install({ url: source.url }));
  source.commit({ v: '2' });
  done(await world.user.update([], async ({ updates }) => updates));
  source.commit({ v: '3' });
  cpSync(world.home, join(kept.root, 'home'), { recursive: true });
  return source;
}

async function setScene(): Promise<Scene> {
  const source = await (repository ??= makeKept());
  const world = makeInstallWorld();
  cpSync(join(kept.root, 'home'), world.home, { recursive: true });
  const { locked } = done(await world.user.find('pdf')).plugin;
  if (locked === undefined) throw new Error('it is not installed');
  return { ...world, source, locked, context: changeContext(world.environment) };
}

/** The newest version, written out under a name. */
async function stage({ source, context }: Scene, name: string): Promise<NonNullable<SkillChange['after']>> {
  const into = makeTree();
  const environment = gitEnvironment(into);
  await using opened = done(await resolveOrigin(source.url, { environment, into })).opened;
  return done(await prepareSkill(opened, { name, path: '' }, { ...context, gate: openAuditGate(context) }));
}

const KINDS: Readonly<Record<string, (scene: Scene) => Promise<SkillChange>>> = {
  install: async (scene) => ({ name: 'docx', before: undefined, after: await stage(scene, 'docx') }),
  update: async (scene) => ({ name: 'pdf', before: scene.locked, after: await stage(scene, 'pdf') }),
  rollback: async ({ context, locked }) => ({
    name: 'pdf',
    before: locked,
    after: done(findPrevious(context.work.dir, 'pdf')).previous,
  }),
  remove: async ({ locked }) => ({ name: 'pdf', before: locked, after: undefined }),
};

/** The same as another world's, but for the names of temporary things and times. */
function comparable({ root, home, source }: Scene): unknown {
  const shown = JSON.stringify(snapshot(home)).replaceAll(root, '').replaceAll(source.url, '');
  return JSON.parse(shown.replaceAll(/\d+-[0-9a-z]{8,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*'));
}

describe.each(Object.keys(KINDS))('an interrupted %s', (kind) => {
  const plan = KINDS[kind] ?? (() => Promise.reject(new Error('there is no such change')));

  test('is completed by the next process, whichever renames were already made', async () => {
    const whole = await setScene();
    done(await changeSkills([await plan(whole)], whole.context));
    const expected = comparable(whole);
    let count = Number.POSITIVE_INFINITY;
    for (let made = 0; made <= count; made += 1) {
      const scene = await setScene();
      const { change } = done(await planChange([await plan(scene)], scene.context));
      count = change.moves.length;
      mkdirSync(join(scene.agentHome, 'pending'), { recursive: true });
      writeFileSync(join(scene.agentHome, 'pending/1-x.json'), JSON.stringify({ version: 1, ...change }));
      for (const { from, to } of change.moves.slice(0, made)) renameSync(from, to);
      const { plugins } = done(await scene.user.verify());
      for (const { state } of plugins) expect(state).toBe('unchanged');
      expect(comparable(scene)).toEqual(expected);
    }
    expect(count).toBeGreaterThanOrEqual(3);
  });

  test('is undone completely if one of its renames fails', async () => {
    const scene = await setScene();
    const change = await plan(scene);
    const before = snapshot(scene.home);
    // The first file to be replaced is the last moment at which this is possible.
    const file = join(scene.agentHome, 'skills-lock.yaml');
    const planned = done(await planChange([change], scene.context)).change;
    const aside = makeTree();
    renameSync(file, join(aside, 'file'));
    mkdirSync(join(file, 'x'), { recursive: true });
    expect(makeChange(scene.agentHome, planned)).toMatchObject(NOTHING_CHANGED);
    renameSync(file, join(aside, 'obstacle'));
    renameSync(join(aside, 'file'), file);
    expect(snapshot(scene.home)).toEqual(before);
  });
});

const NOTHING_CHANGED = { ok: false, message: expect.stringContaining('nothing was changed') };

test('an installation whose folder cannot be put in place changes nothing', async () => {
  const scene = await setScene();
  const change = { name: 'docx', before: undefined, after: await stage(scene, 'docx') };
  const planned = done(await planChange([change], scene.context)).change;
  mkdirSync(join(scene.plugins, 'docx/x'), { recursive: true });
  expect(makeChange(scene.agentHome, planned)).toMatchObject(NOTHING_CHANGED);
  expect(readdirSync(join(scene.agentHome, 'pending'))).toEqual([]);
  expect(done(await scene.user.list()).plugins.map(({ name }) => name)).toEqual(['pdf']);
});

test('opening the catalog completes an installation that was interrupted', async () => {
  const scene = await setScene();
  const change = { name: 'docx', before: undefined, after: await stage(scene, 'docx') };
  const planned = done(await planChange([change], scene.context)).change;
  writeFileSync(join(scene.agentHome, 'pending/1-x.json'), JSON.stringify({ version: 1, ...planned }));
  await using catalog = await catalogOf(scene);
  expect(done(catalog.find('docx')).skill).toMatchObject({ name: 'docx', origin: { url: scene.source.url } });
  expect(readdirSync(join(scene.agentHome, 'pending'))).toEqual([]);
});

test('leftovers of a process that was killed while fetching are removed by the next change', async () => {
  const scene = await setScene();
  const name = deadName();
  const before = snapshot(scene.home);
  writeTree(scene.agentHome, {
    [`.skillplane-${name}.new`]: 'x',
    [`plugins/.skillplane/.skillplane-${name}.new/SKILL.md`]: 'x',
    [`plugins/.skillplane/.skillplane-${name}.tmp/x`]: 'x',
  });
  done(await scene.user.update([], async () => []));
  expect(snapshot(scene.home)).toEqual(before);
});

test('a damaged entry of a previous version stops rollback, and the next update or removal discards it', async () => {
  const scene = await setScene();
  const entryOf = (version: number): string => join(scene.context.work.dir, `previous-pdf/${version}.yaml`);
  writeFileSync(entryOf(1), readFileSync(entryOf(1), 'utf8').slice(0, -40));
  const before = snapshot(scene.home);
  expect(await scene.user.rollback('pdf')).toMatchObject({ ok: false, message: `${entryOf(1)} is damaged` });
  expect(snapshot(scene.home)).toEqual(before);
  done(await scene.user.update([], async ({ updates }) => updates));
  expect(existsSync(entryOf(1))).toBe(false);
  done(await scene.user.rollback('pdf'));
  expect(readFileSync(join(scene.plugins, 'pdf/v'), 'utf8')).toBe('2');
  writeFileSync(entryOf(3), '');
  done(await scene.user.remove('pdf'));
  expect(existsSync(scene.context.work.dir)).toBe(false);
});

test('previous versions of skills are recorded independently: a damaged one stops no change of another skill', async () => {
  const scene = await setScene();
  writeFileSync(join(scene.context.work.dir, 'previous-pdf/1.yaml'), '');
  const change = { name: 'docx', before: undefined, after: await stage(scene, 'docx') };
  expect(await changeSkills([change], scene.context)).toEqual({ ok: true });
});

describe('a change of installed skills', () => {
  let scene: Scene;
  let before: ReturnType<typeof snapshot>;
  beforeEach(async () => {
    scene = await setScene();
    before = snapshot(scene.home);
  });
  const refusal = async (changes: readonly SkillChange[]): Promise<unknown> => {
    const outcome = await changeSkills(changes, scene.context);
    expect(snapshot(scene.home)).toEqual(before);
    return outcome;
  };

  test('is refused as a whole if one of several skills cannot be changed', async () => {
    const after = await stage(scene, 'docx');
    before = snapshot(scene.home);
    const removal = { name: 'pdf', before: scene.locked, after: undefined };
    const bad = { name: 'pdf', before: undefined, after };
    expect(await refusal([{ name: 'docx', before: undefined, after }, bad])).toMatchObject({ code: 'ALREADY_EXISTS' });
    const evil = { name: '../docx', before: undefined, after };
    expect(await refusal([removal, evil])).toMatchObject({ code: 'INVALID_NAME' });
  });

  test('is refused if the lock has changed in the meantime', async () => {
    const old = { ...scene.locked, digest: `sha256:${'0'.repeat(64)}` };
    const moved = { ...scene.locked, origin: { kind: 'git', url: 'x', commit: '0'.repeat(40) } } as const;
    for (const known of [old, moved, undefined])
      expect(await refusal([{ name: 'pdf', before: known, after: undefined }])).toMatchObject({ code: 'STORE_FAILED' });
  });

  test('is refused if the version to install is gone', async () => {
    const after = { entry: scene.locked, dir: join(scene.context.work.dir, 'previous-pdf/1-gone') };
    expect(await refusal([{ name: 'pdf', before: scene.locked, after }])).toMatchObject({ code: 'STORE_FAILED' });
  });

  test('is refused if the lock would become too large to be read again', async () => {
    const files = [{ path: 'x'.repeat(MAX_LOCK_BYTES), digest: scene.locked.digest, executable: false }];
    const after = await stage(scene, 'docx');
    before = snapshot(scene.home);
    const large = { entry: { ...after.entry, files }, dir: after.dir };
    expect(await refusal([{ name: 'docx', before: undefined, after: large }])).toMatchObject({
      ok: false,
      message: expect.stringContaining('would be larger'),
    });
  });

  test('is refused if a file cannot be written, and files already written are removed', async () => {
    const change = await KINDS['update']?.(scene);
    if (change === undefined) throw new Error('there is no change');
    const config = join(scene.agentHome, 'config.yaml');
    writeFileSync(config, 'skills: 5\n');
    before = snapshot(scene.home);
    expect(await refusal([change])).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
  });
});

test('installing a skill keeps the other entries of the lock and sorts them by name', async () => {
  const scene = await setScene();
  const file = join(scene.agentHome, 'skills-lock.yaml');
  const other = (name: string): LockedSkill => ({ ...scene.locked, name });
  writeFileSync(file, renderLock([other('zzz'), scene.locked, other('aaa')]));
  done(
    await changeSkills(
      [await stage(scene, 'docx').then((after) => ({ name: 'docx', before: undefined, after }))],
      scene.context,
    ),
  );
  const names = readFileSync(file, 'utf8')
    .match(/^ {2}\w+(?=:)/gm)
    ?.map((name) => name.trim());
  expect(names).toEqual(['aaa', 'docx', 'pdf', 'zzz']);
  expect(readdirSync(scene.agentHome).filter((name) => name.startsWith('.'))).toEqual([]);
});
