import { once } from 'node:events';
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { DROP_PRIVILEGES, runModule, sourceUrl } from '../../test/support/child.ts';
import { closePath } from '../../test/support/closed.ts';
import { makeFifo } from '../../test/support/fifo.ts';
import { sourceRoot } from '../../test/support/found.ts';
import { link, makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { SourceRoot } from '../model/source.ts';
import { openScanner, type SourcesScan } from './scan.ts';

const SKILL = skillText({ description: 'Does it.' });

/** Scans `<tree>/skills` as a source with these traits. */
async function scan(tree: string, given: Partial<SourceRoot> = {}, userId = process.getuid?.()): Promise<SourcesScan> {
  const scanner = openScanner({ agentHome: join(tree, 'agent-home'), userId });
  return scanner.scan([sourceRoot(join(tree, 'skills'), given)]);
}

const workingOf = ({ found }: SourcesScan): SourcesScan['found'] =>
  found.filter(({ skill }) => skill.status !== 'broken');
const brokenOf = ({ found }: SourcesScan): SourcesScan['found'] =>
  found.filter(({ skill }) => skill.status === 'broken');
const idsOf = (result: SourcesScan): readonly string[] => workingOf(result).map(({ skill }) => skill.id);
const flawsOf = (result: SourcesScan): readonly (readonly [string, string])[] =>
  [...brokenOf(result).flatMap(({ skill }) => skill.diagnostics), ...result.diagnostics].map(
    ({ code, path }) => [code, path] as const,
  );

const PROJECT: Partial<SourceRoot> = { level: 'project' };

describe('scanning a source', () => {
  test('finds every skill one level deep, sorted by directory', async () => {
    const tree = makeTree({ 'skills/b/SKILL.md': SKILL, 'skills/a/SKILL.md': SKILL, 'skills/Z/SKILL.md': SKILL });
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['Z', 'a', 'b']);
    expect(result.found[1]).toMatchObject({
      skill: { dir: join(tree, 'skills/a'), file: join(tree, 'skills/a/SKILL.md'), description: 'Does it.' },
      root: { id: 'user' },
      realDir: join(tree, 'skills/a'),
    });
    expect(result.diagnostics).toEqual([]);
  });

  test('accepts a missing directory', async () => {
    expect(await scan(makeTree())).toMatchObject({ found: [], diagnostics: [] });
  });

  test('reports a file in the place of the directory', async () => {
    const tree = makeTree({ skills: 'a file' });
    expect(await scan(tree)).toMatchObject({
      found: [],
      diagnostics: [{ code: 'SOURCE_UNREADABLE', path: join(tree, 'skills') }],
    });
  });

  test('reports a source or a skill folder that may not be listed', async () => {
    const tree = makeTree({
      'closed/skills/a/SKILL.md': SKILL,
      'open/skills/a/SKILL.md': SKILL,
      'open/skills/b/SKILL.md': SKILL,
    });
    chmodSync(tree, 0o755);
    closePath(join(tree, 'closed/skills'));
    closePath(join(tree, 'open/skills/a'));
    const code = `
      import { openScanner } from ${JSON.stringify(sourceUrl('sources/scan.ts'))};
      ${DROP_PRIVILEGES}
      const root = { id: 'user', level: 'user', priority: 1, requireDescription: false, layout: 'skills', ordinal: 0 };
      const paths = process.argv.slice(1);
      const scanner = openScanner({ agentHome: '/nonexistent', userId: process.getuid() });
      const { found, diagnostics } = await scanner.scan(paths.map((path) => ({ ...root, path })));
      const states = found.map(({ skill }) => [skill.id, skill.status, ...skill.diagnostics.map(({ code }) => code)]);
      console.log(JSON.stringify([states, diagnostics.map(({ code }) => code)]));`;
    const roots = ['closed', 'open'].map((name) => join(tree, name, 'skills'));
    expect(await runModule(code, roots)).toEqual([
      [
        ['a', 'broken', 'FILE_UNREADABLE'],
        ['b', 'enabled'],
      ],
      ['SOURCE_UNREADABLE'],
    ]);
  });

  test('ignores hidden directories, loose files and directories without a skill', async () => {
    const tree = makeTree({
      'skills/.git/SKILL.md': SKILL,
      'skills/.hidden/SKILL.md': SKILL,
      'skills/README.md': '',
      'skills/notes.txt': '',
      'skills/linked.md': link('README.md'),
      'skills/empty/': '',
      'skills/assets/logo.svg': '',
      'skills/a/SKILL.md': SKILL,
    });
    expect(await scan(tree)).toMatchObject({ found: [{ skill: { id: 'a' } }], diagnostics: [] });
  });

  test('reports a SKILL.md directly in the source', async () => {
    const tree = makeTree({ 'skills/SKILL.md': SKILL, 'skills/a/SKILL.md': SKILL });
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a']);
    expect(flawsOf(result)).toEqual([['MISPLACED_SKILL', join(tree, 'skills/SKILL.md')]]);
  });

  test('reports skills one level too deep, with a remedy', async () => {
    const tree = makeTree({
      'skills/team/one/SKILL.md': SKILL,
      'skills/team/two/SKILL.md': SKILL,
      'skills/a/SKILL.md': SKILL,
      'skills/a/examples/inner/SKILL.md': SKILL,
    });
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toEqual([
      {
        code: 'MISPLACED_SKILL',
        severity: 'warning',
        path: join(tree, 'skills/team'),
        message: expect.stringMatching(/2.*customDirectories/),
      },
    ]);
  });

  test('reports a skill one level too deep among any number of folders', async () => {
    const others = Array.from({ length: 60 }, (_, index) => [`skills/team/d${index}/`, ''] as const);
    const tree = makeTree({ ...Object.fromEntries(others), 'skills/team/z/SKILL.md': SKILL });
    expect(flawsOf(await scan(tree))).toEqual([['MISPLACED_SKILL', join(tree, 'skills/team')]]);
  });

  test('reads all of 700 skills', async () => {
    const many = Array.from({ length: 700 }, (_, index) => [`skills/s${index}/SKILL.md`, SKILL] as const);
    expect((await scan(makeTree(Object.fromEntries(many)))).found).toHaveLength(700);
  });

  test('reports a directory whose name is not valid UTF-8', async ({ skip }) => {
    skip(process.platform !== 'linux', 'this needs Linux');
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL });
    const odd = Buffer.concat([Buffer.from(join(tree, 'skills/b')), Buffer.from([0xff])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from('/SKILL.md')]), SKILL);
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toHaveLength(1);
  });
});

