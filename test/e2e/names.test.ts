import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { answerOnTerminal, KEYS, skillplane } from '../support/command-line.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const ONLY_OURS = 'skills:\n  disabledSources:\n    - bundled\n';
const copy = (of: string): string => skillText({ name: 'pdf', description: `Of ${of}.` }, `Of ${of}.\n`);

function makeHome(tree: Tree = {}): string {
  return makeTree({
    '.agent/config.yaml': ONLY_OURS,
    '.agent/skills/pdf/SKILL.md': copy('the user'),
    '.claude/skills/pdf/SKILL.md': copy('claude'),
    ...tree,
  });
}

describe('prefer', () => {
  test('chooses the copy that show, load and search use, until --reset', async () => {
    const home = makeHome();
    const run = async (...args: readonly string[]): Promise<string> => (await skillplane(args, { home })).stdout;
    expect(await run('load', 'pdf')).toContain('Of the user.');
    expect(await run('prefer', 'pdf', 'claude-user')).toBe(
      `Using pdf from ${home}/.claude/skills/pdf (claude-user): changed preferred in ${home}/.agent/config.yaml\n`,
    );
    expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toBe(
      `${ONLY_OURS}  preferred:\n    pdf: claude-user\n`,
    );
    expect(await run('load', 'pdf')).toContain('Of claude.');
    expect(await run('search', 'pdf')).toContain('Of claude.');
    expect(await run('show')).toContain('(preferred; also in user)');
    expect(await run('info', 'pdf')).toContain('Preferred  by your configuration');
    expect(await run('prefer', 'pdf')).toBe(
      `✓ claude-user  ${home}/.claude/skills/pdf  (your preference)\n· user  ${home}/.agent/skills/pdf\n`,
    );
    expect(JSON.parse(await run('config', 'get', 'preferred', '--json'))).toMatchObject({
      value: { pdf: 'claude-user' },
    });
    expect(JSON.parse(await run('manage', 'prefer', 'pdf', '--reset', '--json'))).toMatchObject({
      ok: true,
      skill: { name: 'pdf', source: 'user' },
      others: [{ source: 'claude-user' }],
      changed: ['preferred'],
    });
    expect(await run('load', 'pdf')).toContain('Of the user.');
  });

  test('--project chooses between copies of the project, and says where yours is still used', async () => {
    const home = makeHome({
      'project/.git/': '',
      'project/.agent/skills/pdf/SKILL.md': copy('the project'),
      'project/.claude/skills/pdf/SKILL.md': copy('claude in the project'),
    });
    const cwd = join(home, 'project');
    const run = (...args: readonly string[]) => skillplane(args, { home, cwd });
    expect((await run('prefer', 'pdf', 'claude-project', '--project')).stdout).toContain('project/.claude/skills/pdf');
    expect((await run('load', 'pdf')).stdout).toContain('Of claude in the project.');
    expect((await run('config', 'list')).stdout).toContain('{ "pdf": "claude-project" }');
    expect(await run('prefer', 'pdf', 'user', '--project')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a project can prefer only its own copies'),
    });
    expect((await run('prefer', 'pdf', 'user', '--user')).code).toBe(0);
    expect((await run('load', 'pdf')).stdout).toContain('Of the user.');
    const kept = await run('prefer', 'pdf', 'project', '--project');
    expect(kept.stderr).toContain('Your own copy is still used; a project cannot replace it');
  });

  test('refuses two scopes, and a source with --reset', async () => {
    const home = makeHome();
    expect((await skillplane(['prefer', 'pdf', 'user', '--user', '--project'], { home })).code).toBe(2);
    expect((await skillplane(['prefer', 'pdf', 'user', '--reset'], { home })).code).toBe(2);
  });

  test('lists the copies if a source has none', async () => {
    const home = makeHome();
    const { code, stderr } = await skillplane(['prefer', 'pdf', 'codex-user'], { home });
    expect(code).toBe(1);
    expect(stderr).toContain(`its copies are in user (${home}/.agent/skills/pdf), claude-user (`);
  });

  test('reports an unknown source in the configuration', async () => {
    const home = makeHome({ '.agent/config.yaml': `${ONLY_OURS}  preferred: {pdf: nowhere}\n` });
    expect((await skillplane(['show', '--verbose'], { home, cwd: '/' })).stdout).toContain(
      'unknown source "nowhere" in preferred',
    );
  });
});

