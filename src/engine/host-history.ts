import type { ConfigReading } from '../config/read-config.ts';
import type { HistoryImport, ImportLimits } from '../hosts/history/import-history.ts';
import { HOST_IDS, type HostId } from '../model/agents.ts';
import { readsHosts } from '../model/config.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { now } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import type { Usage } from '../usage/usage.ts';

/** Which transcripts to read, and how much of them. Without limits everything is read. */
export interface HistoryRequest extends ImportLimits {
  /** All by default. */
  readonly hosts?: readonly HostId[] | undefined;
}

/** The result is undefined if no history is kept. */
export type HistoryOutcome = Outcome<{ readonly imported: HistoryImport | undefined }>;

export interface HostHistoryContext {
  readonly environment: Environment;
  readonly config: () => ConfigReading;
  readonly usage: Usage;
  /** Under which team the events are kept. */
  readonly team: string;
}

/** Reads what other agent programs remember into the history of use, unless the configuration forbids it. */
export async function importHostHistory(
  { environment, config, usage, team }: HostHistoryContext,
  { hosts = HOST_IDS, bytes, ms }: HistoryRequest = {},
): Promise<HistoryOutcome> {
  const { usage: kept, learn } = config().config;
  if (kept !== false && !readsHosts(kept))
    return fail('CONFIG_INVALID', 'your settings do not allow reading the transcripts of other agents', SWITCH_ON);
  const [{ HOSTS }, { importHistory }, words] = await Promise.all([
    import('../hosts/all-hosts.ts'),
    import('../hosts/history/import-history.ts'),
    learn ? import('../select/ranking/request-words.ts') : undefined,
  ]);
  const chosen = HOST_IDS.filter((id) => hosts.includes(id)).map((id) => HOSTS[id]);
  const isAll = chosen.length === HOST_IDS.length;
  const toWords = words?.hashWords;
  return importHistory(chosen, { place: environment, team, keeper: usage, toWords, clock: now, bytes, ms, isAll });
}

const SWITCH_ON: NextStep = { set: 'usage', to: 'true' };

/** Limits for reading transcripts: for a report, for the facts of one skill, for a ranking. */
export const REPORT_LIMITS: Required<ImportLimits> = { bytes: 1_073_741_824, ms: 1_500 };
export const INFO_LIMITS: Required<ImportLimits> = { bytes: 134_217_728, ms: 300 };
export const RANKING_LIMITS: Required<ImportLimits> = { bytes: 16_777_216, ms: 40 };

/** Imports transcripts alongside other work, which continues if the import is not allowed or fails. */
export async function importIfAllowed(
  context: HostHistoryContext,
  limits: ImportLimits,
): Promise<HistoryImport | undefined> {
  if (!readsHosts(context.config().config.usage)) return undefined;
  const done = await importHostHistory(context, limits);
  return done.ok ? done.imported : undefined;
}
