import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane, skillplaneOnTerminal } from '../support/command-line.ts';
import { makeTree, skillText, type Tree } from '../support/tree.ts';

const ONLY_OURS = 'skills:\n  disabledSources: [bundled]\n';

interface ShowJson {
  readonly skills: readonly Readonly<Record<string, unknown>>[];
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[];
}

async function show(home: string, ...args: readonly string[]): Promise<ShowJson> {
  const { stdout, code } = await skillplane(['show', '--json', ...args], { home });
  expect(code).toBe(0);
  return JSON.parse(stdout) as ShowJson;
}

function makeHome(tree: Tree): string {
  return makeTree({ '.agent/config.yaml': ONLY_OURS, ...tree });
}

describe('show', () => {
  test('lists hundreds of new skills as it does when they come from the cache', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `skill-${at}`);
    const home = makeHome(
      Object.fromEntries(
        names.map((name, at) => [
          `.agents/skills/${name}/SKILL.md`,
          skillText({
            name,
            description: `Does ${at % 2 === 0 ? 'it' : '表格'}.`,
            ...(at % 50 === 0 && { metadata: 'none' }),
          }),
        ]),
      ),
    );
    const first = await show(home, 'skill-20');
    expect(first.skills).toHaveLength(names.filter((name) => name.startsWith('skill-20')).length);
    expect(first.diagnostics).toHaveLength(names.length / 50);
    expect(await show(home, 'skill-20')).toEqual(first);
  });

  test('lists problems first, then skills by source, with the agents that have each', async () => {
    const home = makeHome({
      '.agent/config.yaml': `${ONLY_OURS}  disabled: [quiet]\n`,
      '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms.\nAnd more.' }),
      '.agent/skills/quiet/SKILL.md': skillText({ name: 'quiet', description: 'Not wanted.' }),
      '.claude/skills/cloud/SKILL.md': skillText({
        name: 'cloud',
        description: 'Deploy.',
        metadata: { requires: 'no-such-cli nor-this' },
      }),
    });
    expect((await skillplane(['show'], { home, cwd: '/' })).stdout).toBe(
      [
        '[Problems]',
        '  ✗ cloud  Claude Code  missing commands: no-such-cli, nor-this',
        '  ○ quiet  no agent     disabled by you (config.yaml)',
        '',
        '[User Skills]',
        '  ✓ pdf  no agent     Fill forms.',
        '',
        '3 skills: 1 enabled, 1 disabled, 1 unavailable',
        '',
      ].join('\n'),
    );
  });

  test('--duplicates lists names with different texts, and texts under several names', async () => {
    const home = makeHome({
      '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms.' }),
      '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Sign contracts.' }, 'Sign here.\n'),
      '.claude/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill forms.' }),
      '.claude/skills/other/SKILL.md': skillText({ name: 'other', description: 'Something else.' }, 'Else.\n'),
    });
    expect((await skillplane(['show', '--duplicates'], { home, cwd: '/' })).stdout).toBe(
      [
        'One name, different texts',
        '  pdf',
        `    ✓ ${home}/.agent/skills/pdf (user)`,
        `    · ${home}/.claude/skills/pdf (claude-user)  0 % the same as the first`,
        '',
        'The same instructions',
        '  pdf, forms',
        `    ✓ ${home}/.agent/skills/pdf (user)`,
        `    ✓ ${home}/.claude/skills/forms (claude-user)`,
        '',
        '2 groups of duplicates; ✓ is in use, · is not used.',
        'Choose a copy with `skillplane manage prefer <name> <source>`, or turn a skill off with `skillplane disable <name>`.',
        '',
      ].join('\n'),
    );
    const { stdout } = await skillplane(['show', 'contracts', '--duplicates', '--json'], { home, cwd: '/' });
    expect(JSON.parse(stdout)).toMatchObject({
      duplicates: [
        {
          kind: 'name',
          skills: [
            { source: 'user', likeness: 1 },
            { source: 'claude-user', likeness: 0 },
          ],
        },
      ],
    });
    expect((await skillplane(['show', 'other', '--duplicates'], { home, cwd: '/' })).stdout).toBe('No duplicates.\n');
    expect(await skillplane(['show', '--duplicates', '--names'], { home, cwd: '/' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--names does not work with --duplicates'),
    });
  });

  test('lists broken skills with line and remedy, even if another copy is used', async () => {
    const broken = '---\nname: &a pdf\ndescription: *a\n---\nBody\n';
    const home = makeHome({
      '.agent/skills/pdf/SKILL.md': broken,
      '.agent/skills/docx/SKILL.md': broken,
      '.claude/skills/docx/SKILL.md': skillText({ name: 'docx', description: 'Write.' }),
    });
    const dir = (id: string): string => join(home, '.agent/skills', id);
    const flaw = 'line 3: the frontmatter cannot be read: aliases (*name) are not allowed';
    const remedy = (id: string): string => `Run \`skillplane validate --fix ${dir(id)}\` to fix what can be fixed.`;
    const shown = (await skillplane(['show'], { home, cwd: '/', env: { COLUMNS: '300' } })).stdout;
    expect(shown).toBe(
      [
        '[Problems]',
        `  ✗ docx               broken: ${flaw}. ${remedy('docx')}`,
        `      until then, ${join(home, '.claude/skills/docx/SKILL.md')} is used`,
        `  ✗ pdf   no agent     broken: ${flaw}. ${remedy('pdf')}`,
        '',
        '[Claude Skills]',
        '  ✓ docx  Claude Code  Write.  (also in user)',
        '',
        '3 skills: 1 enabled, 2 broken',
        '',
      ].join('\n'),
    );
    const doctor = (await skillplane(['doctor'], { home, cwd: '/' })).stdout;
    expect(doctor).toContain('· skills   3 skills, 2 of them broken, 0 copies not used\n');
    expect(doctor.match(/^✗ skills /gm)).toHaveLength(2);
    expect(doctor).not.toMatch(/^[!✓] skills /m);
    const { skills, diagnostics } = await show(home);
    expect(skills.filter(({ status }) => status === 'broken')).toMatchObject([
      { id: 'docx', shadowedBy: join(home, '.claude/skills/docx/SKILL.md') },
      { id: 'pdf', name: 'pdf', reasons: [flaw], next: { do: 'fix', path: dir('pdf') } },
    ]);
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'PARSE_FAILED', line: 3 }));
    expect((await skillplane(['load', 'docx'], { home })).stdout).toContain('Write.');
    const loaded = await skillplane(['load', 'pdf', '--json'], { home });
    expect(JSON.parse(loaded.stdout)).toMatchObject({ code: 'PARSE_FAILED', next: { do: 'fix', path: dir('pdf') } });
    expect((await skillplane(['search', 'pdf'], { home })).stderr).toContain(
      `pdf is broken: ${flaw}. ${remedy('pdf')}`,
    );
    expect((await skillplane(['search', 'pdf'], { home })).stdout).not.toContain('pdf');
  });

  test('lists the bundled skills, and without gh the one for it is no problem', async () => {
    const home = makeTree();
    const { stdout } = await skillplane(['show'], { home, env: { PATH: home } });
    expect(stdout).toMatch(/^\[Bundled Skills\]\n {2}○ gh .*\n {6}missing commands: gh\n/);
    const doctor = await skillplane(['doctor'], { home, env: { PATH: home } });
    expect(doctor.stdout).toMatch(/^[^!\n]*gh: missing commands: gh$/m);
    expect(stdout).toContain('  ✓ skill-author ');
  });

  test('prints every field of every skill as one JSON document, sorted by name', async () => {
    const home = makeHome({
      '.agents/skills/b/SKILL.md': skillText(
        { name: 'b', description: 'Second. Of two.', tags: ['x', 'y'] },
        '# The B\n\nDo it.\n',
      ),
      '.agents/skills/a/SKILL.md': skillText({ name: 'a', description: 'First.' }),
    });
    const { skills, diagnostics } = await show(home);
    expect(skills.map((skill) => skill['name'])).toEqual(['a', 'b']);
    expect(skills[1]).not.toHaveProperty('stamp');
    expect(skills[1]).toMatchObject({
      id: 'b',
      name: 'b',
      title: 'The B',
      description: 'Second. Of two.',
      brief: 'Second',
      version: '1.0.0',
      defaults: ['version', 'domain'],
      tags: ['x', 'y'],
      tokens: 4,
      source: 'agents-user',
      level: 'user',
      dir: join(home, '.agents/skills/b'),
      file: join(home, '.agents/skills/b/SKILL.md'),
      status: 'enabled',
      reasons: [],
      pinned: false,
      hidden: false,
      requires: [],
      shadows: [],
      withheld: false,
    });
    expect(diagnostics).toEqual([]);
  });

  test('prints the brief description of a skill, and search finds it by when_to_use', async () => {
    const home = makeHome({
      '.agents/skills/b/SKILL.md': skillText({
        name: 'b',
        description: 'A long description.',
        brief_description: 'Short line',
        when_to_use: 'Use it for quarterly dividends.',
        version: '1.0.0',
        domain: 'development',
      }),
    });
    const { stdout } = await skillplane(['show'], { home });
    expect(stdout).toContain('  ✓ b  Short line\n');
    expect(stdout).not.toContain('A long description');
    expect((await show(home)).skills[0]).toMatchObject({ version: '1.0.0', domain: 'development' });
    expect((await skillplane(['search', 'quarterly dividends'], { home })).stdout).toMatch(/\bb\b/);
    expect((await skillplane(['prompt'], { home })).stdout).toContain('quarterly dividends');
  });

  test('marks skills that agents wrote, and lists only those with --by-agents', async () => {
    const home = makeHome({
      '.agents/skills/mine/SKILL.md': skillText({ name: 'mine', description: 'Mine.' }),
      '.agents/skills/its/SKILL.md': skillText({
        name: 'its',
        description: 'Its.',
        creator: 'agent',
        producer_version: '0.9.0',
      }),
    });
    expect((await skillplane(['show'], { home })).stdout).toMatch(
      /✓ its {3}Its\. {2}\(written by an agent\)\n {2}✓ mine {2}Mine\.\n/,
    );
    const { stdout } = await skillplane(['show', '--by-agents', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      skills: [{ name: 'its', creator: 'agent', producerVersion: '0.9.0' }],
    });
    expect((await skillplane(['show', '--by-agents'], { home })).stdout).toContain('1 skill: 1 enabled');
  });

  test('--all adds shadowed copies, each with both paths', async () => {
    const home = makeHome({
      '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Mine.' }),
      '.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Theirs.' }),
    });
    const winner = join(home, '.agent/skills/pdf/SKILL.md');
    const loser = join(home, '.claude/skills/pdf/SKILL.md');
    expect((await skillplane(['show'], { home })).stdout).not.toContain(loser);
    expect((await skillplane(['show'], { home })).stdout).toContain('✓ pdf  no agent  Mine.  (also in claude-user)');
    const all = (await skillplane(['list', '--all'], { home, env: { COLUMNS: '300' } })).stdout;
    expect(all).toContain(`not used: ${winner} has the same name`);
    const { skills } = await show(home, '--all');
    expect(skills.map(({ source, status, reasons, shadowedBy }) => ({ source, status, reasons, shadowedBy }))).toEqual([
      { source: 'claude-user', status: 'shadowed', reasons: [`${winner} has its name`], shadowedBy: winner },
      { source: 'user', status: 'enabled', reasons: [], shadowedBy: undefined },
    ]);
    expect((await show(home, '--all', '--status', 'shadowed')).skills).toMatchObject([{ source: 'claude-user' }]);
    expect((await show(home, '--all', '--status', 'enabled')).skills).toMatchObject([{ source: 'user' }]);
    expect(skills[1]?.['shadows']).toEqual([
      { source: 'claude-user', name: 'pdf', dir: join(home, '.claude/skills/pdf'), file: loser },
    ]);
  });

  test('warns of command files that define no command, like doctor', async () => {
    const home = makeHome({ '.claude/commands/review.md': Buffer.from('caf\u00e9', 'latin1') });
    const file = join(home, '.claude/commands/review.md');
    expect((await skillplane(['show'], { home })).stdout).toContain('1 warning.');
    expect((await skillplane(['show', '--verbose'], { home })).stdout).toContain(`warning INVALID_ENCODING ${file}: `);
    expect((await show(home)).diagnostics).toMatchObject([{ code: 'INVALID_ENCODING', path: file }]);
    expect((await skillplane(['doctor'], { home })).stdout).toContain(`! slash    ${file}: it is not valid UTF-8`);
  });

  test('counts warnings at the end, and prints them with --verbose', async () => {
    const home = makeHome({
      '.agents/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Use when: deploying\n---\nGo.\n',
    });
    expect((await skillplane(['show'], { home })).stdout).toContain(
      '1 warning. See it with `skillplane show --verbose`.',
    );
    expect((await skillplane(['doctor'], { home })).stdout).toContain('! skills   1 warning about skills\n');
    const { stdout } = await skillplane(['show', '--verbose'], { home });
    expect(stdout).toContain(`warning YAML_RECOVERED ${join(home, '.agents/skills/deploy/SKILL.md')}:3: `);
    expect(stdout).toContain('write description: "Use when: deploying"');
  });

  test('filters by text, source and state, and prints only names with --names', async () => {
    const home = makeHome({
      '.agent/config.yaml': `${ONLY_OURS}  disabled: [mail]\n`,
      '.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms.' }),
      '.agent/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write letters.', tags: ['forms'] }),
      '.claude/skills/chart/SKILL.md': skillText({ name: 'chart', description: 'Draw.' }),
    });
    const names = async (...args: readonly string[]): Promise<string> =>
      (await skillplane(['show', '--names', ...args], { home })).stdout;
    expect(await names()).toBe('chart\nmail\npdf\n');
    expect(await names('FORM')).toBe('mail\npdf\n');
    expect(await names('form', 'letter')).toBe('mail\n');
    expect(await names('--source', 'claude')).toBe('chart\n');
    expect(await names('--source', 'user', '--status', 'disabled')).toBe('mail\n');
    expect((await skillplane(['show', 'form'], { home })).stdout).toContain('2 skills: 1 enabled, 1 disabled');
    expect((await skillplane(['show', '--status', 'odd'], { home })).code).toBe(2);
  });

  test('names folders with skills that are switched off, with the command that enables them', async () => {
    const home = makeHome({
      'work/.cursor/skills/a/SKILL.md': skillText({ name: 'a', description: 'A.' }),
      'work/.cursor/skills/b/SKILL.md': skillText({ name: 'b', description: 'B.' }),
      'work/.gemini/skills/': '',
    });
    const cwd = join(home, 'work');
    const { stdout } = await skillplane(['show'], { home, cwd, env: { COLUMNS: '300' } });
    const path = join(cwd, '.cursor/skills');
    const command = 'config set enabledSources+=cursor-project';
    expect(stdout).toBe(
      `No skills found. Install some with \`skillplane install owner/repo\`, or create one with \`skillplane new my-skill\`.\n2 skills in ${path} (folder turned off). Turn it on with \`skillplane ${command}\`.\n`,
    );
    expect((await skillplane(command.split(' '), { home, cwd })).code).toBe(0);
    expect((await skillplane(['show', '--names'], { home, cwd })).stdout).toBe('a\nb\n');
  });

  test('finds the skills that a person keeps in the folders of other agents', async () => {
    const home = makeHome({
      '.cursor/skills/a/SKILL.md': skillText({ name: 'a', description: 'A.' }),
      '.config/goose/skills/b/SKILL.md': skillText({ name: 'b', description: 'B.' }),
    });
    expect((await skillplane(['show', '--names'], { home })).stdout).toBe('a\nb\n');
    const { stdout } = await skillplane(['show'], { home });
    expect(stdout).toMatch(/ a +Cursor +A\.[^]* b +Goose +B\./);
  });

  test('says that nothing matches, and suggests search and the known sources', async () => {
    const home = makeHome({
      '.agent/skills/a/SKILL.md': skillText({ name: 'a', description: 'A.', odd: 1 }),
      '.cursor/skills/a/SKILL.md': skillText({ name: 'a', description: 'A.' }),
    });
    expect((await skillplane(['show', 'pdf', 'form'], { home })).stdout).toBe(
      "No skill matches.\nRun `skillplane search 'pdf form'` to search by task.\n",
    );
    expect((await skillplane(['show', '--status', 'broken'], { home })).stdout).toBe('No skill matches.\n');
    const unknown = await skillplane(['show', '--source', 'clude'], { home });
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('unknown source "clude"; available: ');
    const off = await skillplane(['show', '--source', 'npm-project'], { home });
    expect(off.stderr).toMatch(/"npm-project" is off[^]*Allow one with the setting `npmPackages`/);
    expect(await skillplane(['show', '--source', 'claude'], { home })).toMatchObject({ code: 0, stderr: '' });
  });

  test('says so if there are no skills', async () => {
    expect((await skillplane(['show'], { home: makeHome({}) })).stdout).toMatch(
      /^No skills found. Install some with .*\n$/,
    );
  });

  test('uses defaults if the configuration is broken, says where, and leaves the file alone', async () => {
    const home = makeTree({
      '.agent/config.yaml': 'skills:\n  disabled: nothing\n',
      '.agents/skills/a/SKILL.md': skillText({ name: 'a', description: 'Still here.' }),
    });
    const { stdout, stderr, code } = await skillplane(['show'], { home });
    expect(code).toBe(0);
    expect(stdout).toContain('✓ a');
    expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toBe('skills:\n  disabled: nothing\n');
    expect(stderr).toContain(`CONFIG_INVALID ${join(home, '.agent/config.yaml')}:2: skills.disabled: must be a list`);
  });

  test('--cwd lists another project', async () => {
    const home = makeHome({});
    const project = makeTree({
      '.git/': '',
      'deep/down/': '',
      '.agents/skills/p/SKILL.md': skillText({ name: 'p', description: 'Of the project.' }),
    });
    const { stdout } = await skillplane(['show', '--cwd', join(project, 'deep/down')], { home });
    expect(stdout).toContain('[Agents Skills (this project)]\n  ✓ p  Of the project.\n');
  });
});

