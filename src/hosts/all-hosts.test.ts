import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeTree, skillText } from '../../test/support/tree.ts';
import { AGENT_IDS, AGENTS, CLIENT_NAMES, findAgent, HOST_IDS } from '../model/agents.ts';
import { sourceTable } from '../sources/table.ts';
import { hostOf } from './all-hosts.ts';
import { viewHost } from './seeing/view-host.ts';

test('every agent with a folder is a host, and its sources, settings and commands follow from its row', () => {
  expect(AGENT_IDS.slice(0, HOST_IDS.length)).toEqual(HOST_IDS);
  for (const id of AGENT_IDS) {
    const { title, user, project, sources } = AGENTS[id];
    expect(hostOf(id)).toMatchObject({ id, title });
    expect([findAgent(id), findAgent(title)]).toEqual([id, id]);
    const rows = sourceTable.filter(({ agent, layout }) => agent === id && layout === 'skills');
    const name = sources?.id ?? id;
    const places = { ...(project === undefined ? {} : { [`${name}-project`]: project }), [`${name}-user`]: user };
    expect(Object.fromEntries(rows.map((row) => [row.id, row.place]))).toEqual(places);
  }
  for (const id of HOST_IDS) expect(CLIENT_NAMES).toContain(id);
});

test('an agent is known by the words that people use for it', () => {
  expect(['claude', 'Claude Code', 'CODEX', 'github', 'cursor-agent'].map(findAgent)).toEqual([
    'claude-code',
    'claude-code',
    'codex',
    'copilot',
    'cursor',
  ]);
  for (const word of ['vscode', 'toString', 'code', '']) expect(findAgent(word)).toBeUndefined();
});

test('a host of which only the folders are known sees the skills in them', () => {
  const home = makeTree({
    '.kiro/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fills forms.' }),
    'project/.git/': '',
    'project/.kiro/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Writes mail.' }),
  });
  const kiro = hostOf('kiro');
  const place = { home, cwd: join(home, 'project'), variables: {} };
  const seen = viewHost(kiro, place).skills.map(({ skill, standing }) => [skill.name, standing]);
  expect(seen).toEqual([
    ['mail', 'described'],
    ['pdf', 'described'],
  ]);
  expect([kiro.shownIn(place, 'user'), kiro.shownIn(place, 'project')]).toEqual([
    join(home, '.kiro/skills'),
    join(home, 'project/.kiro/skills'),
  ]);
});
