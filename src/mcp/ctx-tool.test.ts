import { expect, onTestFinished, test } from 'vitest';

import { makeWorld } from '../../test/support/world.ts';
import { openSkills } from '../engine/open-skills.ts';
import { serverCtxTool } from './ctx-tool.ts';
import type { ToolPermissions } from './server-options.ts';

async function openTool(permissions: ToolPermissions): Promise<ReturnType<typeof serverCtxTool>> {
  const world = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n' });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return serverCtxTool(skills, permissions);
}

test.each([
  [{}, true],
  [{ allowScripts: true }, false],
  [{ allowWrite: true }, false],
])('with the permissions %j the CTX tool has readOnlyHint %s', async (permissions, isReadOnly) => {
  expect((await openTool(permissions)).annotations.readOnlyHint).toBe(isReadOnly);
});

test("the CTX tool's description sends a model that was not asked to use CTX to the other tools", async () => {
  expect((await openTool({})).description).toMatch(/^Only if you were asked to use the CTX language: the other tools/);
});

test('the CTX tool says that only the user can allow writing, and names no command-line option', async () => {
  const outcome = await (await openTool({})).execute({ statement: '-s pdf' });
  expect(outcome).toEqual({
    ok: false,
    code: 'NOT_ALLOWED',
    message:
      '-s is not allowed here: it writes skills. Only the user may do this; tell them, and do not do it yourself: ' +
      'Allow writing skills when you start the server.',
  });
});
