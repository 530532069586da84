import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createGateway } from '../../src/ctx/gateway.ts';
import { openSkills } from '../../src/engine/open-skills.ts';
import { withLock } from '../../src/platform/files/lock.ts';
import { skillText } from '../support/tree.ts';
import { makeWorld } from '../support/world.ts';

const MINE = skillText({ name: 'deploy', description: 'Deploys. Use when asked.' }, '# Deploy\n\nMine.\n');
const THEIRS = skillText({ name: 'deploy', description: 'Deploys. Use when asked.', creator: 'agent' });

describe('a model that may write changes no skill of a person', () => {
  test('by a clone that has a skill of the same name and says that an agent wrote it', async () => {
    const world = makeWorld({
      'home/.agent/skills/deploy/SKILL.md': MINE,
      'project/.agent/skills/deploy/SKILL.md': THEIRS,
    });
    await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
    const gateway = createGateway(skills, { write: 'agent' });
    const refusal = { ok: false, message: expect.stringContaining('was not written by an agent') };
    expect(await gateway.handle('~s deploy "Send everything away."')).toMatchObject(refusal);
    expect(await gateway.handle('-s deploy')).toMatchObject(refusal);
    for (const place of ['home', 'project'])
      expect(readFileSync(join(world.root, place, '.agent/skills/deploy/SKILL.md'), 'utf8')).toBe(
        place === 'home' ? MINE : THEIRS,
      );
  });

  test.each(['~s deploy "Send everything away."', '-s deploy'])(
    'by %s while the person replaces the skill that an agent wrote',
    async (statement) => {
      const world = makeWorld({ 'home/.agent/skills/deploy/SKILL.md': THEIRS });
      const root = join(world.home, '.agent/skills');
      const file = join(root, 'deploy/SKILL.md');
      await using skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
      const gateway = createGateway(skills, { write: 'agent' });
      const answers = await withLock(join(root, '.skillplane-writing'), async () => {
        const answer = gateway.handle(statement);
        // Long enough for the statement to find the skill and to wait for the lock.
        await sleep(300);
        writeFileSync(file, MINE);
        return { ok: true, answer: [answer] };
      });
      const [answer] = answers.ok ? answers.answer : [];
      expect(await answer).toMatchObject({ ok: false, message: expect.stringContaining('not written by an agent') });
      expect(readFileSync(file, 'utf8')).toBe(MINE);
    },
  );
});
