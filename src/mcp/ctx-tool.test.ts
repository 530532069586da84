import { expect, onTestFinished, test } from 'vitest';

import { makeWorld } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { ctxTool } from './ctx-tool.ts';
import type { ToolPermissions } from './server-options.ts';

async function openTool(permissions: ToolPermissions): Promise<ReturnType<typeof ctxTool>> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return ctxTool(skills, permissions);
}

test.each([
  [{}, true],
  [{ allowScripts: true }, false],
  [{ allowWrite: true }, false],
])('with %j, whether it only reads is %s', async (permissions, isReadOnly) => {
  expect((await openTool(permissions)).annotations.readOnlyHint).toBe(isReadOnly);
});

test('it tells a model that only the user can allow a statement, and names no option of the command line', async () => {
  const outcome = await (await openTool({})).execute({ statement: '-s pdf' });
  expect(outcome).toEqual({
    ok: false,
    code: 'NOT_ALLOWED',
    message: '-s is not allowed here: it writes skills',
    hint: 'Only the user can allow writing skills, when they start the server.',
  });
});
