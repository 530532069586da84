import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { answerOnTerminal, type Answer } from '../support/command-line.ts';
import { makeTree } from '../support/tree.ts';

/** Answers the question who someone is, as a hub does. */
async function serveWho(): Promise<string> {
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ ok: true, person: 'ann', grants: [{ scope: 'team', role: 'publisher' }] })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function logIn(home: string, answer: string | undefined) {
  const url = await serveWho();
  const answers: Answer[] = [['Token of the hub', 'sphub_secret\r']];
  if (answer !== undefined) answers.push(['Send these counts?', answer]);
  return answerOnTerminal(['login', url], { home, columns: 100, answers });
}

test('login asks once whether to send counts to the hub, and a yes is saved', async () => {
  const home = makeTree({});
  expect(await logIn(home, 'y')).toMatchObject({ shown: expect.stringContaining('Logged in to') });
  expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toContain('hub: true');
  const { shown } = await logIn(home, undefined);
  expect(shown).not.toContain('Send these counts?');
});

test('login sends no counts by default, and does not ask if the history is off', async () => {
  const home = makeTree({ '.agent/config.yaml': 'skills:\n  usage: { hosts: false }\n' });
  await logIn(home, '\r');
  expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).not.toContain('hub');
  await logIn(home, 'y');
  expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toMatch(/hosts: false[\s\S]*hub: true/);
  const off = makeTree({ '.agent/config.yaml': 'skills:\n  usage: false\n' });
  expect((await logIn(off, undefined)).shown).not.toContain('Send these counts?');
});