describe('scanning a source: a SKILL.md', () => {
  test('that is not a regular file or leads outside is reported, and the other skills are found', async () => {
    const tree = makeTree({
      'secret.md': skillText({ name: 'secret', description: 'Foreign.' }),
      'skills/a/SKILL.md': SKILL,
      'skills/dangling/SKILL.md': link('nowhere'),
      'skills/folder/SKILL.md/': '',
      'skills/outside/SKILL.md': link('../../secret.md'),
      'skills/pipe/': '',
      'skills/socket/': '',
      'skills/z/SKILL.md': SKILL,
    });
    makeFifo(join(tree, 'skills/pipe/SKILL.md'));
    const server = createServer().listen(join(tree, 'skills/socket/SKILL.md'));
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a', 'z']);
    expect(flawsOf(result)).toEqual(
      ['dangling', 'folder', 'outside', 'pipe', 'socket'].map((id) => [
        'FILE_REFUSED',
        join(tree, 'skills', id, 'SKILL.md'),
      ]),
    );
    expect(JSON.stringify(result)).not.toContain('Foreign');
  });

  test('that is too large, empty or broken is reported, and the other skills are found', async () => {
    const tree = makeTree({
      'skills/a/SKILL.md': SKILL,
      'skills/broken/SKILL.md': '---\n{\n---\nbody\n',
      'skills/empty/SKILL.md': '',
      'skills/large/SKILL.md': '',
      'skills/utf16/SKILL.md': Buffer.from('\uFEFF---\n', 'utf16le'),
      'skills/z/SKILL.md': SKILL,
    });
    truncateSync(join(tree, 'skills/large/SKILL.md'), 1024 * 1024 + 1);
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a', 'z']);
    expect(flawsOf(result)).toEqual([
      ['PARSE_FAILED', join(tree, 'skills/broken/SKILL.md')],
      ['PARSE_FAILED', join(tree, 'skills/empty/SKILL.md')],
      ['FILE_REFUSED', join(tree, 'skills/large/SKILL.md')],
      ['PARSE_FAILED', join(tree, 'skills/utf16/SKILL.md')],
    ]);
  });

  test('that cannot be parsed gives a broken skill named like its folder, with the line and a remedy', async () => {
    const tree = makeTree({ 'skills/pdf/SKILL.md': '---\nname: other\ntags: &a [x]\nmore: *a\n---\nbody\n' });
    const file = join(tree, 'skills/pdf/SKILL.md');
    const { found, diagnostics } = await scan(tree);
    expect(diagnostics).toEqual([]);
    expect(found).toMatchObject([
      {
        realDir: join(tree, 'skills/pdf'),
        skill: {
          id: 'pdf',
          name: 'pdf',
          isNamed: false,
          description: '',
          status: 'broken',
          available: false,
          file,
          diagnostics: [{ code: 'PARSE_FAILED', severity: 'error', path: file, line: 4 }],
          reasons: [expect.stringMatching(/^line 4: the frontmatter cannot be read: /)],
          next: { do: 'fix', path: join(tree, 'skills/pdf') },
        },
      },
    ]);
  });

  test('that cannot be opened gives a broken skill that must be corrected by hand', async () => {
    const tree = makeTree({ 'skills/pdf/SKILL.md/': '' });
    expect((await scan(tree)).found).toMatchObject([
      {
        skill: {
          id: 'pdf',
          status: 'broken',
          reasons: ['the file is not read: it is not a regular file'],
          next: { edit: join(tree, 'skills/pdf/SKILL.md') },
        },
      },
    ]);
  });

  test('that is a link within the skill is read', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': link('docs/skill.txt'), 'skills/a/docs/skill.txt': SKILL });
    expect((await scan(tree, PROJECT)).found).toMatchObject([{ skill: { id: 'a', description: 'Does it.' } }]);
  });

  test.each(['skill.md', 'Skill.md', 'SKILL.MD'])('spelled %s is read with a warning', async (name) => {
    const tree = makeTree({ [`skills/a/${name}`]: SKILL });
    const result = await scan(tree);
    expect(result.found).toMatchObject([{ skill: { id: 'a', file: join(tree, 'skills/a', name) } }]);
    expect(result.diagnostics).toMatchObject([
      { code: 'FILE_NAME_CASE', severity: 'warning', path: join(tree, 'skills/a', name) },
    ]);
  });

  test('is preferred to any other spelling without a warning', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL, 'skills/a/skill.md': skillText({ description: 'Other.' }) });
    const result = await scan(tree);
    expect(result.found).toMatchObject([{ skill: { description: 'Does it.', file: join(tree, 'skills/a/SKILL.md') } }]);
    expect(result.diagnostics).toEqual([]);
  });

  test('in another spelling that leads outside is refused', async () => {
    const tree = makeTree({ 'secret.md': SKILL, 'skills/a/skill.md': link('../../secret.md') });
    const result = await scan(tree);
    expect(workingOf(result)).toEqual([]);
    expect(flawsOf(result)).toContainEqual(['FILE_REFUSED', join(tree, 'skills/a/skill.md')]);
  });
});

