import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readEnvironment, type Environment } from 'skillplane';
import { SkillInstaller } from 'skillplane/install';
import { logIn, logOut, publishToHub } from 'skillplane/publish';
import { skillText } from 'skillplane/testing';
import { expect, onTestFinished, test } from 'vitest';

import { serveHub } from '../src/serve.ts';
import { describeDatabases, openTestHub, type TestDatabases, type TestHub } from './support/hubs.ts';

interface Client {
  readonly team: TestHub;
  readonly url: string;
  readonly environment: Environment;
  readonly installer: SkillInstaller;
  /** Writes the skill `pdf` and publishes it. */
  readonly publish: (version: string, body: string) => ReturnType<typeof publishToHub>;
}

/** A person with an empty home, logged in to a hub with the scope `team`. */
async function openClient(databases: TestDatabases): Promise<Client> {
  const team = await openTestHub(await databases.open());
  await team.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
  const listener = await serveHub(team.hub, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => listener.close(async () => undefined));
  const home = mkdtempSync(join(tmpdir(), 'skillplane-hub-client-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const options = { cwd: home, home, env: { HOME: home, PATH: process.env['PATH'] ?? '' } };
  const environment = readEnvironment(options);
  const url = `http://127.0.0.1:${listener.port}`;
  const token = await team.token('publisher', { scopes: ['team'], person: 'ann' });
  expect(await logIn(`${url}/`, token, environment)).toMatchObject({ ok: true, login: { url, person: 'ann' } });
  const dir = join(home, 'work/pdf');
  mkdirSync(dir, { recursive: true });
  return {
    team,
    url,
    environment,
    installer: new SkillInstaller(options),
    publish(version, body) {
      writeFileSync(join(dir, 'SKILL.md'), skillText({ name: 'pdf', description: 'Fill PDF forms.' }, body));
      return publishToHub(dir, { environment, to: '@team', version });
    },
  };
}

describeDatabases('a person with a hub', (databases) => {
  test('publishes, installs a range, sees updates and is told of a yank', async () => {
    const { publish, installer, team, url } = await openClient(databases);
    expect(await publish('1.2.0', 'One.\n')).toMatchObject({ ok: true, state: 'published', hub: url });
    expect(await publish('1.2.0', 'One.\n')).toMatchObject({ ok: true, unchanged: true });
    expect(await publish('1.2.0', 'Other.\n')).toMatchObject({
      ok: false,
      hint: 'Publish the change as a new version.',
    });
    const installed = await installer.install({ url: '@team/pdf@^1.2' });
    expect(installed).toMatchObject({ ok: true, installed: [{ name: 'pdf' }] });
    const found = await installer.find('pdf');
    expect(found).toMatchObject({ plugin: { locked: { origin: { kind: 'hub', ref: '^1.2', version: '1.2.0' } } } });
    const check = async (): Promise<unknown> => {
      let seen: unknown;
      await installer.update([], async (checked) => {
        seen = checked;
        return [];
      });
      return seen;
    };
    expect(await check()).toMatchObject({ current: ['pdf'], updates: [] });

    await publish('2.0.0', 'Two.\n');
    expect(await check()).toMatchObject({ current: ['pdf'], updates: [] });
    await publish('1.3.0', 'More.\n');
    expect(await check()).toMatchObject({ updates: [{ name: 'pdf' }] });

    await team.ask('POST', '/api/v1/skills/team/pdf/versions/2.0.0/yank', { json: { reason: 'deletes files' } });
    expect(await installer.install({ url: '@team/pdf@2', name: 'pdf2' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('2.0.0 was yanked: deletes files'),
    });
  });

  test('restores exactly what the lock lists, also after a yank', async () => {
    const { publish, installer, team } = await openClient(databases);
    await publish('1.0.0', 'One.\n');
    const installed = await installer.install({ url: '@team/pdf' });
    const dir = installed.ok ? (installed.installed[0]?.path ?? '') : '';
    await team.ask('POST', '/api/v1/skills/team/pdf/versions/1.0.0/yank', { json: { reason: 'old' } });
    rmSync(dir, { recursive: true });
    expect(await installer.restore()).toMatchObject({ ok: true, restored: ['pdf'] });
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toContain('One.');
  });

  test('keeps the token to themselves, and can forget it', async () => {
    const { environment, url, installer } = await openClient(databases);
    const file = join(environment.agentHome, 'hubs.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await logIn(url, 'sphub_wrong', environment)).toMatchObject({ ok: false, code: 'NOT_ALLOWED' });
    expect(await logIn('http://hub.example', 'x', environment)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(logOut(url, environment)).toEqual(expect.objectContaining({ ok: true }));
    expect(await installer.install({ url: '@team/pdf' })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('`login '),
    });
  });
});
