import { dirname, join } from 'node:path';

import type { ConfigReading } from '../../config/read-config.ts';
import { HOSTS } from '../../hosts/all-hosts.ts';
import { readConnection } from '../../hosts/connecting/read-connection.ts';
import { HOST_IDS } from '../../model/host-id.ts';
import { VERSION } from '../../model/version.ts';
import { now } from '../../platform/clock.ts';
import { inspectDatabase } from '../../platform/database/database.ts';
import { findCommand, type Environment } from '../../platform/environment.ts';
import { exists, isWritable, measureFolder, readStamp } from '../../platform/files/files.ts';
import { nodeVersion, readToolVersion } from '../../platform/process/programs.ts';
import { openSandbox } from '../../platform/sandbox/sandbox.ts';
import { USAGE_SCHEMA } from '../../usage/usage-schema.ts';
import type { UsageFailure } from '../../usage/usage-store.ts';
import { usageFile } from '../skill-usage.ts';
import { check, countOf, type Check } from './check.ts';

export function checkNode(): Check {
  return check('node', `Node.js ${nodeVersion()}, skillplane ${VERSION}`);
}

export function checkGit(environment: Environment): Check {
  const path = findCommand('git', environment);
  const version = path === undefined ? undefined : readToolVersion(path);
  if (version !== undefined) return check('git', version);
  const remedy = 'Install git: Skillplane uses it to install skills from repositories.';
  return check('git', 'git is missing or does not run', { status: 'warning', remedy });
}

export function checkConfig({ files, diagnostics }: ConfigReading): readonly Check[] {
  const found = [files.user, files.project].filter((file) => file !== undefined && exists(file));
  const sound = found.filter((file) => !diagnostics.some(({ path }) => path === file));
  const isMissing = found.length === 0 && !diagnostics.some(({ path }) => path === files.user);
  const summary = isMissing ? `no ${files.user}; using the defaults` : sound.join(', ');
  const problems = diagnostics.map(({ code, severity, path, line, message }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    const isIgnored = code === 'CONFIG_IGNORED';
    const remedy = isIgnored ? undefined : 'Edit the file. Skillplane never changes what it cannot read.';
    return check('config', `${place}: ${message}`, { status: severity, remedy });
  });
  return summary === '' ? problems : [check('config', summary), ...problems];
}

/** Which of the agent programs here ask us, and whether they did. */
export function checkHosts(environment: Environment): readonly Check[] {
  const present = HOST_IDS.map((id) => HOSTS[id]).filter(
    (host) => findCommand(host.program, environment) !== undefined || exists(host.folder(environment)),
  );
  return present.map((host) => {
    const { hasServer, hook, log } = readConnection(host, environment);
    const remedy = `\`hosts connect ${host.id}\` gives it the MCP server and the hook.`;
    const connect = { status: 'info', remedy, action: { kind: 'connect', host: host.id } } as const;
    if (!hasServer && hook === undefined) return check('hosts', `${host.title}: not connected`, connect);
    if (hook === undefined) return check('hosts', `${host.title}: MCP server, but no hook`, connect);
    const asked = log.asked === 0 ? 'which was never asked' : `last asked ${toMinute(log.asked)}`;
    const spoke = log.spoke === 0 ? '' : `, last spoke ${toMinute(log.spoke)}`;
    const detail = `${host.title}: ${hasServer ? 'MCP server and hook' : 'hook'}, ${asked}${spoke}`;
    if (log.late === 0 || log.late !== log.asked) return check('hosts', detail);
    return check('hosts', `${detail}, too slow the last time`, { status: 'warning', remedy: FASTER });
  });
}

const FASTER = 'Nothing to do if that was once: skills that are new are read in the background.';

function toMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** How scripts are isolated on this machine, found by trying. */
export async function checkSandbox({ config }: ConfigReading): Promise<Check> {
  if (config.sandbox === 'off') {
    const remedy = 'Set `sandbox` to auto in your config.yaml.';
    const action = { kind: 'setting', setting: 'sandbox', change: 'set', value: 'auto' } as const;
    const detail = 'none: sandbox is off, so scripts run with all your rights';
    return check('sandbox', detail, { status: 'warning', remedy, action });
  }
  await using sandbox = openSandbox();
  const chosen = await sandbox.choose(config.sandbox);
  if (!chosen.ok)
    return check('sandbox', `no script runs: ${chosen.message}`, { status: 'warning', remedy: chosen.hint });
  const { backend, missing } = chosen;
  const detail = `${backend.isolation}: scripts run ${backend.summary}`;
  if (missing === undefined) return check('sandbox', detail);
  return check('sandbox', `${detail}; ${missing.reason}`, { status: 'warning', remedy: missing.remedy });
}

/** Asks the model that counts for search, if there is one. */
export async function checkEmbeddings(environment: Environment, { config }: ConfigReading): Promise<readonly Check[]> {
  const setting = config.ranking.embeddings;
  if (setting === undefined) return [];
  const { askVectors, originOf } = await import('../searching/embeddings.ts');
  const asked = await askVectors(['Fill a form'], { setting, environment, deadline: now() + EMBEDDINGS_PATIENCE_MS });
  if (asked.ok) {
    const length = asked.vectors[0]?.length ?? 0;
    return [check('ranking', `${setting.model} at ${originOf(setting)} gives vectors of ${length} numbers`)];
  }
  const remedy = asked.hint ?? 'Start the server, or correct `ranking`. Until then, words alone decide.';
  return [check('ranking', `no embeddings: ${asked.message}`, { status: 'warning', remedy })];
}

const EMBEDDINGS_PATIENCE_MS = 10_000;

export function checkCache({ agentHome }: Environment): Check {
  const path = join(agentHome, 'cache');
  const { files, bytes } = measureFolder(path);
  const detail = `${path} (${countOf(files, 'file', 'files')}, ${Math.ceil(bytes / 1024)} KiB)`;
  const place = [path, agentHome, dirname(agentHome)].find((candidate) => exists(candidate));
  if (place !== undefined && isWritable(place)) return check('cache', detail);
  const remedy = 'Make it writable. Until then, every start reads all skills again.';
  return check('cache', `${detail} cannot be written`, { status: 'warning', remedy });
}

export function checkUsage(environment: Environment, { config }: ConfigReading): Check {
  const path = usageFile(environment);
  if (!config.usage) return check('usage', 'no usage history: `usage` is false', { status: 'info' });
  const found = inspectDatabase(path, USAGE_SCHEMA);
  if (!found.ok) {
    const remedy = USAGE_REMEDIES[found.trouble];
    return check('usage', `${path}: ${found.message}`, { status: 'warning', remedy });
  }
  const learning = config.learn ? '; learns from your use, as `learn` is true' : '';
  if (found.state === 'missing') return check('usage', `${path} (nothing recorded yet)${learning}`);
  return check('usage', `${path} (${Math.ceil((readStamp(path)?.size ?? 0) / 1024)} KiB)${learning}`);
}

const USAGE_REMEDIES: Readonly<Record<UsageFailure['trouble'], string>> = {
  locked: 'End the process that holds it.',
  full: 'Free space on the disk.',
  'read-only': 'Make the file and its folder writable.',
  broken: 'Nothing to do: the next use sets it aside and starts a new one.',
  newer: 'Update Skillplane.',
  other: 'Move it away; the next use starts a new one.',
};
