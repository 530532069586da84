import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { startHttpProcess, type HttpProcess } from '../../support/mcp-process.ts';
import { makeTree, skillText } from '../../support/tree.ts';

const SETPRIV = '/usr/bin/setpriv';
const obstacle = process.getuid?.() === 0 && existsSync(SETPRIV) ? '' : ' (skipped: only root can become other users)';
const SECOND_USER = 61_236;

/** Calls a tool of the server as a second user of the machine; returns the status and the answer. */
function callAs(user: number, url: string, call: object): { readonly status: number; readonly text: string } {
  const code = `
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {} };
    const [url, call] = process.argv.slice(1);
    const params = { ...JSON.parse(call), _meta: meta };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) });
    console.log(JSON.stringify({ status: answer.status, text: await answer.text() }));`;
  const node = [process.execPath, '--input-type=module', '--eval', code, '--', url, JSON.stringify(call)];
  const identity = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  const { stdout, stderr } = spawnSync(SETPRIV, [...identity, ...node], { encoding: 'utf8', cwd: '/' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { status: number; text: string };
}

async function start(args: readonly string[]): Promise<{ home: string; server: HttpProcess }> {
  const home = makeTree({
    '.agent/skills/mark/SKILL.md': skillText({ name: 'mark', description: 'Leaves a mark.' }),
    '.agent/skills/mark/scripts/mark.sh': '#!/bin/sh\necho marked\n',
  });
  const server = await startHttpProcess(home, args);
  onTestFinished(async () => void (await server.stop()));
  return { home, server };
}

describe.skipIf(obstacle !== '')(`a second user of the machine${obstacle}`, () => {
  test('can read from a server without a token, as it says at its start', async () => {
    const { server } = await start([]);
    const { status, text } = callAs(SECOND_USER, server.url, { name: 'list_skills', arguments: {} });
    expect([status, text.includes('mark')]).toEqual([200, true]);
  });

  test.each([
    ['--allow-scripts', { name: 'run_skill_script', arguments: { name: 'mark', script: 'mark.sh' } }],
    ['--allow-write', { name: 'write_skill', arguments: { name: 'evil', description: 'Evil.', content: 'Evil.' } }],
    ['--allow-write', { name: 'ctx', arguments: { statement: '+s evil "Evil."' } }],
  ])('cannot act through a server with %s', async (option, call) => {
    const { home, server } = await start([option]);
    const { status, text } = callAs(SECOND_USER, server.url, call);
    expect([status, text.includes('marked')]).toEqual([401, false]);
    expect(existsSync(join(home, '.agent/skills/evil'))).toBe(false);
  });
});
