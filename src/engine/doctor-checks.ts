import { dirname, join } from 'node:path';

import { failBroken, isBroken } from '../catalog/broken.ts';
import { listCopies, listWarnings, type Catalog } from '../catalog/catalog.ts';
import { SkillStore } from '../catalog/store.ts';
import { listBundledCopies } from '../catalog/upgrade.ts';
import { listVisible } from '../catalog/view.ts';
import { pluginName } from '../config/plugin-name.ts';
import { readConfig, type ConfigReading } from '../config/read-config.ts';
import { HOSTS } from '../hosts/all-hosts.ts';
import { readConnection } from '../hosts/connecting/read-connection.ts';
import { HOST_IDS } from '../model/host-id.ts';
import { quoteWord } from '../model/shell-word.ts';
import type { Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import { VERSION } from '../model/version.ts';
import { now } from '../platform/clock.ts';
import { findCommand, readEnvironment, type Environment, type EnvironmentOptions } from '../platform/environment.ts';
import { exists, isWritable, measureFolder, readStamp } from '../platform/files/files.ts';
import { nodeVersion, readToolVersion } from '../platform/process/tool-version.ts';
import { openSandbox } from '../platform/sandbox/sandbox.ts';
import { openPublisher } from '../publish/publisher.ts';
import { isUnreadable } from '../sources/broken-skill.ts';
import { discoverCommandFiles } from '../sources/command-files.ts';
import { resolveSources } from '../sources/resolve.ts';
import { inspectUsageFile } from '../usage/usage-file.ts';
import type { UsageFailure } from '../usage/usage-store.ts';
import type { CheckAction } from './check-action.ts';
import { openSkillLoader } from './skill-loading.ts';
import { usageFile } from './skill-usage.ts';

export type CheckStatus = 'ok' | 'info' | 'warning' | 'error';

/** One thing that was looked at; `remedy` says what to do about it, if anything. */
export interface Check {
  readonly area: string;
  readonly status: CheckStatus;
  readonly detail: string;
  readonly remedy: string | undefined;
  /** The remedy as an operation, if it is a single one. */
  readonly action: CheckAction | undefined;
}

export async function runChecks(options: EnvironmentOptions): Promise<readonly Check[]> {
  const environment = readEnvironment(options);
  const reading = await readConfig(environment);
  const catalog = await new SkillStore({ environment }).loadAll();
  return [
    checkNode(),
    checkGit(environment),
    ...checkConfig(reading),
    ...checkSources(catalog, reading, environment),
    ...checkSkills(catalog),
    ...checkPlugins(reading),
    ...checkCopies(catalog),
    ...(await checkCommandFiles(environment)),
    ...checkPublishing(catalog, environment),
    ...checkHosts(environment),
    await checkSandbox(reading),
    ...(await checkEmbeddings(environment, reading)),
    checkCache(environment),
    checkUsage(environment, reading),
  ];
}

function checkNode(): Check {
  return check('node', `Node.js ${nodeVersion()}, skillplane ${VERSION}`);
}

function checkGit(environment: Environment): Check {
  const path = findCommand('git', environment);
  const version = path === undefined ? undefined : readToolVersion(path);
  if (version !== undefined) return check('git', version);
  const remedy = 'Install git: Skillplane uses it to install skills from repositories.';
  return check('git', 'git is missing or does not run', { status: 'warning', remedy });
}

function checkConfig({ files, diagnostics }: ConfigReading): readonly Check[] {
  const found = [files.user, files.project].filter((file) => file !== undefined && exists(file));
  const sound = found.filter((file) => !diagnostics.some(({ path }) => path === file));
  const summary = found.length === 0 ? `no ${files.user}; using the defaults` : sound.join(', ');
  const problems = diagnostics.map(({ code, severity, path, line, message }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    const isIgnored = code === 'CONFIG_IGNORED';
    const remedy = isIgnored ? undefined : 'Edit the file. Skillplane never changes what it cannot read.';
    return check('config', `${place}: ${message}`, { status: severity, remedy });
  });
  return summary === '' ? problems : [check('config', summary), ...problems];
}

function checkSources(catalog: Catalog, { config }: ConfigReading, environment: Environment): readonly Check[] {
  const { off } = resolveSources(config, environment);
  const copies = [...catalog.skills, ...catalog.shadowed];
  const missing = catalog.roots.filter((root) => !exists(root.path));
  const present = catalog.roots.filter((root) => exists(root.path));
  return [
    ...present.map((root) => {
      const count = copies.filter((skill) => skill.source === root.id && dirname(skill.dir) === root.path).length;
      return check('source', `${root.id}: ${root.path} (${countOf(count, 'skill', 'skills')})`);
    }),
    ...missing.map((root) => describeMissing(root)),
    ...off
      .filter((root) => exists(root.path))
      .map((root) => {
        const remedy = `Add ${root.id} to \`enabledSources\` to use its skills.`;
        const action = { kind: 'setting', setting: 'enabledSources', change: 'add', value: root.id } as const;
        return check('source', `${root.id}: ${root.path} is switched off`, { status: 'info', remedy, action });
      }),
  ];
}

/** A missing folder is fine, unless the configuration names it. */
function describeMissing({ id, path, group }: SourceRoot): Check {
  const detail = `${id}: ${path} does not exist`;
  if (group !== 'Custom') return check('source', detail, { status: 'info' });
  return check('source', detail, { status: 'warning', remedy: 'Create the folder, or correct `customDirectories`.' });
}

function checkSkills(catalog: Catalog): readonly Check[] {
  const { skills, shadowed } = catalog;
  const hidden = shadowed.filter((skill) => !isBroken(skill));
  const broken = [...skills, ...shadowed].filter(isBroken);
  const counts = [
    countOf(skills.length + shadowed.length - hidden.length, 'skill', 'skills'),
    ...(broken.length === 0 ? [] : [`${broken.length} of them broken`]),
    countOf(hidden.length, 'shadowed copy', 'shadowed copies'),
  ];
  const total = check('skills', counts.join(', '), { status: broken.length === 0 ? 'ok' : 'info' });
  const unavailable = skills
    .filter(({ status }) => status === 'unavailable')
    .map((skill) =>
      check('skills', `${skill.name}: ${skill.unavailableReason}`, {
        status: 'warning',
        remedy: 'Install the missing command.',
      }),
    );
  const found = [total, ...broken.map(describeBroken), ...unavailable];
  const warnings = listWarnings(catalog).filter(({ code }) => code !== 'CONFIG_IGNORED');
  if (warnings.length === 0) return found;
  const remedy = '`show` lists them with the option `verbose`; `validate <path>` says how to repair each.';
  const detail = `${countOf(warnings.length, 'warning', 'warnings')} about skills`;
  return [...found, check('skills', detail, { status: 'warning', remedy })];
}

function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A broken skill that is switched off is no trouble. */
function describeBroken(skill: Skill): Check {
  const { message, hint } = failBroken(skill);
  const standIn = skill.shadowedBy === undefined ? '' : `; ${skill.shadowedBy} is used instead`;
  const action = isUnreadable(skill.diagnostics) ? undefined : ({ kind: 'fix', dir: skill.dir } as const);
  return check('skills', `${message}${standIn}`, { status: skill.enabled ? 'error' : 'info', remedy: hint, action });
}

function checkPlugins({ config: { plugins, pluginsDir } }: ConfigReading): readonly Check[] {
  const missing = plugins.map(pluginName).filter((name) => !exists(join(pluginsDir, name)));
  const remedy = '`install` with the option `frozen` restores everything in the lock; `remove <name>` drops the entry.';
  return [
    check('plugins', `${plugins.length - missing.length} installed`),
    ...missing.map((name) =>
      check('plugins', `${name} is configured, but its folder is gone`, {
        status: 'warning',
        remedy,
        action: { kind: 'restore', skill: name },
      }),
    ),
  ];
}

/** Copies of bundled skills that an older version wrote. */
function checkCopies(catalog: Catalog): readonly Check[] {
  const outdated = listBundledCopies(listCopies(catalog)).filter(({ isOutdated }) => isOutdated);
  return outdated.map(({ name, to, before, after }) => {
    const remedy = `\`update ${quoteWord(name)}\` brings it up to date and keeps your changes.`;
    const detail = `${name}: ${to} was copied from version ${before}; this is ${after}`;
    return check('bundled', detail, { status: 'warning', remedy, action: { kind: 'copy', skill: name } });
  });
}

/** Files in the `commands` folders of agents that give no slash command, or a flawed one. */
async function checkCommandFiles(environment: Environment): Promise<readonly Check[]> {
  const { commands, diagnostics } = await discoverCommandFiles({ environment });
  const flawed = diagnostics.filter(({ severity }) => severity !== 'info');
  const total =
    commands.length === 0 ? [] : [check('slash', countOf(commands.length, 'command file', 'command files'))];
  return [
    ...total,
    ...flawed.map(({ path, line, message }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return check('slash', `${place}: ${message}`, {
        status: 'warning',
        remedy: 'Correct the file, or move it away.',
      });
    }),
  ];
}

/** Finds skills that the Skills extension of MCP cannot carry; clients still reach them through tools. */
function checkPublishing(catalog: Catalog, environment: Environment): readonly Check[] {
  const publisher = openPublisher(openSkillLoader({ environment, catalog: () => catalog }));
  const visible = listVisible(catalog.skills);
  const faults = visible.flatMap((skill) => {
    const fault = publisher.findFault(skill);
    return fault === undefined ? [] : [{ skill, fault }];
  });
  const carried = visible.length - faults.length;
  const remedy = 'Correct the skill, or leave it: the tools and prompts of the MCP server offer it anyway.';
  return [
    check('mcp', `the Skills extension of MCP carries ${carried} of ${visible.length} skills`),
    ...faults.map(({ skill, fault }) =>
      check('mcp', `${skill.name} is not carried: ${fault}`, { status: 'warning', remedy }),
    ),
  ];
}

/** Which of the agent programs here ask us, and whether they did. */
function checkHosts(environment: Environment): readonly Check[] {
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
async function checkSandbox({ config }: ConfigReading): Promise<Check> {
  if (config.sandbox === 'off') {
    const remedy = 'Set `sandbox` to auto in your config.yaml.';
    const action = { kind: 'setting', setting: 'sandbox', change: 'set', value: 'auto' } as const;
    const detail = 'none: sandbox is off, so scripts run with all your rights';
    return check('sandbox', detail, { status: 'warning', remedy, action });
  }
  await using sandbox = openSandbox();
  const ability = await sandbox.bubblewrap();
  if (ability.works) return check('sandbox', 'bwrap: scripts run in bubblewrap');
  const tier = config.sandbox === 'require' ? 'no script runs' : 'limits: scripts run as processes with limits';
  return check('sandbox', `${tier}; ${ability.reason}`, { status: 'warning', remedy: ability.remedy });
}

/** Asks the model that counts for search, if there is one. */
async function checkEmbeddings(environment: Environment, { config }: ConfigReading): Promise<readonly Check[]> {
  const setting = config.ranking.embeddings;
  if (setting === undefined) return [];
  const { askVectors, originOf } = await import('./searching/embeddings.ts');
  const asked = await askVectors(['Fill a form'], { setting, environment, deadline: now() + EMBEDDINGS_PATIENCE_MS });
  if (asked.ok) {
    const length = asked.vectors[0]?.length ?? 0;
    return [check('ranking', `${setting.model} at ${originOf(setting)} gives vectors of ${length} numbers`)];
  }
  const remedy = asked.hint ?? 'Start the server, or correct `ranking`. Until then, words alone decide.';
  return [check('ranking', `no embeddings: ${asked.message}`, { status: 'warning', remedy })];
}

const EMBEDDINGS_PATIENCE_MS = 10_000;

function checkCache({ agentHome }: Environment): Check {
  const path = join(agentHome, 'cache');
  const { files, bytes } = measureFolder(path);
  const detail = `${path} (${countOf(files, 'file', 'files')}, ${Math.ceil(bytes / 1024)} KiB)`;
  const place = [path, agentHome, dirname(agentHome)].find((candidate) => exists(candidate));
  if (place !== undefined && isWritable(place)) return check('cache', detail);
  const remedy = 'Make it writable. Until then, every start reads all skills again.';
  return check('cache', `${detail} cannot be written`, { status: 'warning', remedy });
}

function checkUsage(environment: Environment, { config }: ConfigReading): Check {
  const path = usageFile(environment);
  if (!config.usage) return check('usage', 'no usage history: `usage` is false', { status: 'info' });
  const found = inspectUsageFile(path);
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

function check(area: string, detail: string, { status = 'ok', remedy, action }: Partial<Check> = {}): Check {
  return { area, status, detail, remedy, action };
}
