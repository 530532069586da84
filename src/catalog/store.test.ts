import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { namesOf, queueChanges, type ChangeQueue } from '../../test/support/changes.ts';
import { sourceRoot } from '../../test/support/found.ts';
import { settle } from '../../test/support/settle.ts';
import { link, skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { renderLock } from '../config/lock-file.ts';
import type { Catalog } from './catalog.ts';
import type { CatalogChange } from './difference.ts';
import { SkillStore } from './store.ts';

const described = (description: string): string => skillText({ description });

/** Without the bundled skills, so that a catalog holds what its test made. */
const NO_BUNDLED: Tree = { 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' };

function openStore(tree: Tree): { readonly world: World; readonly store: SkillStore } {
  const world = makeWorld({ ...NO_BUNDLED, ...tree });
  return { world, store: new SkillStore({ environment: world.environment }) };
}

/** The clock stands still, this much later than now. */
function stopClock(later: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
  onTestFinished(() => void vi.useRealTimers());
}

const namesIn = ({ skills }: Catalog): readonly string[] => skills.map((skill) => skill.name);

describe('loading the catalog', () => {
  test('returns the skills of all sources together, and keeps the result', async () => {
    const { store } = openStore({
      'home/.agent/skills/b/SKILL.md': described('B.'),
      'project/.claude/skills/a/SKILL.md': described('A.'),
    });
    expect(store.isLoaded).toBe(false);
    expect(() => store.catalog()).toThrow('has not scanned yet');
    const catalog = await store.loadAll();
    expect(namesIn(catalog)).toEqual(['a', 'b']);
    expect(store.catalog()).toBe(catalog);
  });

  test('does not read an unchanged file again', async () => {
    const { world, store } = openStore({
      'home/.agent/skills/a/SKILL.md': skillText({ description: 'A.', tags: ['t'] }),
    });
    await settle(join(world.home, '.agent/skills/a/SKILL.md'));
    const [first] = (await store.loadAll()).skills;
    const [second] = (await store.loadAll()).skills;
    expect(second?.tags).toEqual(['t']);
    expect(second?.tags).toBe(first?.tags);
  });

  test('ignores line endings, but not content, when it compares shadowed copies', async () => {
    const text = skillText({ name: 'a', description: 'A.' }, 'Body one.');
    const { store } = openStore({
      'home/.agent/skills/a/SKILL.md': text,
      'home/.agents/skills/a/SKILL.md': `${text.replaceAll('\n', '\r\n')}\r\n`,
      'home/.claude/skills/a/SKILL.md': text.replace('one', 'two'),
    });
    const shadows = (await store.loadAll()).diagnostics.filter(({ code }) => code === 'SHADOWED');
    expect(shadows.map(({ path, severity }) => [path.split('/').at(-4), severity])).toEqual([
      ['.agents', 'info'],
      ['.claude', 'warning'],
    ]);
  });

  test('reads the configuration every time', async () => {
    const { world, store } = openStore({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    await store.loadAll();
    writeTree(world.home, { '.agent/config.yaml': 'skills:\n  disabled: [a]\n  disabledSources: [bundled]\n' });
    expect((await store.loadAll()).skills).toMatchObject([{ name: 'a', status: 'disabled' }]);
  });

  test('looks required commands up on the PATH without running them', async () => {
    const { world, store } = openStore({
      'bin/tool': '#!/bin/sh\ntouch "$(dirname "$0")/canary"\n',
      'home/.agent/skills/a/SKILL.md': skillText({ description: 'A.', metadata: { requires: 'tool' } }),
      'home/.agent/skills/b/SKILL.md': skillText({ description: 'B.', metadata: { requires: 'tool other more' } }),
    });
    expect((await store.loadAll()).skills).toMatchObject([
      { name: 'a', status: 'enabled' },
      { name: 'b', status: 'unavailable', unavailableReason: 'missing commands: other, more' },
    ]);
    rmSync(join(world.root, 'bin/tool'));
    expect((await store.loadAll()).skills).toMatchObject([{ status: 'unavailable' }, { status: 'unavailable' }]);
    expect(() => rmSync(join(world.root, 'bin/canary'))).toThrow('ENOENT');
  });

  test('from given folders looks at no others', async () => {
    const world = makeWorld({ 'home/.agent/skills/a/SKILL.md': described('A.'), 'more/b/SKILL.md': described('B.') });
    const roots = [sourceRoot(join(world.root, 'more'))];
    const catalog = await new SkillStore({ environment: world.environment, roots }).loadAll();
    expect(namesIn(catalog)).toEqual(['b']);
  });
});

describe('refreshing the catalog', () => {
  test('reports what was added, changed and removed since the last scan', async () => {
    const { world, store } = openStore({
      'home/.agent/skills/edited/SKILL.md': described('Old.'),
      'home/.agent/skills/gone/SKILL.md': described('Gone.'),
      'home/.agent/skills/kept/SKILL.md': described('Kept.'),
    });
    await store.loadAll();
    const skills = join(world.home, '.agent/skills');
    rmSync(join(skills, 'gone'), { recursive: true });
    writeTree(skills, { 'edited/SKILL.md': described('New.'), 'new/SKILL.md': described('New.') });
    const change = await store.refresh();
    expect(namesOf(change)).toEqual({ added: ['new'], changed: ['edited'], removed: ['gone'] });
    expect(change.changed[0]?.description).toBe('New.');
    expect(namesOf(await store.refresh())).toEqual({ added: [], changed: [], removed: [] });
  });

  test('before the first scan reports every skill as added', async () => {
    const { store } = openStore({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    expect(namesOf(await store.refresh())).toEqual({ added: ['a'], changed: [], removed: [] });
  });

  test('reports a changed setting, a new copy in a higher source and a new command as changes', async () => {
    const { world, store } = openStore({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'home/.agent/skills/b/SKILL.md': described('B.'),
      'home/.agent/skills/c/SKILL.md': skillText({ description: 'C.', metadata: { requires: 'tool' } }),
    });
    await store.loadAll();
    writeTree(world.root, {
      'home/.agent/config.yaml': 'skills:\n  disabled: [a]\n  disabledSources: [bundled]\n',
      'project/.agent/skills/b/SKILL.md': described('Another b.'),
      'bin/tool': '#!/bin/sh\n',
    });
    expect(namesOf(await store.refresh())).toEqual({ added: [], changed: ['a', 'b', 'c'], removed: [] });
  });
});

describe('the configuration of an open store', () => {
  const disable = (names: string): Tree => ({ '.agent/config.yaml': `skills:\n  disabled: [${names}]\n` });

  test('changes as soon as its file does, before the next scan', async () => {
    const { world, store } = openStore({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    const catalog = await store.loadAll();
    writeTree(world.home, disable('a'));
    expect(store.config().config.disabled).toEqual(['a']);
    writeTree(world.home, disable('b'));
    expect(store.config().config.disabled).toEqual(['b']);
    writeTree(world.project, { '.agent/config.yaml': 'skills:\n  disabled: [c]\n' });
    expect(store.config().config.disabled).toEqual(['b', 'c']);
    expect(store.catalog()).toBe(catalog);
    expect(catalog.reading.config.disabled).toEqual([]);
  });

  test('is not read again while its files are unchanged', () => {
    const { store } = openStore({ 'home/.agent/config.yaml': 'skills:\n  disabled: [a]\n' });
    stopClock(3_600_000);
    expect(store.config()).toBe(store.config());
  });
});

describe('refreshing the catalog if something changed', () => {
  async function openSettled(): Promise<{ readonly world: World; readonly store: SkillStore }> {
    const { world, store } = openStore({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    stopClock(3_600_000);
    await store.loadAll();
    return { world, store };
  }

  test('does not scan if every folder is unchanged', async () => {
    const { world, store } = await openSettled();
    const catalog = store.catalog();
    await store.refreshIfChanged();
    writeTree(world.home, { 'elsewhere/b/SKILL.md': described('B.') });
    await store.refreshIfChanged();
    expect(store.catalog()).toBe(catalog);
  });

  test.each([
    ['a new skill', { 'home/.agent/skills/b/SKILL.md': described('B.') }, ['a', 'b']],
    ['a skill in a new source folder', { 'project/.claude/skills/b/SKILL.md': described('B.') }, ['a', 'b']],
    [
      'a changed setting of the user',
      { 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled, user]\n' },
      [],
    ],
    ['a changed setting of the project', { 'project/.agent/config.yaml': 'skills:\n  ignoredSkills: [a]\n' }, ['a']],
  ] as const)('notices %s', async (_, tree, names) => {
    const { world, store } = await openSettled();
    const catalog = store.catalog();
    writeTree(world.root, tree);
    await store.refreshIfChanged();
    expect(store.catalog()).not.toBe(catalog);
    expect(store.catalog().skills.map(({ name }) => name)).toEqual(names);
  });

  test('scans again while the last change is too recent for timestamps to tell', async () => {
    const { world, store } = openStore({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'home/.agent/skills/b/': '',
    });
    stopClock(0);
    await store.loadAll();
    writeTree(world.home, { '.agent/skills/b/SKILL.md': described('B.') });
    await store.refreshIfChanged();
    expect(store.catalog().skills.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('the catalog cache', () => {
  test('gives the next process the same catalog as the files', async () => {
    const { world, store } = openStore({
      'home/.agent/skills/a/SKILL.md': skillText({ description: 'A.', tags: ['t'] }),
      'home/.agent/skills/b/SKILL.md': skillText({ name: 'Odd Name', description: 'B.' }),
      'home/.agent/skills/c/SKILL.md': '',
    });
    for (const id of ['a', 'b', 'c']) await settle(join(world.home, '.agent/skills', id, 'SKILL.md'));
    const first = await store.loadAll();
    store.save();
    expect(await new SkillStore({ environment: world.environment }).loadAll()).toEqual(first);
  });

  test('is skipped if the home folder cannot be written', async () => {
    const world = makeWorld({ 'home/.agent': 'a file', 'project/.claude/skills/a/SKILL.md': described('A.') });
    const store = new SkillStore({ environment: world.environment });
    const sources = (await store.loadAll()).skills.map((skill) => skill.source);
    store.save();
    expect(sources).toContain('claude-project');
  });
});

describe('watching the catalog', () => {
  interface Watched {
    readonly world: World;
    readonly store: SkillStore;
    readonly skills: string;
    readonly next: ChangeQueue['next'];
  }

  async function watch(tree: Tree): Promise<Watched> {
    const { world, store } = openStore(tree);
    const { listener, next } = queueChanges();
    const watching = await store.watch(listener, { debounceMs: 20 });
    onTestFinished(() => watching.close());
    return { world, store, skills: join(world.home, '.agent/skills'), next };
  }

  test('reports skills that are added, changed and removed', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    writeTree(skills, { 'b/SKILL.md': described('B.') });
    expect(await next()).toEqual({ added: ['b'], changed: [], removed: [] });
    writeFileSync(join(skills, 'a/SKILL.md'), described('Another A.'));
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
    writeFileSync(join(skills, 'b/SKILL.md'), described('Another B.'));
    expect(await next()).toEqual({ added: [], changed: ['b'], removed: [] });
    rmSync(join(skills, 'a'), { recursive: true });
    expect(await next()).toEqual({ added: [], changed: [], removed: ['a'] });
  });

  test('reports a change that another caller’s refresh noticed first', async () => {
    const { store, skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    writeTree(skills, { 'b/SKILL.md': described('B.') });
    expect(namesOf(await store.refresh())).toMatchObject({ added: ['b'] });
    expect(await next()).toEqual({ added: ['b'], changed: [], removed: [] });
  });

  test('reports simultaneous changes as one', async () => {
    const { skills, next } = await watch({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'home/.agent/skills/b/SKILL.md': described('B.'),
    });
    writeTree(skills, { 'c/SKILL.md': described('C.'), 'd/SKILL.md': described('D.') });
    writeFileSync(join(skills, 'a/SKILL.md'), described('Another A.'));
    rmSync(join(skills, 'b'), { recursive: true });
    expect(await next()).toEqual({ added: ['c', 'd'], changed: ['a'], removed: ['b'] });
  });

  test('notices a replaced file and a renamed folder', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    writeFileSync(join(skills, 'a/.SKILL.md.tmp'), described('Another A.'));
    renameSync(join(skills, 'a/.SKILL.md.tmp'), join(skills, 'a/SKILL.md'));
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
    renameSync(join(skills, 'a'), join(skills, 'z'));
    expect(await next()).toEqual({ added: ['z'], changed: [], removed: ['a'] });
  });

  test('notices source folders that are created later', async () => {
    const { world, next } = await watch({});
    writeTree(world.home, { '.claude/skills/a/SKILL.md': described('A.') });
    expect(await next()).toEqual({ added: ['a'], changed: [], removed: [] });
    writeTree(world.project, { '.agents/skills/b/SKILL.md': described('B.') });
    expect(await next()).toEqual({ added: ['b'], changed: [], removed: [] });
    writeTree(world.home, { '.claude/skills/a/SKILL.md': described('Another A.') });
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
  });

  test('notices a SKILL.md that is added to an existing folder', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/before/': '' });
    writeFileSync(join(skills, 'before/SKILL.md'), described('Before.'));
    expect(await next()).toEqual({ added: ['before'], changed: [], removed: [] });
    // With the other skill's arrival it is certain that the empty directory has been seen.
    mkdirSync(join(skills, 'empty'));
    writeTree(skills, { 'other/SKILL.md': described('Other.') });
    expect(await next()).toEqual({ added: ['other'], changed: [], removed: [] });
    writeFileSync(join(skills, 'empty/SKILL.md'), described('No longer.'));
    expect(await next()).toEqual({ added: ['empty'], changed: [], removed: [] });
  });

  test('notices changes behind a link', async () => {
    const { world, next } = await watch({
      'shared/a/SKILL.md': described('A.'),
      'home/.agent/skills/a': link('../../../shared/a'),
    });
    writeFileSync(join(world.root, 'shared/a/SKILL.md'), described('Another A.'));
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
  });

  test('notices changes of the configuration', async () => {
    const { world, next } = await watch({
      'home/.agent/skills/a/SKILL.md': described('A.'),
      'project/.agent/skills/b/SKILL.md': described('B.'),
      'project/.agent/config.yaml': 'skills: {}\n',
    });
    writeTree(world.home, { '.agent/config.yaml': 'skills:\n  disabled: [a]\n  disabledSources: [bundled]\n' });
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
    writeTree(world.project, { '.agent/config.yaml': 'skills:\n  disabled: [b]\n' });
    expect(await next()).toEqual({ added: [], changed: ['b'], removed: [] });
  });

  test.each(['home', 'project'])('notices a new configuration file in the %s folder', async (place) => {
    const world = makeWorld({ [`${place}/.agent/skills/a/SKILL.md`]: described('A.') });
    const { listener, next } = queueChanges();
    const store = new SkillStore({ environment: world.environment });
    const watching = await store.watch(listener, { debounceMs: 20 });
    onTestFinished(() => watching.close());
    writeTree(join(world.root, place), { '.agent/config.yaml': 'skills:\n  disabled: [a]\n' });
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
  });

  test('ignores files that change no skill', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    writeTree(skills, { 'a/references/note.md': 'text', 'README.md': 'text' });
    writeFileSync(join(skills, 'a/SKILL.md'), described('A.'));
    writeTree(skills, { 'b/SKILL.md': described('B.') });
    expect(await next()).toEqual({ added: ['b'], changed: [], removed: [] });
  });

  test('keeps watching a skill folder that was removed and created again', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    rmSync(join(skills, 'a'), { recursive: true });
    writeTree(skills, { 'a/SKILL.md': described('Another A.') });
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
    writeFileSync(join(skills, 'a/SKILL.md'), described('A third A.'));
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
  });

  test('keeps watching a source that was removed and created again', async () => {
    const { skills, next } = await watch({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    rmSync(skills, { recursive: true });
    writeTree(skills, { 'a/SKILL.md': described('Another A.') });
    expect(await next()).toEqual({ added: [], changed: ['a'], removed: [] });
    writeTree(skills, { 'b/SKILL.md': described('B.') });
    expect(await next()).toEqual({ added: ['b'], changed: [], removed: [] });
  });

  test('notices a skill that is added to a plugin', async () => {
    const { world, next } = await watch({ 'home/.claude/plugins/market/plugin/commands/': '' });
    writeTree(world.home, { '.claude/plugins/market/plugin/skills/a/SKILL.md': described('A.') });
    expect(await next()).toEqual({ added: ['a'], changed: [], removed: [] });
  });

  test('does not miss a SKILL.md that is written during a scan', async () => {
    const { world } = openStore({ 'home/.agent/skills/': '' });
    const skills = join(world.home, '.agent/skills');
    /** Its user fills the new directory after it was read and before anything else happens. */
    class FilledWhileLooking extends SkillStore {
      override async refresh(): Promise<CatalogChange> {
        const change = await super.refresh();
        writeTree(skills, { 'new/SKILL.md': described('New.') });
        return change;
      }
    }
    const { listener, next } = queueChanges();
    const store = new FilledWhileLooking({ environment: world.environment });
    const watching = await store.watch(listener, { debounceMs: 1 });
    onTestFinished(() => watching.close());
    mkdirSync(join(skills, 'new'));
    expect(await next()).toEqual({ added: ['new'], changed: [], removed: [] });
  });

  test('calls no listener after it is closed, even during a scan', async () => {
    const { world } = openStore({ 'home/.agent/skills/a/SKILL.md': described('A.') });
    let looked = (): void => undefined;
    const hasLooked = new Promise<void>((resolve) => {
      looked = resolve;
    });
    /** Closed by its user at the worst moment. */
    class ClosedWhileLooking extends SkillStore {
      override async refresh(): Promise<CatalogChange> {
        const change = await super.refresh();
        watching.close();
        setImmediate(looked);
        return change;
      }
    }
    let calls = 0;
    const store = new ClosedWhileLooking({ environment: world.environment });
    const watching = await store.watch(() => (calls += 1), { debounceMs: 1 });
    writeTree(world.home, { '.agent/skills/b/SKILL.md': described('B.') });
    await hasLooked;
    expect(calls).toBe(0);
  });
});

test('every skill of a catalog is frozen, also one that was installed, is off, pinned or shadowed', async () => {
  const { store } = openStore({
    'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n  pinned: [a]\n',
    'home/.agent/skills/a/SKILL.md': described('A.'),
    'home/.agent/skills/off/SKILL.md': described('Off.'),
    'home/.agent/skills/broken/SKILL.md': '',
    'home/.agents/skills/a/SKILL.md': described('Other.'),
    'home/.agent/plugins/p/SKILL.md': described('P.'),
    'home/.agent/skills-lock.yaml': renderLock([
      {
        name: 'p',
        origin: { kind: 'directory', url: '/p' },
        path: '.',
        digest: `sha256:${'0'.repeat(64)}`,
        files: [],
      },
    ]),
  });
  const { skills, shadowed, diagnostics } = await store.loadAll();
  expect(skills.map(({ name, status, pinned }) => [name, status, pinned])).toEqual([
    ['a', 'enabled', true],
    ['broken', 'broken', false],
    ['off', 'disabled', false],
    ['p', 'enabled', false],
  ]);
  expect(diagnostics.filter(({ code }) => code === 'CONFIG_INVALID')).toEqual([]);
  const values = [...skills, ...shadowed].flatMap((skill) => [skill, ...Object.values(skill)]);
  expect(values.filter((value) => !Object.isFrozen(value))).toEqual([]);
});
