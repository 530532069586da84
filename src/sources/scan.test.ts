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
import { openScanner, type SourcesScan } from './scan-sources.ts';

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
      realDir: undefined,
    });
    expect(result.diagnostics).toEqual([]);
  });

  test('a missing directory is fine', async () => {
    expect(await scan(makeTree())).toMatchObject({ found: [], diagnostics: [] });
  });

  test('a file in the place of the directory is reported', async () => {
    const tree = makeTree({ skills: 'a file' });
    expect(await scan(tree)).toMatchObject({
      found: [],
      diagnostics: [{ code: 'SOURCE_UNREADABLE', path: join(tree, 'skills') }],
    });
  });

  test('a directory that may not be listed is reported, and so is a skill’s', async () => {
    const tree = makeTree({
      'closed/skills/a/SKILL.md': SKILL,
      'open/skills/a/SKILL.md': SKILL,
      'open/skills/b/SKILL.md': SKILL,
    });
    chmodSync(tree, 0o755);
    closePath(join(tree, 'closed/skills'));
    closePath(join(tree, 'open/skills/a'));
    const code = `
      import { openScanner } from ${JSON.stringify(sourceUrl('sources/scan-sources.ts'))};
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

  test('passes over dot-directories, loose files and directories without a skill', async () => {
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

  test('a SKILL.md that lies loose in the source is reported', async () => {
    const tree = makeTree({ 'skills/SKILL.md': SKILL, 'skills/a/SKILL.md': SKILL });
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a']);
    expect(flawsOf(result)).toEqual([['MISPLACED_SKILL', join(tree, 'skills/SKILL.md')]]);
  });

  test('skills one level deeper are not found, but reported with a remedy', async () => {
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

  test('a skill one level deeper is reported among however many folders', async () => {
    const others = Array.from({ length: 60 }, (_, index) => [`skills/team/d${index}/`, ''] as const);
    const tree = makeTree({ ...Object.fromEntries(others), 'skills/team/z/SKILL.md': SKILL });
    expect(flawsOf(await scan(tree))).toEqual([['MISPLACED_SKILL', join(tree, 'skills/team')]]);
  });

  test('a source of many skills is read whole', async () => {
    const many = Array.from({ length: 700 }, (_, index) => [`skills/s${index}/SKILL.md`, SKILL] as const);
    expect((await scan(makeTree(Object.fromEntries(many)))).found).toHaveLength(700);
  });

  test.runIf(process.platform === 'linux')('a directory whose name is not UTF-8 is reported', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL });
    const odd = Buffer.concat([Buffer.from(join(tree, 'skills/b')), Buffer.from([0xff])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from('/SKILL.md')]), SKILL);
    const result = await scan(tree);
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toHaveLength(1);
  });
});

describe('a skill’s file', () => {
  test('that is no regular file, or lies outside, is reported and hides no other', async () => {
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

  test('that is too large, empty or broken is reported and hides no other', async () => {
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

  test('that cannot be parsed gives a broken skill by the name of its folder, with its line and a remedy', async () => {
    const tree = makeTree({ 'skills/pdf/SKILL.md': '---\nname: other\ntags: &a [x]\nmore: *a\n---\nbody\n' });
    const file = join(tree, 'skills/pdf/SKILL.md');
    const { found, diagnostics } = await scan(tree);
    expect(diagnostics).toEqual([]);
    expect(found).toMatchObject([
      {
        realDir: undefined,
        skill: {
          id: 'pdf',
          name: 'pdf',
          isNamed: false,
          description: '',
          status: 'broken',
          available: false,
          file,
          diagnostics: [{ code: 'PARSE_FAILED', severity: 'error', path: file, line: 4 }],
          reasons: [
            expect.stringMatching(/^line 4: the frontmatter cannot be read: /),
            `\`fix ${join(tree, 'skills/pdf')}\` fixes what it can and names what is left to you`,
          ],
        },
      },
    ]);
  });

  test('that cannot be opened gives a broken skill that has to be corrected by hand', async () => {
    const tree = makeTree({ 'skills/pdf/SKILL.md/': '' });
    expect((await scan(tree)).found).toMatchObject([
      {
        skill: {
          id: 'pdf',
          status: 'broken',
          reasons: [
            'the file is not read: it is not a regular file',
            `correct ${join(tree, 'skills/pdf/SKILL.md')} by hand, since \`fix\` cannot read it either`,
          ],
        },
      },
    ]);
  });

  test('that is a link inside the skill is read', async () => {
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

  test('spelled SKILL.md comes before any other spelling, without a word', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL, 'skills/a/skill.md': skillText({ description: 'Other.' }) });
    const result = await scan(tree);
    expect(result.found).toMatchObject([{ skill: { description: 'Does it.', file: join(tree, 'skills/a/SKILL.md') } }]);
    expect(result.diagnostics).toEqual([]);
  });

  test('in another spelling that leaves the skill is refused, too', async () => {
    const tree = makeTree({ 'secret.md': SKILL, 'skills/a/skill.md': link('../../secret.md') });
    const result = await scan(tree);
    expect(workingOf(result)).toEqual([]);
    expect(flawsOf(result)).toContainEqual(['FILE_REFUSED', join(tree, 'skills/a/skill.md')]);
  });
});