describe('the text of a skill', () => {
  const hostile = 'a\u001B[31mred\u001B]0;title\u0007 \u009B1m \u202Eflipped \u{E0041}tag \u200Bzero \u0008back\rover';
  const controls = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200B-\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;

  test('is printed by show with every control, direction, tag and zero-width character visible', async () => {
    const home = makeHome({ '.agents/skills/evil/SKILL.md': skillText({ name: hostile, description: hostile }) });
    for (const args of [
      ['show'],
      ['show', '--verbose'],
      ['show', '--json'],
      ['doctor'],
      ['validate', '.agents/skills/evil'],
    ]) {
      const { stdout, stderr } = await skillplane(args, { home });
      expect(`${stdout}${stderr}`).not.toMatch(controls);
    }
    expect((await skillplane(['show'], { home })).stdout).toContain('a\\u{1b}[31mred');
  });

  test('is unchanged in JSON', async () => {
    const home = makeHome({ '.agents/skills/evil/SKILL.md': skillText({ name: 'evil', description: hostile }) });
    expect((await show(home)).skills[0]?.['description']).toBe(hostile);
  });
});

describe('show on a terminal', () => {
  const home = (): string =>
    makeHome({
      '.agents/skills/wide/SKILL.md': skillText({ name: 'wide', description: `${'很长的描述'.repeat(20)} and so on` }),
    });

  test('uses colours unless NO_COLOR is set', async () => {
    const place = home();
    expect(skillplaneOnTerminal(['show'], { home: place, columns: 60 })).toContain('\u001B[32m✓');
    expect(skillplaneOnTerminal(['show'], { home: place, columns: 60, env: { NO_COLOR: '1' } })).not.toContain(
      '\u001B',
    );
    expect((await skillplane(['show'], { home: place })).stdout).not.toContain('\u001B');
  });

  test('fits descriptions to the width, with wide characters as two columns', () => {
    const text = skillplaneOnTerminal(['show'], { home: home(), columns: 50, env: { NO_COLOR: '1' } });
    expect(text).toContain('  ✓ wide  很长的描述很长的描述很长的描述很长的描…\n');
  });
});
