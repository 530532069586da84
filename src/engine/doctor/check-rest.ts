import { dirname, join } from 'node:path';

import type { Catalog } from '../../catalog/catalog.ts';
import { locateSkill } from '../../catalog/locate.ts';
import { listVisible } from '../../catalog/view.ts';
import type { ConfigReading } from '../../config/read-config.ts';
import { listPresentAgents } from '../../hosts/all-hosts.ts';
import { readConnection } from '../../hosts/connecting/read-connection.ts';
import { findFaultyLinks } from '../../hosts/seeing/faulty-links.ts';
import type { NextStep } from '../../model/next-step.ts';
import { plural } from '../../model/plural.ts';
import { showMinute } from '../../model/time.ts';
import { VERSION } from '../../model/version.ts';
import { now } from '../../platform/clock.ts';
import { inspectDatabase } from '../../platform/database/database.ts';
import { findCommand, type Environment } from '../../platform/environment.ts';
import { exists, isWritable, measureFolder, readStamp } from '../../platform/files/files.ts';
import { nodeVersion, readToolVersion } from '../../platform/process/programs.ts';
import { openSandbox } from '../../platform/sandbox/sandbox.ts';
import { openPublisher } from '../../publish/publisher.ts';
import { discoverCommandFiles } from '../../sources/command-files.ts';
import { USAGE_SCHEMA } from '../../usage/usage-schema.ts';
import type { UsageFailure } from '../../usage/usage-store.ts';
import { usageFile } from '../skill-usage.ts';
import { check, type Check } from './check-scan.ts';

/** Checks that need more than a scan: commands, publishing, agents, and the machine itself. */
export async function checkRest(catalog: Catalog, environment: Environment): Promise<readonly Check[]> {
  const { reading } = catalog;
  return [
    ...checkCommandFiles(catalog, environment),
    ...checkPublishing(catalog, environment),
    ...checkHosts(environment),
    ...checkLinks(environment),
    await checkSandbox(reading),
    ...(await checkEmbeddings(environment, reading)),
    checkCache(environment),
    checkUsage(environment, reading),
  ];
}

/** Files in the `commands` folders of agents that give no slash command, or a flawed one. */
function checkCommandFiles(catalog: Catalog, environment: Environment): readonly Check[] {
  const { commands, diagnostics } = discoverCommandFiles({ environment, catalog: () => catalog });
  const flawed = diagnostics.filter(({ severity }) => severity !== 'info');
  const total = commands.length === 0 ? [] : [check('slash', plural(commands.length, 'command file'))];
  return [
    ...total,
    ...flawed.map(({ path, line, message }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return check('slash', `${place}: ${message}`, {
        status: 'warning',
        next: { either: [{ edit: path }, { moveAway: path }] },
      });
    }),
  ];
}

/** Finds skills that the Skills extension of MCP cannot carry; clients still reach them through tools. */
function checkPublishing(catalog: Catalog, environment: Environment): readonly Check[] {
  const publisher = openPublisher((skill) => locateSkill(skill, { roots: catalog.roots, userId: environment.userId }));
  const visible = listVisible(catalog.skills);
  const faults = visible.flatMap((skill) => {
    const fault = publisher.findFault(skill);
    return fault === undefined ? [] : [{ skill, fault }];
  });
  const carried = visible.length - faults.length;
  const next: NextStep = {
    ask: 'user',
    to: 'Optional: fix the skill. MCP tools and prompts offer it anyway.',
  };
  return [
    check('mcp', `${carried} of ${visible.length} skills available through the MCP Skills extension`),
    ...faults.map(({ skill, fault }) =>
      check('mcp', `not available through the MCP Skills extension: ${skill.name} (${fault})`, {
        status: 'info',
        next,
      }),
    ),
  ];
}

export function checkNode(): Check {
  return check('node', `Node.js ${nodeVersion()}, skillplane ${VERSION}`);
}

export function checkGit(environment: Environment): Check {
  const path = findCommand('git', environment);
  const version = path === undefined ? undefined : readToolVersion(path);
  if (version !== undefined) return check('git', version);
  const next = { ask: 'user', to: 'Install git: Skillplane uses it to install skills from repositories.' } as const;
  return check('git', 'git is missing or does not run', { status: 'warning', next });
}

/** Which of the agent programs here ask us, and whether they did. */
function checkHosts(environment: Environment): readonly Check[] {
  return listPresentAgents(environment).map((host) => {
    const { hasServer, hook, log } = readConnection(host, environment);
    const connect = { status: 'info', next: { do: 'connect', host: host.id } } as const;
    if (!hasServer && hook === undefined) return check('hosts', `${host.title}: not connected`, connect);
    if (hook === undefined) return check('hosts', `${host.title}: MCP server, but no hook`, connect);
    const asked = log.asked === undefined ? 'not called yet' : `last called ${showMinute(log.asked)}`;
    const spoke = log.spoke === undefined ? '' : `, last suggestion ${showMinute(log.spoke)}`;
    const detail = `${host.title}: ${hasServer ? 'MCP server and hook' : 'hook'}, ${asked}${spoke}`;
    if (log.late === undefined || log.late !== log.asked) return check('hosts', detail);
    return check('hosts', `${detail}, timed out last time`, { status: 'warning', next: FASTER });
  });
}

