import { join } from 'node:path';

import { openSkills } from '../../src/index.ts';
import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import type { ConsoleHome } from './console-home.ts';
import { makeRepository } from './git-repositories.ts';
import { jsonLines } from './transcripts.ts';
import { skillText, writeTree } from './tree.ts';

const skill = (name: string): string => skillText({ name, description: `Does ${name}. Use when ${name} comes up.` });

/**
 * A home that Skillplane never saw: two agents, two skills that the tool `skills` installed, one that lacks its command, and a
 * session that used one of them.
 */
export async function makeFreshHome(): Promise<ConsoleHome> {
  const made = makeTemporaryTree({ 'home/': '', 'project/.git/': '' });
  const { root } = made;
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  const repository = makeRepository(
    { 'skills/pdf/SKILL.md': skill('pdf'), 'skills/mail/SKILL.md': skill('mail') },
    join(root, 'acme-skills'),
  );
  const entryOf = (name: string) => {
    return { source: 'o/r', sourceType: 'git', sourceUrl: repository.url, skillPath: `skills/${name}/SKILL.md` };
  };
  const use = {
    type: 'user',
    message: { role: 'user', content: '<command-message>pdf</command-message>\n<command-name>/pdf</command-name>' },
    uuid: '00000000-0000-4000-8000-000000000001',
    timestamp: new Date(Date.now() - 60_000).toISOString(),
    sessionId: 'session-1',
    cwd: project,
  };
  writeTree(home, {
    '.claude/settings.json': '{}\n',
    '.claude/projects/-work-app/a.jsonl': jsonLines(use),
    '.claude/skills/gh/SKILL.md': skillText({ name: 'gh', description: 'Does gh.', metadata: { requires: 'gh' } }),
    '.codex/config.toml': '',
    '.agents/.skill-lock.json': JSON.stringify({ version: 3, skills: { pdf: entryOf('pdf'), mail: entryOf('mail') } }),
    '.agents/skills/pdf/SKILL.md': skill('pdf'),
    '.agents/skills/mail/SKILL.md': skill('mail'),
  });
  const env = { HOME: home, PATH: '/usr/bin:/bin' };
  const open = () => openSkills({ cwd: project, home, env });
  return { home, project, env, repository, open, [Symbol.dispose]: made[Symbol.dispose] };
}
