import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { brokenFind, foundSkill, sourceRoot } from '../../test/support/found.ts';
import { compareText } from '../model/order.ts';
import { isPlainName } from '../parse/name-rules.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { describeShadow, resolveShadowing, type Holder } from './shadowing.ts';

function resolve(...args: Parameters<typeof resolveShadowing>): readonly Holder[] {
  const { winners, contested } = resolveShadowing(...args);
  return winners.map((winner) => contested.get(winner) ?? { winner, losers: [] });
}

/** Who holds which name, by directory: `{ winner: [losers] }`. */
function holdersOf(found: readonly FoundSkill[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    resolve(found).map(({ winner, losers }) => [winner.skill.dir, losers.map(({ skill }) => skill.dir)]),
  );
}

describe('skills that are known to be in order', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'B', 'E', 'ｄ'), {
    minLength: 1,
  });
  const names = fc.array(fc.constantFrom(undefined, undefined, undefined, 'a', 'b', 'C', 'd', 'z'));
  const rootOf = (path: string): fc.Arbitrary<readonly FoundSkill[]> => {
    const root = sourceRoot(path, { id: path.slice(1) });
    return fc.tuple(ids, names, fc.nat(9)).map(([folders, given, broken]) =>
      folders.toSorted(compareText).map((id, at) => {
        const name = given[at] ?? id;
        const find = at === broken ? brokenFind(`${path}/${id}`) : foundSkill(`${path}/${id}`, { name });
        return { ...find, root };
      }),
    );
  };
  /** Marks the skills that a scan marks. */
  const mark = (one: FoundSkill): FoundSkill => {
    const { id, name, status } = one.skill;
    return name === id && isPlainName(name) && status === 'enabled' ? { ...one, isInOrder: true } : one;
  };

  test('are settled like all others', () => {
    const preferred = fc.dictionary(fc.constantFrom('a', 'b', 'd', 'z'), fc.constantFrom('p', 'u'));
    fc.assert(
      fc.property(fc.tuple(rootOf('/p'), rootOf('/u'), rootOf('/v')), preferred, (roots, preferences) => {
        const found = roots.flat();
        const listed = (holders: readonly Holder[]): unknown =>
          holders.map(({ winner, losers, preferredBy }) => [
            winner.skill.file,
            losers.map(({ skill }) => skill.file),
            preferredBy,
          ]);
        const plain = resolve(found, { preferred: preferences });
        expect(listed(resolve(found.map(mark), { preferred: preferences }))).toEqual(listed(plain));
        expect(plain.map(({ winner }) => winner.skill.name)).toEqual(
          plain.map(({ winner }) => winner.skill.name).toSorted(compareText),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('one name', () => {
  test('goes to the first that has it, and the others are its shadows in their order', () => {
    const found = ['/p/pdf', '/u/pdf', '/b/pdf', '/b/docx'].map((dir) => foundSkill(dir));
    expect(holdersOf(found)).toEqual({ '/p/pdf': ['/u/pdf', '/b/pdf'], '/b/docx': [] });
  });

  test('counts, not the directory', () => {
    const found = [foundSkill('/p/a', { name: 'pdf' }), foundSkill('/u/b', { name: 'pdf' }), foundSkill('/u/c')];
    expect(holdersOf(found)).toEqual({ '/p/a': ['/u/b'], '/u/c': [] });
  });

  test('in one source goes to the first directory', () => {
    const found = [foundSkill('/u/a', { name: 'pdf' }), foundSkill('/u/b', { name: 'pdf' })];
    expect(holdersOf(found)).toEqual({ '/u/a': ['/u/b'] });
  });

  test.each([
    ['pdf', 'PDF'],
    ['pdf', 'Pdf'],
    ['caf\u00E9', 'cafe\u0301'],
    ['fix', '\uFB01x'],
    ['cafe\u0301', 'CAF\u00C9'],
    ['ａｂｃ', 'abc'],
  ])('is %j and %j alike: case and Unicode form make no two names', (one, other) => {
    const found = [foundSkill('/p/x', { name: one }), foundSkill('/u/y', { name: other })];
    expect(holdersOf(found)).toEqual({ '/p/x': ['/u/y'] });
  });

  test('goes to the valid spelling, however high the source of the other ranks', () => {
    const found = [foundSkill('/p/x', { name: 'Demo' }), foundSkill('/u/y', { name: 'demo' })];
    expect(holdersOf(found)).toEqual({ '/u/y': ['/p/x'] });
  });

  test.each([
    ['pdf', 'pdf-2'],
    ['pdf', 'рdf'],
    ['a', 'á'],
  ])('is not %j and %j', (one, other) => {
    const found = [foundSkill('/p/x', { name: one }), foundSkill('/u/y', { name: other })];
    expect(holdersOf(found)).toEqual({ '/p/x': [], '/u/y': [] });
  });
});

describe('one directory found twice', () => {
  test('is one skill, silently', () => {
    const real = foundSkill('/shared/pdf');
    const linked = { ...foundSkill('/u/pdf'), realDir: '/shared/pdf' };
    expect(holdersOf([linked, real])).toEqual({ '/u/pdf': [] });
  });

  test('is one skill also under another name', () => {
    const real = foundSkill('/shared/pdf');
    const linked = { ...foundSkill('/u/forms', { name: 'forms' }), realDir: '/shared/pdf' };
    expect(holdersOf([real, linked])).toEqual({ '/shared/pdf': [] });
  });
});

describe('a directory that claims the name of its neighbour', () => {
  test('does not displace it, though it comes first', () => {
    const found = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not displace it in another spelling either', () => {
    const found = [foundSkill('/u/a', { name: 'B' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not get the name when the neighbour calls itself something else', () => {
    const found = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b', { name: 'other' })];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not displace it when the neighbour itself lost its name to a higher source', () => {
    const found = [foundSkill('/p/b'), foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b')];
    const holders = holdersOf(found);
    expect(Object.keys(holders)).toEqual(['/p/b']);
    expect(holders['/p/b']?.toSorted()).toEqual(['/u/a', '/u/b']);
  });

  test('in another source is no neighbour: there the order of sources decides', () => {
    const found = [foundSkill('/p/a', { name: 'b' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/p/a': ['/u/b'] });
  });

  test('and is claimed itself in turn: no skill is lost', () => {
    const swapped = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b', { name: 'a' })];
    const chain = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b', { name: 'c' }), foundSkill('/u/c')];
    const circle = [
      foundSkill('/u/a', { name: 'b' }),
      foundSkill('/u/b', { name: 'c' }),
      foundSkill('/u/c', { name: 'a' }),
    ];
    for (const found of [swapped, chain, circle]) {
      const everybody = Object.entries(holdersOf(found)).flat(2);
      expect(everybody.toSorted()).toEqual(found.map(({ skill }) => skill.dir));
    }
    expect(Object.keys(holdersOf(chain))).toContain('/u/c');
  });
});

describe('a broken skill', () => {
  test('holds the name of its directory while no working skill has it', () => {
    expect(holdersOf([brokenFind('/p/pdf'), brokenFind('/u/pdf'), foundSkill('/u/docx')])).toEqual({
      '/p/pdf': ['/u/pdf'],
      '/u/docx': [],
    });
  });

  test('hides no working skill of a lower source', () => {
    const found = [brokenFind('/p/pdf'), foundSkill('/u/pdf'), foundSkill('/b/pdf')];
    expect(holdersOf(found)).toEqual({ '/u/pdf': ['/b/pdf', '/p/pdf'] });
  });

  test('does not keep its neighbour from a name that it may never have had', () => {
    expect(holdersOf([foundSkill('/u/a', { name: 'pdf' }), brokenFind('/u/pdf')])).toEqual({ '/u/a': ['/u/pdf'] });
  });

  test('gives way to the same directory found where it can be read', () => {
    const readable = { ...foundSkill('/u/forms', { name: 'forms' }), realDir: '/shared/pdf' };
    expect(holdersOf([brokenFind('/shared/pdf'), readable])).toEqual({ '/u/forms': [] });
  });
});

describe('the word about a shadow', () => {
  test('is a warning where a working copy stands in for a broken one', () => {
    const broken = brokenFind('/p/pdf', { priority: 90 });
    expect(describeShadow(broken, { winner: foundSkill('/u/pdf', {}, { priority: 60 }) })).toEqual({
      code: 'SHADOWED',
      severity: 'warning',
      path: '/p/pdf/SKILL.md',
      field: 'name',
      message: '"pdf" in /p/pdf/SKILL.md is broken, so /u/pdf/SKILL.md is used instead',
    });
    expect(describeShadow(brokenFind('/u/pdf', { priority: 60 }), { winner: broken }).severity).toBe('info');
  });

  test('names both paths, and is no warning where the texts are the same', () => {
    const winner = foundSkill('/p/pdf', {}, { priority: 90 });
    const loser = foundSkill('/u/pdf', {}, { priority: 60 });
    expect(describeShadow(loser, { winner })).toEqual({
      code: 'SHADOWED',
      severity: 'info',
      path: '/u/pdf/SKILL.md',
      field: 'name',
      message: '"pdf" in /u/pdf/SKILL.md is shadowed by /p/pdf/SKILL.md',
    });
  });

  test('is a warning where the texts differ, unless the user chose the winner', () => {
    const winner = foundSkill('/p/pdf', { description: 'Another one.' }, { priority: 90 });
    const loser = foundSkill('/u/pdf', {}, { priority: 60 });
    expect(describeShadow(loser, { winner })).toMatchObject({
      severity: 'warning',
      message: '"pdf" in /u/pdf/SKILL.md is shadowed by /p/pdf/SKILL.md, which has another text',
    });
    expect(describeShadow(loser, { winner, preferredBy: 'user' }).severity).toBe('info');
    expect(describeShadow(loser, { winner, preferredBy: 'project' }).severity).toBe('warning');
  });

  test('is no warning where a copy in the user’s own folder hides a bundled skill', () => {
    const bundled = foundSkill('/b/pdf', {}, { id: 'bundled', level: 'bundled', priority: 10 });
    const winner = foundSkill('/u/pdf', { description: 'As I like it.' });
    expect(describeShadow(bundled, { winner }).severity).toBe('info');
    const plugin = foundSkill('/x/pdf', { description: 'As I like it.' }, { id: 'plugin', priority: 100 });
    expect(describeShadow(bundled, { winner: plugin }).severity).toBe('warning');
  });

  test('is a warning where the spelling differs', () => {
    const pdf = foundSkill('/u/a', { name: 'pdf' });
    const upper = foundSkill('/b/x', { name: 'PDF' }, { priority: 10 });
    expect(describeShadow(upper, { winner: pdf })).toMatchObject({
      severity: 'warning',
      message: '"PDF" in /b/x/SKILL.md is shadowed by /u/a/SKILL.md as "pdf", which has another text',
    });
  });
});

describe('a preference', () => {
  const plugin = foundSkill('/x/pdf', {}, { id: 'plugin', priority: 100 });
  const project = foundSkill('/p/pdf', {}, { id: 'project', level: 'project', priority: 90 });
  const claude = foundSkill('/c/pdf', {}, { id: 'claude-project', level: 'project', priority: 80 });
  const user = foundSkill('/u/pdf', {}, { id: 'claude-user', priority: 50 });

  test.each([
    ['claude-user', '/u/pdf', ['/p/pdf', '/c/pdf']],
    ['claude', '/c/pdf', ['/p/pdf', '/u/pdf']],
    ['project', '/p/pdf', ['/c/pdf', '/u/pdf']],
  ])('of the user for %s puts its copy first, and the others keep their order', (source, winner, losers) => {
    const [holder] = resolve([project, claude, user], { preferred: { pdf: source } });
    expect(holder?.winner.skill.dir).toBe(winner);
    expect(holder?.losers.map(({ skill }) => skill.dir)).toEqual(losers);
    expect(holder?.preferredBy).toBe('user');
  });

  test('counts whatever the case of the name', () => {
    const [holder] = resolve([project, user], { preferred: { PDF: 'claude-user' } });
    expect(holder?.winner).toBe(user);
  });

  test('of a project chooses between its own copies', () => {
    const preferences = { preferred: {}, projectPreferred: { pdf: 'claude-project' } };
    const [holder] = resolve([project, claude, user], preferences);
    expect(holder).toMatchObject({ winner: claude, losers: [project, user], preferredBy: 'project' });
  });

  test('of a project counts neither for the user’s copies nor over them', () => {
    const forUsers = resolve([project, user], { preferred: {}, projectPreferred: { pdf: 'claude-user' } });
    expect(forUsers).toMatchObject([{ winner: project }]);
    const over = resolve([plugin, project, claude], {
      preferred: {},
      projectPreferred: { pdf: 'claude-project' },
    });
    expect(over).toMatchObject([{ winner: plugin }]);
  });

  test('of the user counts over the project’s', () => {
    const both = { preferred: { pdf: 'project' }, projectPreferred: { pdf: 'claude-project' } };
    expect(resolve([project, claude], both)).toMatchObject([{ winner: project, preferredBy: 'user' }]);
  });

  test('for a source without a working copy changes nothing', () => {
    const broken = brokenFind('/u/pdf', { id: 'claude-user', priority: 50 });
    for (const source of ['codex-user', 'claude-user', '']) {
      const holders = resolve([project, broken], { preferred: { pdf: source, constructor: source } });
      expect(holders).toMatchObject([{ winner: project }]);
      expect(holders[0]?.preferredBy).toBeUndefined();
    }
  });
});
