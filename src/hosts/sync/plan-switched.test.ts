import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { skillText } from '../../../test/support/tree.ts';
import { makeWorld } from '../../../test/support/world.ts';
import { switchForHosts } from '../../install/switch.ts';
import { planSwitched, readHostWishes } from './plan-switched.ts';
import { planSync } from './sync.ts';

const CONFIG = '# mine\nskills:\n  disabledSources: [bundled]\n  hosts:\n    codex: ["!mail"]\n';
const SWITCHES = [
  { name: 'pdf', host: 'claude-code', isOn: false },
  { name: 'mail', host: 'codex', isOn: true },
] as const;

test('a sync plan with tentative switches equals the plan after real switching, and changes nothing', async () => {
  const { home, project, env } = makeWorld({
    'home/.agent/config.yaml': CONFIG,
    'home/.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill forms.' }),
    'home/.agent/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write mail.' }),
    'home/.claude/settings.json': '{}\n',
    'home/.codex/config.toml': '',
  });
  const place = { cwd: project, home, env };
  const planned = await planSwitched(SWITCHES, place);
  if (!planned.ok) throw new Error(planned.message);
  expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toBe(CONFIG);
  expect(planned.config?.diff).toMatch(/-\s+codex: \["!mail"\][\s\S]*\+\s+- "?!pdf"?/);
  const wishes = await readHostWishes(place);
  expect([wishes('mail', 'codex'), wishes('mail', 'claude-code')]).toEqual([false, true]);
  await switchForHosts(
    SWITCHES.map(({ host, ...rest }) => ({ ...rest, hosts: [host] })),
    place,
  );
  const after = await planSync(place);
  expect(after.ok && after.plan.changes).toEqual(planned.plan.changes);
  expect(await planSwitched(SWITCHES, place)).toMatchObject({ ok: true, config: undefined });
});