describe('scanning a source: a skill without a description', () => {
  const tree: Tree = { 'skills/a/SKILL.md': skillText({ name: 'a' }), 'skills/b/SKILL.md': SKILL };

  test('is broken if the source requires descriptions, with its own name', async () => {
    const root = makeTree({
      ...tree,
      'skills/c/SKILL.md': '# Only text\n',
      'skills/d/SKILL.md': skillText({ name: 'dd' }),
    });
    const result = await scan(root, { requireDescription: true });
    expect(result.found.map(({ skill: { id, name, status, reasons } }) => [id, name, status, reasons[0]])).toEqual([
      ['a', 'a', 'broken', 'it has no description, and skills in this folder need one'],
      ['b', 'b', 'enabled', undefined],
      ['c', 'c', 'broken', 'it has no frontmatter and so no description, and skills in this folder need one'],
      ['d', 'dd', 'broken', 'it has no description, and skills in this folder need one'],
    ]);
    expect(result.found[0]?.skill.diagnostics).toMatchObject([
      { code: 'DESCRIPTION_MISSING', severity: 'error', path: join(root, 'skills/a/SKILL.md'), field: 'description' },
    ]);
    expect(result.found[0]?.skill).toHaveProperty('next');
  });

  test('is found if the source does not require them, and its brief comes from the body', async () => {
    const result = await scan(makeTree(tree), { requireDescription: false });
    expect(result.found).toMatchObject([
      { skill: { id: 'a', description: '', brief: 'Instructions' } },
      { skill: { id: 'b' } },
    ]);
    expect(result.diagnostics).toEqual([]);
  });
});

