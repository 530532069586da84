import { ProtocolError } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';

import { invalidParams, shielded } from './protocol-failure.ts';

test('an MCP client is told what was wrong with its request', async () => {
  const answer = shielded(() => {
    throw invalidParams('Unknown tool: x');
  }, failTest);
  await expect(answer()).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('Unknown tool: x') });
});

test('the details of an internal error go to the log, never to the MCP client', async () => {
  const logged: unknown[] = [];
  const broken = new Error("ENOENT: no such file or directory, open '/home/ann/secret'");
  const answer = shielded(
    () => Promise.reject(broken),
    (error) => logged.push(error),
  );
  const told = await answer().catch((error: unknown) => error);
  expect(told).toBeInstanceOf(ProtocolError);
  expect(told).toMatchObject({ code: -32_603, message: 'Internal error' });
  expect(logged).toEqual([broken]);
});

function failTest(error: unknown): void {
  throw error;
}