describe('install of a name that another skill has', () => {
  const source = (): string => makeTree({ 'pdf/SKILL.md': copy('the repository') });
  const inPlugins = (home: string): boolean => existsSync(join(home, '.agent/plugins/pdf/SKILL.md'));

  test('is refused with --yes alone, and says what it would hide', async () => {
    const home = makeHome();
    const refused = await skillplane(['install', source(), '--yes'], { home });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `"pdf" is in use: the new skill hides your user skill pdf at ${home}/.agent/skills/pdf`,
    );
    expect(refused.stderr).toContain('Use --name to give the new one another name, or use --replace to accept this.');
    expect(inPlugins(home)).toBe(false);
    const all = await skillplane(['install', source(), '--yes', '--all', '--json'], { home });
    expect([all.code, JSON.parse(all.stdout)]).toMatchObject([1, { ok: false, code: 'ALREADY_EXISTS' }]);
  });

  test('succeeds with --replace, which says so, and with --name', async () => {
    const home = makeHome();
    const replaced = await skillplane(['install', source(), '--yes', '--replace'], { home });
    expect(replaced.code).toBe(0);
    expect(replaced.stdout).toContain(`hides your user skill pdf at ${home}/.agent/skills/pdf`);
    expect((await skillplane(['load', 'pdf'], { home })).stdout).toContain('Of the repository.');
    // An update or a second installation takes no name.
    expect((await skillplane(['install', source(), '--yes', '--force'], { home })).stderr).toContain(
      'is already installed',
    );
    const renamed = makeHome();
    expect((await skillplane(['install', source(), '--yes', '--name', 'pdf-two'], { home: renamed })).code).toBe(0);
    expect((await skillplane(['load', 'pdf'], { home: renamed })).stdout).toContain('Of the user.');
  });

  test('says if a higher source or a preference would hide the skill', async () => {
    const home = makeHome({ 'project/.git/': '', '.agent/plugins/pdf/SKILL.md': copy('a plugin') });
    const cwd = join(home, 'project');
    const hidden = await skillplane(['install', source(), '--yes', '--project'], { home, cwd });
    expect(hidden.stderr).toContain(`the new skill is hidden by your plugin skill pdf at ${home}/.agent/plugins/pdf`);
    const other = makeHome();
    expect((await skillplane(['prefer', 'pdf', 'claude-user'], { home: other })).code).toBe(0);
    expect((await skillplane(['install', source(), '--yes'], { home: other })).stderr).toContain(
      `is hidden by your claude-user skill pdf at ${other}/.claude/skills/pdf`,
    );
  });

  test('asks on a terminal for another name or a confirmation', async () => {
    const home = makeHome();
    const renamed = await answerOnTerminal(['install', source()], {
      home,
      columns: 120,
      answers: [
        ['You already have a skill called pdf.', KEYS.enter],
        ['Another name', `pdf-two${KEYS.enter}`],
        ['Which agents should get your skills?', KEYS.enter],
        ['Install pdf-two for Claude Code?', 'y'],
      ],
    });
    expect(renamed.shown).toContain('hides your user skill pdf at ~/.agent/skills/pdf');
    expect(renamed.code).toBe(0);
    expect(existsSync(join(home, '.agent/plugins/pdf-two/SKILL.md'))).toBe(true);
    const kept = await answerOnTerminal(['install', source()], {
      home,
      columns: 120,
      answers: [
        ['You already have a skill called pdf.', `${KEYS.down}${KEYS.enter}`],
        ['Install pdf for Claude Code?', 'y'],
      ],
    });
    expect(kept.code).toBe(0);
    expect(inPlugins(home)).toBe(true);
  });
});

describe('disable', () => {
  test('lists the other copies, and enable --from chooses one', async () => {
    const home = makeHome();
    const off = await skillplane(['disable', 'pdf'], { home });
    expect(off.stdout).toContain(
      `Another copy is in ${home}/.claude/skills/pdf (claude-user); \`skillplane enable pdf --from claude-user\` uses it.`,
    );
    expect((await skillplane(['load', 'pdf'], { home })).code).toBe(1);
    const on = await skillplane(['enable', 'pdf', '--from', 'claude-user'], { home });
    expect(on.stdout).toBe('Enabled pdf. Claude Code can use pdf now (in new sessions).\n');
    expect((await skillplane(['load', 'pdf'], { home })).stdout).toContain('Of claude.');
  });
});

describe('a hidden copy', () => {
  test('causes a warning only if its text differs', async () => {
    const home = makeHome({
      '.agent/skills/docx/SKILL.md': skillText({ name: 'docx', description: 'Same.' }),
      '.claude/skills/docx/SKILL.md': skillText({ name: 'docx', description: 'Same.' }).replaceAll('\n', '\r\n'),
    });
    const { diagnostics } = JSON.parse((await skillplane(['show', '--json'], { home })).stdout);
    expect(diagnostics).toMatchObject([
      { code: 'SHADOWED', severity: 'info', path: `${home}/.claude/skills/docx/SKILL.md` },
      { code: 'SHADOWED', severity: 'warning', path: `${home}/.claude/skills/pdf/SKILL.md` },
    ]);
    expect((await skillplane(['show'], { home, cwd: '/' })).stdout).toContain('1 warning.');
    // Read from the cache, too.
    expect(JSON.parse((await skillplane(['show', '--json'], { home })).stdout).diagnostics).toEqual(diagnostics);
  });
});

describe('a skill in a folder that is switched off', () => {
  test.each([
    ['load', 'notes'],
    ['info', 'notes'],
    ['run', 'notes'],
    ['run', 'notes', 'a.sh'],
    ['resources', 'notes'],
    ['read', 'skill://notes'],
    ['enable', 'Notes'],
  ])('is located by %s, which says how to switch its folder on', async (...args) => {
    const home = makeHome({
      'work/.cursor/skills/notes/SKILL.md': skillText({ name: 'notes', description: 'Takes them.' }),
    });
    const cwd = join(home, 'work');
    const { code, stderr } = await skillplane(args, { home, cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(`"notes" is in ${cwd}/.cursor/skills, but that folder is turned off (cursor-project)`);
    expect(stderr).toContain('`skillplane config set enabledSources+=cursor-project`.');
  });

  test('is not reported for folders that only look like one', async () => {
    const home = makeHome({ '.cursor/skills/notes/README.md': '', '.cursor/SKILL.md': copy('none') });
    for (const name of ['notes', '..', '', '../..']) {
      expect((await skillplane(['load', name], { home })).stderr).not.toContain('is off');
    }
  });

  test('is reported as disabled if the configuration disables it', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabledSources: [bundled, claude]\n',
      '.claude/skills/pdf/SKILL.md': copy('claude'),
    });
    const { stderr } = await skillplane(['load', 'pdf'], { home });
    expect(stderr).toContain('that folder is turned off (claude-user)');
    expect(stderr).toContain('disabledSources');
  });
});