describe('scanning a source: a linked directory', () => {
  test('within its source is followed at every level and named like the link', async () => {
    const tree = makeTree({ 'skills/.store/real/SKILL.md': SKILL, 'skills/a': link('.store/real') });
    for (const level of ['user', 'project', 'bundled'] as const) {
      const result = await scan(tree, { level });
      expect(result.found).toMatchObject([
        { skill: { id: 'a', dir: join(tree, 'skills/a') }, realDir: join(tree, 'skills/.store/real') },
      ]);
      expect(result.diagnostics).toEqual([]);
    }
  });

  test.each(['project', 'bundled'] as const)(
    'out of its source is refused and reported at the level %s',
    async (level) => {
      const tree = makeTree({
        'elsewhere/SKILL.md': SKILL,
        'skills/a': link('../elsewhere'),
        'skills/b/SKILL.md': SKILL,
      });
      const result = await scan(tree, { level });
      expect(idsOf(result)).toEqual(['b']);
      expect(result.diagnostics).toEqual([
        {
          code: 'LINK_REFUSED',
          severity: 'warning',
          path: join(tree, 'skills/a'),
          message: expect.stringContaining(join(tree, 'elsewhere')),
        },
      ]);
    },
  );

  test('to a sibling folder whose path begins the same is refused', async () => {
    const tree = makeTree({ 'skills-evil/a/SKILL.md': SKILL, 'skills/a': link('../skills-evil/a') });
    expect(await scan(tree, PROJECT)).toMatchObject({ found: [], diagnostics: [{ code: 'LINK_REFUSED' }] });
  });

  test('out of its source is followed at the level user if the user owns the target', async () => {
    const tree = makeTree({ 'elsewhere/SKILL.md': SKILL, 'skills/a': link('../elsewhere') });
    const result = await scan(tree, { level: 'user' });
    expect(result.found).toMatchObject([{ skill: { id: 'a' }, realDir: join(tree, 'elsewhere') }]);
    expect(result.diagnostics).toEqual([]);
  });

  test('out of its source is refused at the level user if another user owns the target', async () => {
    const tree = makeTree({ 'elsewhere/SKILL.md': SKILL, 'skills/a': link('../elsewhere') });
    const somebodyElse = (process.getuid?.() ?? 0) + 1;
    expect(await scan(tree, { level: 'user' }, somebodyElse)).toMatchObject({
      found: [],
      diagnostics: [{ code: 'LINK_REFUSED', path: join(tree, 'skills/a') }],
    });
  });

  test('that is dangling or circular is reported', async () => {
    const tree = makeTree({
      'skills/a': link('nowhere'),
      'skills/b': link('c'),
      'skills/c': link('b'),
      'skills/d': link('d'),
      'skills/e/SKILL.md': SKILL,
    });
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['e']);
    expect(flawsOf(result)).toEqual(['a', 'b', 'c', 'd'].map((id) => ['LINK_REFUSED', join(tree, 'skills', id)]));
  });

  test('to its own source or above it does not loop, and each skill is found once', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL, 'skills/here': link('.'), 'skills/up': link('..') });
    expect(idsOf(await scan(tree, { level: 'user' }))).toEqual(['a']);
    expect(idsOf(await scan(tree, PROJECT))).toEqual(['a']);
  });

  test('is not read if its SKILL.md leads out of the target', async () => {
    const tree = makeTree({
      'secret.md': SKILL,
      'elsewhere/SKILL.md': link('../secret.md'),
      'skills/a': link('../elsewhere'),
    });
    const result = await scan(tree, { level: 'user' });
    expect(workingOf(result)).toEqual([]);
    expect(flawsOf(result)).toEqual([['FILE_REFUSED', join(tree, 'skills/a/SKILL.md')]]);
  });
});

