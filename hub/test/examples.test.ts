import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { HELP } from '../src/help.ts';
import { ROUTES } from '../src/http/all-routes.ts';
import { readSettings, type Settings } from '../src/settings.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/hub');
const readExample = (name: string): string => readFileSync(join(EXAMPLES, name), 'utf8');

type Env = Readonly<Record<string, string>>;

/** The settings that a command line of an example gives, with its variables; it must start the hub, and ask no questions. */
function settingsOf(line: string, env: Env): Settings {
  const words = line.split(' ');
  const at = words.indexOf('skillplane-hub');
  expect(words.slice(0, at)).toContain('--yes');
  for (const name of Object.keys(env).filter((one) => one.startsWith('HUB_'))) expect(HELP).toContain(name);
  const read = readSettings(words.slice(at + 1), env);
  if (!read.ok) throw new Error(read.message);
  expect(read.settings.command).toBe('serve');
  return read.settings;
}

test('the example for Docker Compose starts reachable hubs after the database that they use', () => {
  const { services, volumes } = parse(readExample('compose.yaml'));
  const { hub, postgres } = services;
  const settings = settingsOf(hub.command, hub.environment);
  expect(settings).toMatchObject({ host: '0.0.0.0', publicUrl: 'https://skills.example.com' });
  expect(hub.expose).toEqual([String(settings.port)]);
  const { POSTGRES_USER, POSTGRES_DB } = postgres.environment;
  expect(settings.databaseUrl).toBe(`postgres://${POSTGRES_USER}:\${HUB_DB_PASSWORD}@postgres/${POSTGRES_DB}`);
  expect(hub.depends_on.postgres.condition).toBe('service_healthy');
  expect(postgres.healthcheck.test).toContain('pg_isready');
  expect(Number(/^postgres:(\d+)$/.exec(postgres.image)?.[1])).toBeGreaterThanOrEqual(15);
  expect(postgres.volumes).toEqual([`${Object.keys(volumes)[0]}:/var/lib/postgresql/data`]);
});

test('the example for Kubernetes probes existing routes at the port of the hub', () => {
  const [deployment, service] = parseAllDocuments(readExample('kubernetes.yaml')).map((one) => one.toJS());
  const { template, selector } = deployment.spec;
  const [container] = template.spec.containers;
  const env = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value?: string }) => [name, value ?? 'postgres://secret/x']),
  );
  const settings = settingsOf(container.command.join(' '), env);
  expect(settings).toMatchObject({ host: '0.0.0.0', databaseUrl: 'postgres://secret/x' });
  expect(container.ports).toEqual([{ containerPort: settings.port }]);
  for (const probe of [container.livenessProbe, container.startupProbe]) {
    expect(probe.httpGet.port).toBe(settings.port);
    const route = ROUTES.find(({ method, path }) => method === 'GET' && path === probe.httpGet.path);
    expect(route?.access).toEqual({ kind: 'public' });
  }
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  expect(service.spec).toEqual({ selector: selector.matchLabels, ports: [{ port: 80, targetPort: settings.port }] });
});

test('the example for systemd gives the hub a writable folder, and npm a home', () => {
  const lines = readExample('skillplane-hub.service').split('\n');
  const valuesOf = (key: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const env = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=', 2)));
  const settings = settingsOf(valuesOf('ExecStart')[0] ?? '', env);
  expect(settings).toMatchObject({ host: '127.0.0.1', publicUrl: 'https://skills.example.com' });
  const [state] = valuesOf('StateDirectory').map((name) => `/var/lib/${name}`);
  // A user that systemd makes up has no home, and npm needs one.
  expect([settings.dataDir, env['HOME']]).toEqual([`${state}/data`, state]);
  expect(valuesOf('EnvironmentFile')).toEqual(['-/etc/skillplane-hub.env']);
});
