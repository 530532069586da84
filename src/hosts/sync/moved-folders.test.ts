import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snapshotTree } from '../../../test/support/snapshot.ts';
import { makeTree, skillText } from '../../../test/support/tree.ts';
import { sync, undoSync } from './sync.ts';

test('sync writes to the folders that environment variables name, and its undo restores them to the byte', async () => {
  const root = makeTree({
    'home/.agent/config.yaml': `skills:
  disabledSources: [bundled]
  hosts: { claude-code: ["!pdf"], codex: ["!pdf"], copilot: ["!pdf"], gemini: ["!pdf"], opencode: ["!pdf"] }
`,
    'home/.agent/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Does mail.' }, 'Text.'),
    // Codex and OpenCode read this folder wherever theirs is.
    'home/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Does pdf.' }, 'Text.'),
    'moved/claude/settings.json': '{ "a": 1 } // mine\n',
    'moved/codex/config.toml': '# mine\n',
    'moved/claude/skills/own/SKILL.md': skillText({ name: 'own', description: 'Does its own.' }, 'Text.'),
    'moved/copilot/': '',
    'moved/gemini/.gemini/settings.json': '{}',
    'moved/config/opencode/opencode.jsonc': '{ /* mine */ }\n',
  });
  const moved = join(root, 'moved');
  const home = join(root, 'home');
  const env = {
    HOME: home,
    PATH: '',
    CLAUDE_CONFIG_DIR: join(moved, 'claude'),
    CODEX_HOME: join(moved, 'codex'),
    COPILOT_HOME: join(moved, 'copilot'),
    GEMINI_CLI_HOME: join(moved, 'gemini'),
    XDG_CONFIG_HOME: join(moved, 'config'),
  };
  const options = { cwd: home, home, env };
  const before = snapshotTree(root, ['home/.agent']);
  expect(await sync(options)).toMatchObject({ ok: true, report: { problems: [] } });
  for (const folder of ['moved/claude', 'moved/copilot', 'moved/gemini/.agents', 'home/.agents'])
    expect(readlinkSync(join(root, folder, 'skills/mail'))).toBe(join(home, '.agent/skills/mail'));
  // A skill of a moved folder is a skill of ours, too.
  expect(readlinkSync(join(home, '.agents/skills/own'))).toBe(join(moved, 'claude/skills/own'));
  expect(
    ['claude', 'copilot', 'gemini/.agents'].filter((folder) => existsSync(join(moved, folder, 'skills/pdf'))),
  ).toEqual([]);
  for (const file of ['codex/config.toml', 'config/opencode/opencode.jsonc'])
    expect(readFileSync(join(moved, file), 'utf8')).toContain('pdf');
  for (const folder of ['.claude', '.codex', '.copilot', '.gemini', '.config'])
    expect(existsSync(join(home, folder))).toBe(false);
  expect(await sync(options)).toMatchObject({ ok: true, report: { changes: [], files: [] } });
  expect(await undoSync(options)).toMatchObject({ ok: true });
  expect(snapshotTree(root, ['home/.agent'])).toEqual(before);
});