describe('the skills folder of a project', () => {
  async function scanProject(tree: string, folder: string, boundary = join(tree, 'project')): Promise<SourcesScan> {
    const scanner = openScanner({ agentHome: join(tree, 'agent-home'), userId: process.getuid?.() });
    return scanner.scan([sourceRoot(folder, { level: 'project', boundary })]);
  }

  test('that is or lies behind a link out of the project is refused', async () => {
    const tree = makeTree({
      'elsewhere/skills/a/SKILL.md': SKILL,
      'project/.agent/skills': link('../../elsewhere/skills'),
      'project/.claude': link('../elsewhere'),
    });
    for (const folder of ['project/.agent/skills', 'project/.claude/skills']) {
      expect(await scanProject(tree, join(tree, folder))).toMatchObject({
        found: [],
        diagnostics: [{ code: 'LINK_REFUSED', path: join(tree, folder) }],
      });
    }
  });

  test('that is a link within the project is followed', async () => {
    const tree = makeTree({ 'project/shared/a/SKILL.md': SKILL, 'project/.claude/skills': link('../shared') });
    const result = await scanProject(tree, join(tree, 'project/.claude/skills'));
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toEqual([]);
  });

  test('is read if the project itself is reached through a link', async () => {
    const tree = makeTree({ 'real/.agent/skills/a/SKILL.md': SKILL, project: link('real') });
    expect(idsOf(await scanProject(tree, join(tree, 'project/.agent/skills')))).toEqual(['a']);
  });

  test('is read if the project is the whole file system', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL });
    expect(idsOf(await scanProject(tree, join(tree, 'skills'), '/'))).toEqual(['a']);
  });

  test('is read if it is the project itself', async () => {
    const tree = makeTree({ 'project/a/SKILL.md': SKILL });
    const result = await scanProject(tree, join(tree, 'project'));
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toEqual([]);
  });
});

/** Scans these sources. */
function scanAll(tree: string, roots: readonly SourceRoot[]): Promise<SourcesScan> {
  return openScanner({ agentHome: join(tree, 'agent-home'), userId: process.getuid?.() }).scan(roots);
}

describe('scanning several sources', () => {
  test('reads them in their order', async () => {
    const tree = makeTree({ 'one/b/SKILL.md': SKILL, 'one/a/SKILL.md': SKILL, 'two/c/SKILL.md': SKILL });
    const { found, roots } = await scanAll(tree, [sourceRoot(join(tree, 'two')), sourceRoot(join(tree, 'one'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['c', 'a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'two'), join(tree, 'one')]);
  });

  test('replaces a tree by the skill folders found in it', async () => {
    const tree = makeTree({ 'plugins/p/skills/a/SKILL.md': SKILL, 'plugins/q/v1/skills/b/SKILL.md': SKILL });
    const { found, roots } = await scanAll(tree, [sourceRoot(join(tree, 'plugins'), { layout: 'tree' })]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a', 'b']);
    expect(roots.map((root) => root.path)).toEqual([join(tree, 'plugins/p/skills'), join(tree, 'plugins/q/v1/skills')]);
  });

  test('reads the others if one cannot be read', async () => {
    const tree = makeTree({ one: 'a file', 'two/a/SKILL.md': SKILL });
    const { found, diagnostics } = await scanAll(tree, [sourceRoot(join(tree, 'one')), sourceRoot(join(tree, 'two'))]);
    expect(found.map(({ skill }) => skill.id)).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'SOURCE_UNREADABLE', path: join(tree, 'one') }]);
  });
});

describe('scanning sources: a refused link', () => {
  test('to a skill that is found in its own place is not reported', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'project/a': link('../shared/a') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { found, diagnostics } = await scanAll(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(found.map(({ skill }) => skill.dir)).toEqual([join(tree, 'shared/a')]);
    expect(diagnostics).toEqual([]);
  });

  test('to a directory that is not a skill is reported', async () => {
    const tree = makeTree({ 'shared/a/SKILL.md': SKILL, 'shared/b/': '', 'project/b': link('../shared/b') });
    const project = sourceRoot(join(tree, 'project'), { level: 'project' });
    const { diagnostics } = await scanAll(tree, [project, sourceRoot(join(tree, 'shared'))]);
    expect(diagnostics).toMatchObject([{ code: 'LINK_REFUSED', path: join(tree, 'project/b') }]);
  });
});