/** Links of a project's skills that do not work, or only on this machine. */
function checkLinks(environment: Environment): readonly Check[] {
  return findFaultyLinks(environment).map(({ path, target, fault }) =>
    check('hosts', `${path} ${LINK_FAULTS[fault]} (${target})`, { status: 'warning', next: REPAIR }),
  );
}

const LINK_FAULTS = {
  text: 'is a text file: git checked it out without links',
  broken: 'is a broken link',
  outside: 'is a link out of the project, which others do not have',
} as const;

const REPAIR: NextStep = {
  ask: 'user',
  to: 'Remove it, then sync the project: that makes links that work everywhere, or copies.',
};

const FASTER: NextStep = {
  advice: 'Nothing to do if it happened once: new skills are indexed in the background.',
};

/** How scripts are isolated on this machine, found by trying. */
async function checkSandbox({ config }: ConfigReading): Promise<Check> {
  if (config.sandbox === 'off') {
    const detail = 'sandbox is off: scripts run with all your permissions';
    return check('sandbox', detail, { status: 'warning', next: { set: 'sandbox', to: 'auto' } });
  }
  await using sandbox = openSandbox();
  const chosen = await sandbox.choose(config.sandbox);
  if (!chosen.ok)
    return check('sandbox', `scripts cannot run: ${chosen.message}`, { status: 'warning', next: chosen.next });
  const { backend, promises, missing } = chosen;
  const detail = `${backend.isolation}: scripts run ${backend.summary}`;
  if (missing === undefined) return check('sandbox', detail);
  const status = promises.filesClosed ? 'info' : 'warning';
  return check('sandbox', `${detail}; ${missing.reason}`, { status, next: missing.next });
}

/** Asks the model that counts for search, if there is one. */
async function checkEmbeddings(environment: Environment, { config }: ConfigReading): Promise<readonly Check[]> {
  const setting = config.ranking.embeddings;
  if (setting === undefined) return [];
  const { askVectors, originOf } = await import('../searching/embeddings.ts');
  const asked = await askVectors(['Fill a form'], { setting, environment, deadline: now() + EMBEDDINGS_PATIENCE_MS });
  if (asked.ok) {
    const length = asked.vectors[0]?.length ?? 0;
    return [check('ranking', `${setting.model} at ${originOf(setting)} gives vectors of ${length} numbers`)];
  }
  const next = asked.next ?? START_SERVER;
  return [check('ranking', `no embeddings: ${asked.message}`, { status: 'warning', next })];
}

const START_SERVER: NextStep = {
  ask: 'user',
  to: 'Start the server, or fix the setting `ranking`. Until then, search uses words only.',
};
const EMBEDDINGS_PATIENCE_MS = 10_000;

function checkCache({ agentHome }: Environment): Check {
  const path = join(agentHome, 'cache');
  const { files, bytes } = measureFolder(path);
  const detail = `${path} (${plural(files, 'file')}, ${Math.ceil(bytes / 1024)} KiB)`;
  const place = [path, agentHome, dirname(agentHome)].find((candidate) => exists(candidate));
  if (place !== undefined && isWritable(place)) return check('cache', detail);
  const next = { ask: 'user', to: 'Make it writable. Until then, every start rereads all skills.' } as const;
  return check('cache', `${detail} cannot be written`, { status: 'warning', next });
}

function checkUsage(environment: Environment, { config }: ConfigReading): Check {
  const path = usageFile(environment);
  if (!config.usage) return check('usage', 'no usage history: `usage` is false', { status: 'info' });
  const found = inspectDatabase(path, USAGE_SCHEMA);
  if (!found.ok) {
    const next = USAGE_STEPS[found.trouble] ?? { moveAway: path };
    return check('usage', `${path}: ${found.message}`, { status: 'warning', next });
  }
  const learning = config.learn ? '; learns from your use (`learn: true`)' : '';
  if (found.state === 'missing') return check('usage', `${path} (nothing recorded yet)${learning}`);
  return check('usage', `${path} (${Math.ceil((readStamp(path)?.size ?? 0) / 1024)} KiB)${learning}`);
}

/** If none of these helps, the next use starts a new file where the old one was moved away. */
const USAGE_STEPS: Readonly<Record<UsageFailure['trouble'], NextStep | undefined>> = {
  locked: { ask: 'user', to: 'Stop the process that is using it.' },
  full: { ask: 'user', to: 'Free space on the disk.' },
  'read-only': { ask: 'user', to: 'Make the file and its folder writable.' },
  broken: { advice: 'Nothing to do: the next use sets it aside and starts a new one.' },
  newer: { ask: 'user', to: 'Update Skillplane.' },
  other: undefined,
};
