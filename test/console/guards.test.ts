import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { openSession, startConsole, type ConsoleProcess } from '../support/console-process.ts';
import { askRaw, type RawRequest } from '../support/raw-http.ts';
import { skillText } from '../support/tree.ts';

const files = makeTemporaryTree({
  'home/.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
  'home/secret.txt': 'secret',
  'project/.git/': '',
});
const world = {
  home: `${files.root}/home`,
  project: `${files.root}/project`,
  env: { PATH: process.env['PATH'] ?? '' },
};
let server: ConsoleProcess;
let cookie: string;
let token: string;

beforeAll(async () => {
  server = await startConsole(world);
  ({ cookie, token } = await openSession(server));
});
afterAll(async () => {
  await server.stop();
  files[Symbol.dispose]();
});

function ask(path: string, { headers = {}, ...rest }: RawRequest = {}): ReturnType<typeof askRaw> {
  return askRaw(`${server.origin}${path}`, { method: 'GET', ...rest, headers: { cookie, ...headers } });
}

const SWITCH = JSON.stringify({ names: ['pdf'], to: 'disabled' });

describe('the console', () => {
  test.each([
    ['a name of a web page that leads here', { host: 'evil.example' }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['a foreign page', { origin: 'https://evil.example' }],
    ['a page of this machine at another port', { origin: 'http://127.0.0.1:1' }],
    ['the origin null', { origin: 'null' }],
    ['a browser that says that another site asks', { 'sec-fetch-site': 'cross-site' }],
    ['a browser that says that another port asks', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ])('refuses %s, even with the cookie and the token', async (_what, headers: Record<string, string>) => {
    for (const request of [
      { method: 'GET' },
      { method: 'POST', body: SWITCH, headers: { 'x-skillplane-token': token } },
    ]) {
      const answer = await ask('/api/skills/switch', { ...request, headers: { ...request.headers, ...headers } });
      expect(answer.status).toBe(403);
    }
    expect((await ask('/api/skills', { headers })).status).toBe(403);
  });

  test.each(['', 'skillplane=x', 'skillplane-1=x'])('tells nothing without its cookie: %j', async (given) => {
    for (const path of ['/api/session', '/api/skills', '/api/events', '/api/none']) {
      const answer = await ask(path, { headers: { cookie: given } });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.body).not.toContain('pdf');
    }
  });

  test('turns the secret of its address into a cookie that scripts and other sites do not get', async () => {
    await using fresh = await startConsole(world);
    const opened = await fetch(fresh.url, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toBe('/');
    expect(opened.headers.get('set-cookie')).toMatch(/^skillplane-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  test('gives no cookie for a wrong secret', async () => {
    const opened = await fetch(`${server.origin}/?token=wrong`, { redirect: 'manual' });
    expect(opened.status).toBe(401);
    expect(opened.headers.get('set-cookie')).toBeNull();
  });

  test('redirects to no other server', async () => {
    await using fresh = await startConsole(world);
    const { search } = new URL(fresh.url);
    const answer = await askRaw(`${fresh.origin}//evil.example/x${search}`, { method: 'GET' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/evil.example/x' } });
  });
});

describe('a change by the console', () => {
  test.each([{}, { 'x-skillplane-token': '' }, { 'x-skillplane-token': 'wrong' }])(
    'is not made without the right token: %j',
    async (headers: Record<string, string>) => {
      const answer = await ask('/api/skills/switch', { method: 'POST', body: SWITCH, headers });
      expect(answer.status).toBe(403);
      const listed = JSON.parse((await ask('/api/skills')).body) as { skills: { name: string; state: string }[] };
      expect(listed.skills.find(({ name }) => name === 'pdf')?.state).toBe('enabled');
    },
  );

  test.each([
    ['another method', { method: 'PUT' }, 404],
    ['invalid JSON', { method: 'POST', body: '{"names"' }, 400],
    ['the wrong shape', { method: 'POST', body: '{"names":"pdf","to":"enabled"}' }, 422],
    ['a body that is too large', { method: 'POST', body: `{"names":["${'x'.repeat(300_000)}"],"to":"enabled"}` }, 413],
    ['an unknown key', { method: 'POST', body: '{"names":["pdf"],"to":"enabled","__proto__":1,"x":1}' }, 422],
  ])('is refused for %s', async (_what, request: RawRequest, status) => {
    const answer = await ask('/api/skills/switch', { ...request, headers: { 'x-skillplane-token': token } });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false });
  });

  test('is refused where the console is read-only', async () => {
    await using reader = await startConsole(world, ['--read-only']);
    const session = await openSession(reader);
    const answer = await askRaw(`${reader.origin}/api/skills/switch`, {
      body: SWITCH,
      headers: { cookie: session.cookie, 'x-skillplane-token': session.token },
    });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'NOT_ALLOWED' });
  });
});

describe('the page of the console', () => {
  test.each([
    '/../../home/secret.txt',
    '/..%2f..%2fhome/secret.txt',
    '/assets/../../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.env',
    '//etc/passwd.js',
    '/index.html%00.js',
  ])('serves no file outside of it for %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status === 404 || answer.body.startsWith('<!doctype html>')).toBe(true);
    expect(answer.body).not.toContain('secret');
  });

  test('forbids foreign code and requests to other servers', async () => {
    const { headers } = await ask('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  test('contains no inline code', async () => {
    const { body } = await ask('/');
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/i);
  });
});

test.each([
  'session',
  'skills',
  'search?query=form',
  'skill?name=pdf',
  'skill/file?name=pdf&path=SKILL.md',
  'skill/trust?name=pdf',
  'skill/fix?name=pdf',
  'skill/usage?name=pdf',
  'skill/versions?name=pdf',
  'skill/agents?name=pdf',
  'agents',
  'agents/plan?changes=[{"name":"pdf","agent":"codex","to":"give"}]',
  'agents/connect?host=codex&hook=true',
  'model',
  'lab?request=fill+in+the+form',
  'lab/case?request=fill+it&skill=pdf',
  'usage',
  'usage/recent',
  'health',
  'installed',
])('the console answers %s', async (path) => {
  const answer: unknown = JSON.parse((await ask(`/api/${path}`)).body);
  expect(answer).toMatchObject({ ok: true });
});

test('several consoles run at once, each with a cookie of its own', async () => {
  await using other = await startConsole(world);
  const session = await openSession(other);
  expect(session.cookie.split('=')[0]).not.toBe(cookie.split('=')[0]);
  const both = { headers: { cookie: `${cookie}; ${session.cookie}` } };
  expect((await ask('/api/session', both)).status).toBe(200);
  expect((await fetch(`${other.origin}/api/session`, both)).status).toBe(200);
  expect((await fetch(`${other.origin}/api/session`, { headers: { cookie } })).status).toBe(401);
});

test('the console ends on Ctrl-C, even with pages open', async () => {
  const one = await startConsole(world);
  const session = await openSession(one);
  const events = await fetch(`${one.origin}/api/events`, { headers: { cookie: session.cookie } });
  expect(events.status).toBe(200);
  expect(await one.stop()).toBe(0);
});

test('the console ends by itself when idle, if asked to', async () => {
  const one = await startConsole(world, ['--idle', '300ms']);
  expect(await one.ended).toEqual([0, null]);
});

test('the console says so if its port is taken', async () => {
  await expect(startConsole(world, ['--port', new URL(server.origin).port])).rejects.toThrow(/cannot listen at/);
});
