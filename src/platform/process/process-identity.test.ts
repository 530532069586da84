import { expect, test } from 'vitest';

import { nextLine, runModule, sourceUrl, startModule } from '../../../test/support/child.ts';
import { judgeProcess, ownIdentity, type ProcessIdentity } from './process-identity.ts';

const PRINT = `
  import { ownIdentity } from ${JSON.stringify(sourceUrl('platform/process/process-identity.ts'))};
  console.log(JSON.stringify(ownIdentity()));`;

test('a process is recognized as running, suspended or gone', async () => {
  expect(judgeProcess(ownIdentity())).toBe('running');
  expect(judgeProcess((await runModule(PRINT)) as ProcessIdentity)).toBe('gone');
  const child = startModule(`${PRINT}\nsetTimeout(() => undefined, 60_000);`);
  const identity = JSON.parse(await nextLine(child)) as ProcessIdentity;
  expect(identity).toMatchObject({ pid: child.pid, boot: ownIdentity().boot });
  expect(judgeProcess(identity)).toBe('running');
  child.kill('SIGSTOP');
  await expect.poll(() => judgeProcess(identity)).toBe('suspended');
});

test('another process with the same pid is not mistaken for the original', () => {
  expect(judgeProcess({ ...ownIdentity(), started: '1' })).toBe('gone');
});

test('the state of a process from another boot is unknown', () => {
  expect(judgeProcess({ ...ownIdentity(), boot: 'another' })).toBe('unknown');
});
