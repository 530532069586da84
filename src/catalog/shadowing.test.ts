import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { brokenFind, foundSkill, sourceRoot } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { compareText } from '../model/order.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { isBroken } from './broken.ts';
import { describeShadow, resolveShadowing } from './shadowing.ts';

/** Who holds which name, by directory: `{ winner: [losers] }`. */
function holdersOf(found: readonly FoundSkill[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    resolveShadowing(found).map(({ winner, losers }) => [winner.skill.dir, losers.map(({ skill }) => skill.dir)]),
  );
}

describe('shadowing of any skills in any folders', () => {
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
  const preferred = fc.dictionary(fc.constantFrom('a', 'b', 'd', 'z'), fc.constantFrom('p', 'u'));

  test('gives every skill a name of its own or a winner, and sorts the winners by name', () => {
    fc.assert(
      fc.property(fc.tuple(rootOf('/p'), rootOf('/u'), rootOf('/v')), preferred, (roots, preferences) => {
        const found = roots.flat();
        const holders = resolveShadowing(found, { preferred: preferences, project: {} });
        const listed = holders.flatMap(({ winner, losers }) => [winner, ...losers]);
        expect(listed).toHaveLength(found.length);
        expect(new Set(listed)).toEqual(new Set(found));
        const winners = holders.map(({ winner }) => winner.skill.name);
        expect(winners).toEqual([...new Set(winners)].sort(compareText));
        const standIns = holders.flatMap(({ winner, losers }) => (isBroken(winner.skill) ? losers : []));
        expect(standIns.filter(({ skill }) => !isBroken(skill))).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('a skill name', () => {
  test('goes to the first skill that has it, and the others are shadowed in order', () => {
    const found = ['/p/pdf', '/u/pdf', '/b/pdf', '/b/docx'].map((dir) => foundSkill(dir));
    expect(holdersOf(found)).toEqual({ '/p/pdf': ['/u/pdf', '/b/pdf'], '/b/docx': [] });
  });

  test('hides the same name elsewhere, whatever the folders are called', () => {
    const found = [foundSkill('/p/a', { name: 'pdf' }), foundSkill('/u/b', { name: 'pdf' }), foundSkill('/u/c')];
    expect(holdersOf(found)).toEqual({ '/p/a': ['/u/b'], '/u/c': [] });
  });

  test('goes to the first folder within one source', () => {
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
  ])('is the same whatever the case and Unicode form: %j and %j', (one, other) => {
    const found = [foundSkill('/p/x', { name: one }), foundSkill('/u/y', { name: other })];
    expect(holdersOf(found)).toEqual({ '/p/x': ['/u/y'] });
  });

  test('goes to the valid spelling, even if the other’s source ranks higher', () => {
    const found = [foundSkill('/p/x', { name: 'Demo' }), foundSkill('/u/y', { name: 'demo' })];
    expect(holdersOf(found)).toEqual({ '/u/y': ['/p/x'] });
  });

  test.each([
    ['pdf', 'pdf-2'],
    ['pdf', 'рdf'],
    ['a', 'á'],
  ])('is different if other characters differ: %j and %j', (one, other) => {
    const found = [foundSkill('/p/x', { name: one }), foundSkill('/u/y', { name: other })];
    expect(holdersOf(found)).toEqual({ '/p/x': [], '/u/y': [] });
  });
});

describe('one folder found twice', () => {
  test('is one skill, without a diagnostic', () => {
    const real = foundSkill('/shared/pdf');
    const linked = { ...foundSkill('/u/pdf'), realDir: '/shared/pdf' };
    expect(holdersOf([linked, real])).toEqual({ '/u/pdf': [] });
  });

  test('is one skill even under another name', () => {
    const real = foundSkill('/shared/pdf');
    const linked = { ...foundSkill('/u/forms', { name: 'forms' }), realDir: '/shared/pdf' };
    expect(holdersOf([real, linked])).toEqual({ '/shared/pdf': [] });
  });
});

describe('a folder that claims the name of a folder beside it', () => {
  test('does not get the name, even if it comes first', () => {
    const found = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not get the name in another spelling', () => {
    const found = [foundSkill('/u/a', { name: 'B' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not get the name even if the other calls itself something else', () => {
    const found = [foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b', { name: 'other' })];
    expect(holdersOf(found)).toEqual({ '/u/b': ['/u/a'] });
  });

  test('does not get the name if the other lost it to a higher source', () => {
    const found = [foundSkill('/p/b'), foundSkill('/u/a', { name: 'b' }), foundSkill('/u/b')];
    const holders = holdersOf(found);
    expect(Object.keys(holders)).toEqual(['/p/b']);
    expect(holders['/p/b']?.toSorted()).toEqual(['/u/a', '/u/b']);
  });

  test('gets the name if it is in a source that ranks higher', () => {
    const found = [foundSkill('/p/a', { name: 'b' }), foundSkill('/u/b')];
    expect(holdersOf(found)).toEqual({ '/p/a': ['/u/b'] });
  });

  test('while its own name is claimed, too, loses no skill', () => {
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

describe('the name of a broken skill', () => {
  test('is that of its folder as long as no working skill has it', () => {
    expect(holdersOf([brokenFind('/p/pdf'), brokenFind('/u/pdf'), foundSkill('/u/docx')])).toEqual({
      '/p/pdf': ['/u/pdf'],
      '/u/docx': [],
    });
  });

  test('goes to a working skill of a lower source', () => {
    const found = [brokenFind('/p/pdf'), foundSkill('/u/pdf'), foundSkill('/b/pdf')];
    expect(holdersOf(found)).toEqual({ '/u/pdf': ['/b/pdf', '/p/pdf'] });
  });

  test('goes to a working skill in the same source', () => {
    expect(holdersOf([foundSkill('/u/a', { name: 'pdf' }), brokenFind('/u/pdf')])).toEqual({ '/u/a': ['/u/pdf'] });
  });

  test('is dropped if the same folder was found readable elsewhere', () => {
    const readable = { ...foundSkill('/u/forms', { name: 'forms' }), realDir: '/shared/pdf' };
    expect(holdersOf([brokenFind('/shared/pdf'), readable])).toEqual({ '/u/forms': [] });
  });
});

describe('the diagnostic about a shadowed copy', () => {
  test('is a warning if a working copy replaces a broken one', () => {
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

  test('names both paths, and is no warning if the texts are the same', () => {
    const winner = foundSkill('/p/pdf', {}, { priority: 90 });
    const loser = foundSkill('/u/pdf', {}, { priority: 60 });
    expect(describeShadow(loser, { winner })).toEqual({
      code: 'SHADOWED',
      severity: 'info',
      path: '/u/pdf/SKILL.md',
      field: 'name',
      message: '"pdf" in /u/pdf/SKILL.md is not used: /p/pdf/SKILL.md has the same name',
    });
  });

  test('is a warning if the texts differ, unless the user chose the winner', () => {
    const winner = foundSkill('/p/pdf', { description: 'Another one.' }, { priority: 90 });
    const loser = foundSkill('/u/pdf', {}, { priority: 60 });
    expect(describeShadow(loser, { winner })).toMatchObject({
      severity: 'warning',
      message: '"pdf" in /u/pdf/SKILL.md is not used: /p/pdf/SKILL.md has the same name and a different text',
    });
    expect(describeShadow(loser, { winner, preferredBy: 'user' }).severity).toBe('info');
    expect(describeShadow(loser, { winner, preferredBy: 'project' }).severity).toBe('warning');
  });

  test('is no warning if the user’s own copy hides a bundled skill', () => {
    const bundled = foundSkill('/b/pdf', {}, { id: 'bundled', level: 'bundled', priority: 10 });
    const winner = foundSkill('/u/pdf', { description: 'As I like it.' });
    expect(describeShadow(bundled, { winner }).severity).toBe('info');
    const plugin = foundSkill('/x/pdf', { description: 'As I like it.' }, { id: 'plugin', priority: 100 });
    expect(describeShadow(bundled, { winner: plugin }).severity).toBe('warning');
  });

  test('is a warning if the names are spelled differently', () => {
    const pdf = foundSkill('/u/a', { name: 'pdf' });
    const upper = foundSkill('/b/x', { name: 'PDF' }, { priority: 10 });
    expect(describeShadow(upper, { winner: pdf })).toMatchObject({
      severity: 'warning',
      message: '"PDF" in /b/x/SKILL.md is not used: /u/a/SKILL.md has the same name as "pdf" and a different text',
    });
  });
});

describe('a preference for a source', () => {
  const plugin = foundSkill('/x/pdf', {}, { id: 'plugin', priority: 100 });
  const project = foundSkill('/p/pdf', {}, { id: 'project', level: 'project', priority: 90 });
  const claude = foundSkill('/c/pdf', {}, { id: 'claude-project', level: 'project', priority: 80 });
  const user = foundSkill('/u/pdf', {}, { id: 'claude-user', priority: 50 });

  test.each([
    ['claude-user', '/u/pdf', ['/p/pdf', '/c/pdf']],
    ['claude', '/c/pdf', ['/p/pdf', '/u/pdf']],
    ['project', '/p/pdf', ['/c/pdf', '/u/pdf']],
  ])('of the user for %s puts its copy first, and the others keep their order', (source, winner, losers) => {
    const [holder] = resolveShadowing([project, claude, user], { preferred: { pdf: source }, project: {} });
    expect(holder?.winner.skill.dir).toBe(winner);
    expect(holder?.losers.map(({ skill }) => skill.dir)).toEqual(losers);
    expect(holder?.preferredBy).toBe('user');
  });

  test('applies whatever the case of the name', () => {
    const [holder] = resolveShadowing([project, user], { preferred: { PDF: 'claude-user' }, project: {} });
    expect(holder?.winner).toBe(user);
  });

  test('of a project chooses among the project’s own copies', () => {
    const preferences = { preferred: {}, project: { preferred: { pdf: 'claude-project' } } };
    const [holder] = resolveShadowing([project, claude, user], preferences);
    expect(holder).toMatchObject({ winner: claude, losers: [project, user], preferredBy: 'project' });
  });

  test('of a project neither selects nor overrules the user’s copies', () => {
    const forUsers = resolveShadowing([project, user], {
      preferred: {},
      project: { preferred: { pdf: 'claude-user' } },
    });
    expect(forUsers).toMatchObject([{ winner: project }]);
    const over = resolveShadowing([plugin, project, claude], {
      preferred: {},
      project: { preferred: { pdf: 'claude-project' } },
    });
    expect(over).toMatchObject([{ winner: plugin }]);
  });

  test('of the user overrules that of the project', () => {
    const both = { preferred: { pdf: 'project' }, project: { preferred: { pdf: 'claude-project' } } };
    expect(resolveShadowing([project, claude], both)).toMatchObject([{ winner: project, preferredBy: 'user' }]);
  });

  test('that has no working copy changes nothing', () => {
    const broken = brokenFind('/u/pdf', { id: 'claude-user', priority: 50 });
    for (const source of ['codex-user', 'claude-user', '']) {
      const holders = resolveShadowing([project, broken], {
        preferred: { pdf: source, constructor: source },
        project: {},
      });
      expect(holders).toMatchObject([{ winner: project }]);
      expect(holders[0]?.preferredBy).toBeUndefined();
    }
  });
});
