import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { link, skillText, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { doctor } from '../engine/doctor/doctor.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { discoverCommandFiles } from '../sources/command-files.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { expandSlashCommand, slashCommands } from './slash-commands.ts';

const DIR = '.agent/skills';
const CONFIG = 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n';

async function open(tree: Tree): Promise<{ world: World; skills: Skills }> {
  const world = makeWorld({ 'home/.agent/config.yaml': CONFIG, ...tree });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills };
}

function openPdf(given: Tree = {}): Promise<{ world: World; skills: Skills }> {
  const pdf = skillText({ name: 'pdf', description: 'Fill PDF forms.' }, '# PDF\n\nUse qpdf.\n');
  return open({ [`home/${DIR}/pdf/SKILL.md`]: pdf, ...given });
}

describe('slash commands', () => {
  const skillFiles = {
    [`home/${DIR}/pdf/SKILL.md`]: skillText({ description: 'Fill PDF forms.' }),
    [`home/${DIR}/hidden/SKILL.md`]: skillText({ description: 'For users.', 'disable-model-invocation': true }),
    [`home/${DIR}/inner/SKILL.md`]: skillText({ description: 'Not for users.', 'user-invocable': false }),
    [`home/${DIR}/off/SKILL.md`]: skillText({ description: 'Off.' }),
    [`home/${DIR}/lacking/SKILL.md`]: skillText({ description: 'Lacks.', metadata: { requires: 'no-such-command' } }),
  };

  test('exist for each skill that users may invoke, even if hidden from the model', async () => {
    const { skills } = await open(skillFiles);
    const commands = await slashCommands(skills);
    expect(commands.map(({ name, description }) => [name, description])).toEqual([
      ['skill:hidden', 'For users.'],
      ['skill:pdf', 'Fill PDF forms.'],
    ]);
    expect(commands[1]?.skill).toBe(skills.catalog().skills.find(({ name }) => name === 'pdf'));
  });

  test('can be turned off in the configuration, and typed text then stays unchanged', async () => {
    const config = `${CONFIG}  enableSkillCommands: false\n`;
    const { skills } = await open({ ...skillFiles, 'home/.agent/config.yaml': config });
    expect(await slashCommands(skills)).toEqual([]);
    expect(await expandSlashCommand(skills, '/skill:pdf')).toBeUndefined();
  });

  test.each(['/skill:inner', '/skill:off', '/skill:lacking'])(
    'are unknown for a skill that is not for users, disabled or unavailable: %s',
    async (text) => {
      const { skills } = await open(skillFiles);
      expect(await expandSlashCommand(skills, text)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    },
  );

  test('use the first sentence of the body if the skill has no description', async () => {
    const { skills } = await open({ 'home/.claude/skills/a/SKILL.md': 'Does it all. And more.\n' });
    expect(await slashCommands(skills)).toMatchObject([{ name: 'skill:a', description: 'Does it all' }]);
  });
});

describe('the message of a slash command', () => {
  test('is the body without frontmatter, then the path of the skill', async () => {
    const { skills, world } = await openPdf();
    const expanded = await expandSlashCommand(skills, '/skill:pdf');
    const file = join(world.home, DIR, 'pdf/SKILL.md');
    expect(expanded).toMatchObject({ ok: true, skill: { name: 'pdf' }, args: '' });
    expect(expanded?.ok === true && expanded.message).toBe(`# PDF\n\nUse qpdf.\n\n---\n\nSkill: ${file}`);
  });

  test('ends with the text the user typed', async () => {
    const { skills, world } = await openPdf();
    const expanded = await expandSlashCommand(skills, '/skill:pdf  fill a.pdf\nfor me ');
    const file = join(world.home, DIR, 'pdf/SKILL.md');
    expect(expanded?.ok === true && expanded.message).toBe(
      `# PDF\n\nUse qpdf.\n\n---\n\nSkill: ${file}\nUser: fill a.pdf\nfor me`,
    );
  });

  test('has its arguments filled in and still ends with the text the user typed', async () => {
    const { skills } = await open({
      [`home/${DIR}/fix/SKILL.md`]: skillText({ description: 'Fix.' }, 'Fix $1 in "$2". All: $ARGUMENTS'),
    });
    const expanded = await expandSlashCommand(skills, '/skill:fix 12 "the parser"');
    expect(expanded?.ok === true && expanded.message).toMatch(
      /^Fix 12 in "the parser"\. All: 12 "the parser"\n\n---\n\nSkill: .*\nUser: 12 "the parser"$/,
    );
  });

  test('has no trailing space where nothing was filled in', async () => {
    const { skills } = await open({ [`home/${DIR}/fix/SKILL.md`]: skillText({ description: 'x' }, 'Fix $ARGUMENTS') });
    const expanded = await expandSlashCommand(skills, '/skill:fix');
    expect(expanded?.ok === true && expanded.message).toMatch(/^Fix\n\n---\n\nSkill: /);
  });

  test('shows invisible characters in the path of the skill', async () => {
    const { skills } = await open({
      [`home/${DIR}/o\u200Bdd/SKILL.md`]: skillText({ name: 'odd', description: 'x' }),
    });
    const expanded = await expandSlashCommand(skills, '/skill:odd');
    expect(expanded?.ok === true && expanded.message).toMatch(/\/o\\u\{200b\}dd\/SKILL\.md$/);
  });

  test.each(['argument-hint', 'arguments'])(
    'has arguments filled in inside code blocks if the field %s declares them',
    async (field) => {
      const { skills } = await open({
        [`home/${DIR}/fix/SKILL.md`]: skillText(
          { description: 'Fix.', [field]: '[issue]' },
          '```sh\ngh issue view $1\n```',
        ),
      });
      const expanded = await expandSlashCommand(skills, '/skill:fix 12');
      expect(expanded?.ok === true && expanded.message).toContain('gh issue view 12\n');
    },
  );

  test('has no frontmatter for a file with Windows line endings', async () => {
    const { skills } = await openPdf({
      [`home/${DIR}/win/SKILL.md`]: '---\r\nname: win\r\ndescription: x\r\n---\r\n\r\na\r\nb\r\n',
    });
    const expanded = await expandSlashCommand(skills, '/skill:win');
    expect(expanded?.ok === true && expanded.message.startsWith('a\nb\n\n---\n\nSkill: ')).toBe(true);
  });

  test('shows invisible characters of the skill, and leaves the typed text unchanged', async () => {
    const { skills } = await open({
      [`home/${DIR}/odd/SKILL.md`]: skillText({ description: 'x' }, 'a\u{E0041}\u202Eb $1'),
    });
    const expanded = await expandSlashCommand(skills, '/skill:odd c\u200Bd');
    expect(expanded?.ok === true && expanded.message).toMatch(/^a\uFFFDb c\u200Bd\n[^]*\nUser: c\u200Bd$/);
  });

  test('records a use and enters the skill into the conversation’s ledger', async () => {
    const { skills } = await openPdf();
    const ledger = new ActivationLedger();
    const expanded = await expandSlashCommand(skills, '/skill:pdf', { ledger });
    expect([...(await skills.usage.lastUsed(['pdf'])).keys()]).toEqual(['pdf']);
    const length = expanded?.ok === true ? expanded.message.length : 0;
    expect(ledger.list()).toMatchObject([{ name: 'pdf', tokens: Math.ceil(length / 4) }]);
  });
});

describe('text typed by the user', () => {
  test.each(['', 'fill a form', '/skill', ' /skill:pdf', '/pdf', 'x /skill:pdf'])(
    'goes to the model unchanged if it is no command: %j',
    async (text) => {
      const { skills } = await openPdf();
      expect(await expandSlashCommand(skills, text)).toBeUndefined();
      expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
    },
  );

  test.each([
    ['/skill:pfd fill a.pdf', 'unknown command /skill:pfd; the nearest are /skill:pdf'],
    ['/skill:', 'unknown command /skill:; the nearest are /skill:pdf'],
    ['/skill:\u200Bx', String.raw`unknown command /skill:\u{200b}x; the nearest are /skill:pdf`],
  ])('with an unknown command is answered with the most similar ones: %j', async (text, message) => {
    const { skills } = await openPdf();
    expect(await expandSlashCommand(skills, text)).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message });
    expect(await skills.usage.lastUsed(['pdf'])).toEqual(new Map());
  });

  test('goes to the model unchanged if commands are turned off', async () => {
    const off = { 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  enableSkillCommands: false\n' };
    const { skills } = await openPdf(off);
    expect(await expandSlashCommand(skills, '/skill:pfd')).toBeUndefined();
  });

  test('may call a skill by its folder or in another case', async () => {
    const { skills } = await open({
      [`home/${DIR}/forms/SKILL.md`]: skillText({ name: 'Fill-Forms', description: 'x' }),
    });
    for (const text of ['/skill:Fill-Forms a', '/skill:forms a', '/skill:fill-forms\ta'])
      expect(await expandSlashCommand(skills, text)).toMatchObject({
        ok: true,
        skill: { name: 'Fill-Forms' },
        args: 'a',
      });
  });

  test('may call a skill whose name contains spaces, and the longest matching name wins', async () => {
    const { skills } = await open({
      [`home/${DIR}/a/SKILL.md`]: skillText({ name: 'fill', description: 'x' }),
      [`home/${DIR}/b/SKILL.md`]: skillText({ name: 'fill forms', description: 'x' }),
    });
    expect(await expandSlashCommand(skills, '/skill:fill forms now')).toMatchObject({
      skill: { name: 'fill forms' },
      args: 'now',
    });
    expect(await expandSlashCommand(skills, '/skill:fill formsnow')).toMatchObject({
      skill: { name: 'fill' },
      args: 'formsnow',
    });
  });

  test('that calls a skill gone from disk is a failure, not a message to the model', async () => {
    const { skills, world } = await openPdf();
    rmSync(join(world.home, DIR, 'pdf'), { recursive: true });
    expect(await expandSlashCommand(skills, '/skill:pdf')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});

describe('command files of other agents', () => {
  const FILES: Tree = {
    'project/.git/': '',
    'project/.claude/commands/review.md':
      '---\ndescription: Review a change.\nargument-hint: "[branch]"\n---\nReview $1 with care.\n',
    'project/.claude/commands/notes.txt': 'no command',
    'project/.claude/commands/out.md': link('../../../secret.md'),
    'project/commands/stray.md': 'Is not in an agent folder.',
    'secret.md': 'password',
    'home/.claude/commands/review.md': 'Shadowed by the project.',
    'home/.codex/commands/plan.md': '# Plan the work\n\nPlan: $ARGUMENTS',
    'project/.cursor/commands/off.md': 'Its source is off by default.',
  };

  test('are offered after the skills, once per name, and only from inside their folders', async () => {
    const { skills } = await openPdf(FILES);
    const commands = await slashCommands(skills);
    expect(commands.map(({ name, description }) => [name, description])).toEqual([
      ['skill:pdf', 'Fill PDF forms.'],
      ['plan', 'Plan the work'],
      ['review', 'Review a change.'],
    ]);
  });

  test('that are unusable or flawed are reported as diagnostics', async () => {
    const { world, skills } = await openPdf({
      ...FILES,
      'project/.claude/commands/latin.md': Buffer.from('caf\u00e9', 'latin1'),
      'project/.claude/commands/my review.md': 'x',
      'project/.claude/commands/colon.md': '---\ndescription: Use when: asked\n---\nGo.',
      'project/.claude/commands/alias.md': '---\na: &a b\nc: *a\n---\nGo.',
      'project/.claude/commands/git/commit.md': 'x',
      'home/.codex/commands/gone.md': link('nowhere.md'),
      'home/.agents/commands': 'a file',
    });
    const { diagnostics } = discoverCommandFiles(skills);
    const [project, home] = [join(world.project, '.claude/commands'), world.home];
    expect(diagnostics.map(({ code, severity, path, line }) => [code, severity, path, line])).toEqual([
      ['MISPLACED_SKILL', 'info', join(project, 'git'), undefined],
      ['YAML_INVALID', 'warning', join(project, 'alias.md'), 3],
      ['YAML_RECOVERED', 'warning', join(project, 'colon.md'), 2],
      ['INVALID_ENCODING', 'warning', join(project, 'latin.md'), undefined],
      ['INVALID_NAME', 'warning', join(project, 'my review.md'), undefined],
      ['FILE_UNREADABLE', 'warning', join(project, 'out.md'), undefined],
      ['SOURCE_UNREADABLE', 'warning', join(home, '.agents/commands'), undefined],
      ['SHADOWED', 'info', join(home, '.claude/commands/review.md'), undefined],
      ['FILE_UNREADABLE', 'warning', join(home, '.codex/commands/gone.md'), undefined],
    ]);
    expect((await slashCommands(skills)).map(({ name }) => name)).toEqual([
      'skill:pdf',
      'alias',
      'colon',
      'plan',
      'review',
    ]);
    const checks = (await doctor({ cwd: world.project, home, env: world.env })).filter(({ area }) => area === 'slash');
    expect(checks.map(({ status }) => status)).toEqual(['ok', ...Array.from({ length: 7 }, () => 'warning')]);
    expect(checks[1]?.detail).toContain(`${join(project, 'alias.md')}:3: its frontmatter is invalid YAML`);
  });

  test('are expanded with the arguments typed', async () => {
    const { skills, world } = await openPdf(FILES);
    expect(await expandSlashCommand(skills, '/review main')).toEqual({
      ok: true,
      skill: undefined,
      args: 'main',
      message: `Review main with care.\n\n---\n\nCommand: ${join(world.project, '.claude/commands/review.md')}\nUser: main`,
    });
    expect(await expandSlashCommand(skills, '/reviewer main')).toBeUndefined();
    expect(await expandSlashCommand(skills, '/out')).toBeUndefined();
  });

  test('are off or on with the source they belong to', async () => {
    const config = 'skills:\n  disabledSources: [bundled, claude]\n  enabledSources: [cursor]\n';
    const { skills } = await open({ ...FILES, 'home/.agent/config.yaml': config });
    expect((await slashCommands(skills)).map(({ name }) => name)).toEqual(['off', 'plan']);
  });

  test('can all be turned off by the user, and a project cannot turn them on again', async () => {
    const { skills } = await openPdf({
      ...FILES,
      'home/.agent/config.yaml': `${CONFIG}  enableCommandFiles: false\n`,
      'project/.agent/config.yaml': 'skills:\n  enableCommandFiles: true\n',
    });
    expect((await slashCommands(skills)).map(({ name }) => name)).toEqual(['skill:pdf']);
    expect(await expandSlashCommand(skills, '/plan x')).toBeUndefined();
  });
});
