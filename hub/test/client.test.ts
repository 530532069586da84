import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openSkills, type Environment } from 'skillplane';
import { SkillInstaller } from 'skillplane/install';
import {
  claimUseReport,
  readEnvironment,
  type HttpListener,
  logIn,
  logOut,
  publishToHub,
  reportUse,
} from 'skillplane/internal';
import { skillText } from 'skillplane/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import { serveHub } from '../src/serve.ts';
import { openDatabase, openTestHub, type TestHub } from './support/hubs.ts';

interface Client {
  readonly team: TestHub;
  readonly url: string;
  readonly environment: Environment;
  readonly installer: SkillInstaller;
  /** Loads the skill so many times, as an agent does, and tells the hub. */
  readonly use: (times: number) => ReturnType<typeof reportUse>;
  /** Until it is called again, the hub does not answer. */
  readonly toggleHub: () => Promise<void>;
  /** Writes the skill `pdf` and publishes it. */
  readonly publish: (version: string, body: string, allow?: readonly string[]) => ReturnType<typeof publishToHub>;
}

/** A person with an empty home, logged in to a hub with the scope `team`. */
async function openClient(): Promise<Client> {
  const team = await openTestHub(await openDatabase(), {}, () => new Date());
  await team.ask('PUT', '/api/v1/scopes/team', { json: { policy: 'open' } });
  const { port, toggle } = await serveSometimes(team);
  const home = mkdtempSync(join(tmpdir(), 'skillplane-hub-client-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));
  const options = { cwd: home, home, env: { HOME: home, PATH: process.env['PATH'] ?? '' } };
  const environment = readEnvironment(options);
  const url = `http://127.0.0.1:${port}`;
  const token = await team.token('publisher', { scopes: ['team'], person: 'ann' });
  expect(await logIn(`${url}/`, token, environment)).toMatchObject({ ok: true, login: { url, person: 'ann' } });
  const dir = join(home, 'work/pdf');
  mkdirSync(dir, { recursive: true });
  return {
    team,
    url,
    environment,
    installer: new SkillInstaller(options),
    async use(times) {
      await using skills = await openSkills(options);
      for (let at = 0; at < times; at += 1) await skills.load('pdf');
      return await reportUse(skills.usage, environment);
    },
    toggleHub: toggle,
    publish(version, body, allow) {
      writeFileSync(join(dir, 'SKILL.md'), skillText({ name: 'pdf', description: 'Fill PDF forms.' }, body));
      return publishToHub(dir, { environment, to: '@team', version, allow });
    },
  };
}

function allowReports({ agentHome }: Environment): void {
  const file = join(agentHome, 'config.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^skills:\n/m, 'skills:\n  usage: { hub: true }\n'));
}

/** A hub that can be away, and come back at the same address. */
async function serveSometimes({
  hub,
}: TestHub): Promise<{ readonly port: number; readonly toggle: () => Promise<void> }> {
  const first = await serveHub(hub, { port: 0, host: '127.0.0.1' });
  const { port } = first;
  let current: HttpListener | undefined = first;
  const toggle = async (): Promise<void> => {
    const before = current;
    current = before === undefined ? await serveHub(hub, { port, host: '127.0.0.1' }) : undefined;
    await before?.close(async () => undefined);
  };
  onTestFinished(async () => {
    if (current !== undefined) await toggle();
  });
  return { port, toggle };
}

describe('the user of a hub', () => {
  test('publishes a skill, installs a range of versions, sees updates and is told of a yank', async () => {
    const { publish, installer, team, url } = await openClient();
    expect(await publish('1.2.0', 'One.\n')).toMatchObject({ ok: true, state: 'published', hub: url });
    expect(await publish('1.2.0', 'One.\n')).toMatchObject({ ok: true, unchanged: true });
    expect(await publish('1.2.0', 'Other.\n')).toMatchObject({
      ok: false,
      next: { ask: 'user', to: 'Publish the change as a new version.' },
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

  test('does not publish secrets unless the rule is allowed', async () => {
    const { publish, environment, team } = await openClient();
    writeFileSync(join(environment.home, 'work/pdf/.npmrc'), '//npm.example.com/:_authToken=8f14e45fceea467fa6b4\n');
    expect(await publish('1.0.0', 'One.\n')).toMatchObject({
      ok: false,
      code: 'AUDIT_REFUSED',
      message: '"pdf" contains secrets: .npmrc',
    });
    expect(await publish('1.0.0', 'One.\n', ['SP713'])).toMatchObject({ ok: true, state: 'published' });
    expect(await team.ask('GET', '/api/v1/skills/team/pdf')).toMatchObject({ status: 200 });
  });

  test('restores the version that the lock lists, even after it was yanked', async () => {
    const { publish, installer, team } = await openClient();
    await publish('1.0.0', 'One.\n');
    const installed = await installer.install({ url: '@team/pdf' });
    const dir = installed.ok ? (installed.installed[0]?.path ?? '') : '';
    await team.ask('POST', '/api/v1/skills/team/pdf/versions/1.0.0/yank', { json: { reason: 'old' } });
    rmSync(dir, { recursive: true });
    expect(await installer.restore()).toMatchObject({ ok: true, restored: ['pdf'] });
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toContain('One.');
  });

  test('reports use only after allowing it, each use once, even if the hub was away', async () => {
    const { publish, installer, environment, use, team, toggleHub, url } = await openClient();
    await publish('1.0.0', 'One.\n');
    await installer.install({ url: '@team/pdf@^1' });
    const counts = async (): Promise<unknown> => (await team.ask('GET', '/api/v1/usage')).json['versions'];
    expect(await use(1)).toMatchObject({ ok: false, next: { set: 'usage', to: '{ hub: true }' } });
    expect(await claimUseReport(environment)).toBe(false);
    expect(await counts()).toEqual([]);

    allowReports(environment);
    expect(await claimUseReport(environment)).toBe(true);
    expect(await claimUseReport(environment)).toBe(false);
    expect(await use(1)).toMatchObject({ reports: [{ hub: url, sent: 1, left: 0 }] });
    expect(await use(0)).toMatchObject({ reports: [{ sent: 1, left: 0 }] });
    expect(await counts()).toMatchObject([{ version: '1.0.0', count: 2, people: 1 }]);

    await toggleHub();
    expect(await use(3)).toMatchObject({
      reports: [{ sent: 0, left: 1, problem: expect.stringContaining('cannot be asked') }],
    });
    await toggleHub();
    await publish('1.1.0', 'More.\n');
    await installer.update(['pdf'], async ({ updates }) => updates);
    expect(await use(1)).toMatchObject({ reports: [{ sent: 2, left: 0 }] });
    expect(await counts()).toMatchObject([
      { version: '1.0.0', count: 5, people: 1 },
      { version: '1.1.0', count: 1, people: 1 },
    ]);
    const [row] = await team.hub.database.query<object>('SELECT host, person FROM uses');
    expect(row).toEqual({ host: 'other', person: 'ann' });
  });

  test('reports use through any command, in the background', async () => {
    const { publish, installer, environment, team } = await openClient();
    await publish('1.0.0', 'One.\n');
    await installer.install({ url: '@team/pdf' });
    allowReports(environment);
    const { home } = environment;
    const program = join(import.meta.dirname, '../../bin/skillplane.mjs');
    const run = async (...args: readonly string[]): Promise<unknown> =>
      promisify(execFile)(process.execPath, [program, ...args], {
        cwd: home,
        env: { HOME: home, PATH: process.env['PATH'] },
      });
    await run('load', 'pdf');
    rmSync(join(environment.agentHome, 'cache/hub-usage.claim'));
    await run('show');
    const counts = async (): Promise<unknown> => (await team.ask('GET', '/api/v1/usage')).json['versions'];
    await expect.poll(counts).toMatchObject([{ version: '1.0.0', count: 1 }]);
    // The process in the background has ended when nothing holds its lock.
    await expect.poll(() => existsSync(join(environment.agentHome, 'hub-usage.json.lock'))).toBe(false);
  });

  test('has the token in a file that others cannot read, until logging out', async () => {
    const { environment, url, installer } = await openClient();
    const file = join(environment.agentHome, 'hubs.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await logIn(url, 'sphub_wrong', environment)).toMatchObject({ ok: false, code: 'NOT_ALLOWED' });
    expect(await logIn('http://hub.example', 'x', environment)).toMatchObject({ ok: false, code: 'CONFIG_INVALID' });
    expect(await logOut(url, environment)).toEqual(expect.objectContaining({ ok: true }));
    expect(await installer.install({ url: '@team/pdf' })).toMatchObject({
      ok: false,
      next: { do: 'login', address: expect.any(String) },
    });
  });
});
