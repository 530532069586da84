import { statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runModule, sourceUrl } from '../../test/support/child.ts';
import { makeTree } from '../../test/support/tree.ts';
import { readHubs, removeHub, saveHub } from './hubs.ts';

const HUB = { url: 'https://hub.example', token: 'secret', person: 'Ann' };

test('the hub that was logged in to last is the first one, and only its user can read its token', async () => {
  const agentHome = makeTree();
  await saveHub(agentHome, HUB);
  await saveHub(agentHome, { ...HUB, url: 'https://other.example' });
  expect(await saveHub(agentHome, { ...HUB, token: 'newer' })).toMatchObject({ ok: true });
  expect(readHubs(agentHome)).toMatchObject({
    ok: true,
    hubs: [{ url: 'https://hub.example', token: 'newer' }, { url: 'https://other.example' }],
  });
  expect(statSync(join(agentHome, 'hubs.json')).mode % 0o1000).toBe(0o600);
});

test('logging out of a hub that is not known fails and names those that are', async () => {
  const agentHome = makeTree();
  await saveHub(agentHome, HUB);
  expect(await removeHub(agentHome, 'https://other.example')).toMatchObject({
    ok: false,
    next: { choose: ['https://hub.example'] },
  });
  expect(await removeHub(agentHome, HUB.url)).toMatchObject({ ok: true });
  expect(readHubs(agentHome)).toEqual({ ok: true, hubs: [] });
});

test('a damaged list of hubs is a failure and is not overwritten', async () => {
  const agentHome = makeTree({ 'hubs.json': '{"hubs": [{"url": 1}]}' });
  expect(readHubs(agentHome)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
  expect(await saveHub(agentHome, HUB)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
});

test('two processes that log in to hubs at once lose no token', async () => {
  const agentHome = makeTree();
  const code = `
    import { saveHub } from ${JSON.stringify(sourceUrl('config/hubs.ts'))};
    const [agentHome, name] = process.argv.slice(1);
    const outcomes = [];
    for (let round = 0; round < 25; round += 1)
      outcomes.push(await saveHub(agentHome, { url: 'https://' + name + round, token: 't', person: 'p' }));
    console.log(JSON.stringify(outcomes.filter((outcome) => !outcome.ok)));`;
  expect(await Promise.all([runModule(code, [agentHome, 'a']), runModule(code, [agentHome, 'b'])])).toEqual([[], []]);
  const read = readHubs(agentHome);
  expect(read.ok && read.hubs.length).toBe(50);
});
