import { join } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { readConfig, type ConfigReading } from '../config/read-config.ts';
import { HOST_IDS } from '../model/agents.ts';
import { tellsHubs } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { now, uniqueName } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import { isTaken, readStamp } from '../platform/files/files.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { projectDirectories } from '../platform/project.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { Usage, type UsageSettings } from '../usage/usage.ts';
import { importIfAllowed, RANKING_LIMITS } from './host-history.ts';

export function usageFile({ agentHome }: Environment): string {
  return join(agentHome, 'skillplane.db');
}

/** Whose history counts; the variables `SKILLPLANE_AGENT`, `SKILLPLANE_TEAM` and `SKILLPLANE_SESSION` say it by default. */
export interface CallerOptions {
  readonly agent?: string | undefined;
  readonly team?: string | undefined;
  readonly session?: string | undefined;
}

/**
 * The same history for another caller; an empty name changes nothing. An agent without a team starts with an empty
 * history, without the uses of the person who runs the program.
 */
export function changeCaller(usage: Usage, { agent, team, session }: CallerOptions): Usage {
  const alone = agent !== undefined && agent !== '' && usage.team === NO_TEAM ? `agent:${agent}` : undefined;
  const given = Object.entries({ agent, team: team || alone, session }).filter(([, name]) => name);
  return given.length === 0 ? usage : usage.as(Object.fromEntries(given));
}

/** The agent of a person who named none. Includes this person's use in other agents. */
export const UNNAMED_AGENT = 'default';

/** The team of callers that gave none a name. */
const NO_TEAM = 'default';

export function teamOf({ variables }: Environment, { team }: CallerOptions): string {
  return team || variables['SKILLPLANE_TEAM'] || NO_TEAM;
}

interface UsageParts {
  readonly environment: Environment;
  readonly config: () => ConfigReading;
}

export function openSkillUsage({ environment, config }: UsageParts, options: CallerOptions = {}): Usage {
  const { cwd, variables } = environment;
  const { agent, session } = options;
  const path = usageFile(environment);
  const team = teamOf(environment, options);
  let lastImport = -Infinity;
  const usage: Usage = new Usage({
    caller: {
      team,
      agent: agent || variables['SKILLPLANE_AGENT'] || UNNAMED_AGENT,
      session: session || variables['SKILLPLANE_SESSION'] || uniqueName(),
      project: projectDirectories(cwd).at(-1) ?? cwd,
    },
    clock: now,
    othersOf: (name) => (name === UNNAMED_AGENT ? HOST_IDS : []),
    path,
    readSettings: () => toUsageSettings(config()),
    // Lazy: most processes neither search nor learn.
    toWords: async (request) => (await import('../select/ranking/request-words.ts')).hashWords(request),
    async openStore(warn) {
      const { openSqliteUsage } = await import('../usage/sqlite-usage.ts');
      return openSqliteUsage(path, warn);
    },
    async importNew() {
      if (now() - lastImport < IMPORT_PAUSE_MS) return;
      lastImport = now();
      await importIfAllowed({ environment, config, usage, team }, RANKING_LIMITS);
    },
  });
  return usage;
}

/** How often a process that runs for long looks again at what other agents did. */
const IMPORT_PAUSE_MS = 60_000;

/** A file that cannot be read might say `usage: false`, so nothing is kept then. A mistake in another setting is no such file. */
function toUsageSettings({ config, diagnostics }: ConfigReading): UsageSettings {
  const isReadable = diagnostics.every(({ code, field }) => code !== 'CONFIG_INVALID' || field !== undefined);
  return { isKept: config.usage !== false && isReadable, isLearning: config.learn };
}

export interface UsageQuery {
  /** Milliseconds since 1970; default: the first event. */
  readonly since?: number | undefined;
  /** Milliseconds since 1970; default: now. */
  readonly until?: number | undefined;
  /** Report on this skill only, by name or id. */
  readonly skill?: string | undefined;
}

/** Enough for a small chart with two halves to compare. */
const BUCKETS = 24;

/** Reports how skills were used in a period; undefined if no history is kept. */
export async function reportSkillUsage(
  usage: Usage,
  { skills }: Catalog,
  { since, until = now(), skill }: UsageQuery,
): Promise<Outcome<{ readonly report: UsageReport | undefined }>> {
  const found = skill === undefined ? undefined : findSkill(skills, skill);
  const only = found?.ok === true ? found.skill.name : skill;
  const read = await usage.history({ since, until, buckets: BUCKETS });
  if (!read.ok) return read;
  if (read.history === undefined) return found?.ok === false ? found : { ok: true, report: undefined };
  const nameOf = openNames(skills);
  const rows = [...read.history.tallies, ...read.history.uses];
  if (found?.ok === false && rows.every((row) => nameOf(row.skill) !== only)) return found;
  const { buildUsageReport } = await import('../usage/usage-report.ts');
  const asked = skills.filter((known) => (only === undefined ? known.status === 'enabled' : known.name === only));
  const report = buildUsageReport(read.history, {
    existing: new Set(skills.map((known) => known.name)),
    expected: asked.map((known) => known.name),
    nameOf,
    only,
  });
  return { ok: true, report };
}

/** Finds the name of a skill by what a host calls it: by its folder, or behind the name of a plugin. */
function openNames(skills: readonly Skill[]): (name: string) => string {
  const [names, ids] = [new Set(skills.map(({ name }) => name)), new Map(skills.map(({ id, name }) => [id, name]))];
  return (given) => {
    const last = given.slice(given.lastIndexOf(':') + 1);
    return [given, last].find((name) => names.has(name)) ?? ids.get(given) ?? ids.get(last) ?? given;
  };
}

/** How often hubs are told of use. */
const REPORT_MS: number = 6 * 3_600_000;

/**
 * Is it time to report use to hubs, and does the configuration allow it? True for one caller every six hours, who then reports.
 * Costs one system call for people without a hub.
 */
export async function claimUseReport(environment: Environment): Promise<boolean> {
  const { agentHome } = environment;
  if (!isTaken(join(agentHome, 'hubs.json'))) return false;
  const claim = join(agentHome, 'cache', 'hub-usage.claim');
  const last = Math.floor(readStamp(claim)?.mtimeMs ?? 0);
  // A clock that was set back must not keep reports away.
  if (last <= now() && now() - last < REPORT_MS) return false;
  const { config } = readConfig(environment);
  if (!tellsHubs(config.usage)) return false;
  replaceFile(claim, '', { isPrivate: true, isLosable: true });
  return true;
}