describe('a skill without a description', () => {
  const tree: Tree = { 'skills/a/SKILL.md': skillText({ name: 'a' }), 'skills/b/SKILL.md': SKILL };

  test('is left out where descriptions are required, and that is said', async () => {
    const root = makeTree(tree);
    const result = await scan(root, { requireDescription: true });
    expect(idsOf(result)).toEqual(['b']);
    expect(result.diagnostics).toMatchObject([
      { code: 'DESCRIPTION_MISSING', severity: 'error', path: join(root, 'skills/a/SKILL.md'), field: 'description' },
    ]);
  });

  test('is a skill where they are not; its brief comes from the body', async () => {
    const result = await scan(makeTree(tree), { requireDescription: false });
    expect(result.found).toMatchObject([
      { skill: { id: 'a', description: '', brief: 'Instructions' } },
      { skill: { id: 'b' } },
    ]);
    expect(result.diagnostics).toEqual([]);
  });
});

describe('a linked directory', () => {
  test('inside its source is followed at every level, and has the link’s name', async () => {
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
    'out of its source is refused at %s level, and that is said',
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

  test('to a neighbour whose path only begins alike is out of its source', async () => {
    const tree = makeTree({ 'skills-evil/a/SKILL.md': SKILL, 'skills/a': link('../skills-evil/a') });
    expect(await scan(tree, PROJECT)).toMatchObject({ found: [], diagnostics: [{ code: 'LINK_REFUSED' }] });
  });

  test('out of its source is followed at user level when the user owns the target', async () => {
    const tree = makeTree({ 'elsewhere/SKILL.md': SKILL, 'skills/a': link('../elsewhere') });
    const result = await scan(tree, { level: 'user' });
    expect(result.found).toMatchObject([{ skill: { id: 'a' }, realDir: join(tree, 'elsewhere') }]);
    expect(result.diagnostics).toEqual([]);
  });

  test('out of its source is refused at user level when the target is another’s', async () => {
    const tree = makeTree({ 'elsewhere/SKILL.md': SKILL, 'skills/a': link('../elsewhere') });
    const somebodyElse = (process.getuid?.() ?? 0) + 1;
    expect(await scan(tree, { level: 'user' }, somebodyElse)).toMatchObject({
      found: [],
      diagnostics: [{ code: 'LINK_REFUSED', path: join(tree, 'skills/a') }],
    });
  });

  test('that leads nowhere or in a circle is reported', async () => {
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

  test('to its own source or above it ends, and each skill is found once', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL, 'skills/here': link('.'), 'skills/up': link('..') });
    expect(idsOf(await scan(tree, { level: 'user' }))).toEqual(['a']);
    expect(idsOf(await scan(tree, PROJECT))).toEqual(['a']);
  });

  test('does not let its SKILL.md leave the directory it points to', async () => {
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

describe('a project’s folder of skills', () => {
  async function scanProject(tree: string, folder: string, boundary = join(tree, 'project')): Promise<SourcesScan> {
    const scanner = openScanner({ agentHome: join(tree, 'agent-home'), userId: process.getuid?.() });
    return scanner.scan([sourceRoot(folder, { level: 'project', boundary })]);
  }

  test('that is a link out of the project is refused, as is one below such a link', async () => {
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

  test('that is a link inside the project is followed', async () => {
    const tree = makeTree({ 'project/shared/a/SKILL.md': SKILL, 'project/.claude/skills': link('../shared') });
    const result = await scanProject(tree, join(tree, 'project/.claude/skills'));
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toEqual([]);
  });

  test('of a project that is itself reached through a link is read', async () => {
    const tree = makeTree({ 'real/.agent/skills/a/SKILL.md': SKILL, project: link('real') });
    expect(idsOf(await scanProject(tree, join(tree, 'project/.agent/skills')))).toEqual(['a']);
  });

  test('is read where the project is the whole file system', async () => {
    const tree = makeTree({ 'skills/a/SKILL.md': SKILL });
    expect(idsOf(await scanProject(tree, join(tree, 'skills'), '/'))).toEqual(['a']);
  });

  test('is read where it is the project itself', async () => {
    const tree = makeTree({ 'project/a/SKILL.md': SKILL });
    const result = await scanProject(tree, join(tree, 'project'));
    expect(idsOf(result)).toEqual(['a']);
    expect(result.diagnostics).toEqual([]);
  });
});
