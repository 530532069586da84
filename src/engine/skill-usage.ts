import { join } from 'node:path';

import type { Catalog } from '../catalog/catalog.ts';
import { findSkill } from '../catalog/find.ts';
import { readConfig } from '../config/read-config.ts';
import type { Outcome } from '../model/outcome.ts';
import { now, uniqueName } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import { projectDirectories } from '../platform/project.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { openUsage, type Usage } from '../usage/usage.ts';

export function usageFile({ agentHome }: Environment): string {
  return join(agentHome, 'skillplane.db');
}

/** The history of use of whoever runs here: `SKILLPLANE_TEAM`, `SKILLPLANE_AGENT` and `SKILLPLANE_SESSION` name them. */
export function openSkillUsage(environment: Environment): Usage {
  const { cwd, variables } = environment;
  const path = usageFile(environment);
  return openUsage({
    caller: {
      team: variables['SKILLPLANE_TEAM'] || 'default',
      agent: variables['SKILLPLANE_AGENT'] || 'default',
      session: variables['SKILLPLANE_SESSION'] || uniqueName(),
      project: projectDirectories(cwd).at(-1) ?? cwd,
    },
    clock: now,
    path,
    isKept: () => isUsageKept(environment),
    async openStore(warn) {
      const { openSqliteUsage } = await import('../usage/sqlite-usage.ts');
      return openSqliteUsage(path, warn);
    },
  });
}

/** A configuration that cannot be read may be one that says `usage: false`. */
async function isUsageKept(environment: Environment): Promise<boolean> {
  const { config, diagnostics } = await readConfig(environment);
  return config.usage && diagnostics.every(({ code }) => code !== 'CONFIG_INVALID');
}

export interface UsageQuery {
  /** Milliseconds since 1970; absent: since the first event. */
  readonly since?: number | undefined;
  /** Now, unless said otherwise. */
  readonly until?: number | undefined;
  /** One skill alone, by its name or id. */
  readonly skill?: string | undefined;
}

/** Enough for a small chart, and two halves to compare. */
const BUCKETS = 24;

/** What a period saw of every skill; undefined where no history is kept. */
export async function reportSkillUsage(
  usage: Usage,
  { skills }: Catalog,
  { since, until = now(), skill }: UsageQuery,
): Promise<Outcome<{ readonly report: UsageReport | undefined }>> {
  const found = skill === undefined ? undefined : findSkill(skills, skill);
  const name = found?.ok === true ? found.skill.name : skill;
  const read = await usage.history({ since, until, buckets: BUCKETS, skill: name });
  if (!read.ok) return read;
  const hasHistory = read.history !== undefined && read.history.tallies.length + read.history.uses.length > 0;
  if (found?.ok === false && !hasHistory) return found;
  if (read.history === undefined) return { ok: true, report: undefined };
  const { buildUsageReport } = await import('../usage/usage-report.ts');
  const asked = skills.filter((known) => (name === undefined ? known.status === 'enabled' : known.name === name));
  const report = buildUsageReport(read.history, {
    existing: new Set(skills.map((known) => known.name)),
    expected: asked.map((known) => known.name),
  });
  return { ok: true, report };
}
