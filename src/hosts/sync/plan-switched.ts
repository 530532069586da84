import { planConfigEdit } from '../../config/edit-config.ts';
import { editHostGlobs, isForHost, type HostSwitch } from '../../config/host-globs.ts';
import { readConfig, userConfigFile } from '../../config/read-config.ts';
import type { HostId } from '../../model/agents.ts';
import type { Outcome } from '../../model/outcome.ts';
import { renderDiff } from '../../parse/render-diff.ts';
import { readEnvironment, type EnvironmentOptions } from '../../platform/environment.ts';
import { readOwnText } from '../../platform/files/files.ts';
import type { ChangedFile } from './sync-plan.ts';
import type { SyncOptions } from './sync-request.ts';
import { planSync, type SyncReport } from './sync.ts';

/** Shall a host see an enabled skill, by the setting `hosts`? */
export type HostWishes = (name: string, host: HostId) => boolean;

export async function readHostWishes(options: EnvironmentOptions = {}): Promise<HostWishes> {
  const { config } = readConfig(readEnvironment(options));
  return (name, host) => isForHost(name, host, config);
}

export interface SwitchedPlan {
  readonly plan: SyncReport;
  /** The user's configuration; undefined if it says so already. */
  readonly config: ChangedFile | undefined;
}

/** Says what `sync` would change after skills were switched for hosts (`switchForHosts`), and changes nothing. */
export async function planSwitched(
  switches: readonly HostSwitch[],
  options: SyncOptions = {},
): Promise<Outcome<SwitchedPlan>> {
  const path = userConfigFile(readEnvironment(options));
  const read = readOwnText(path);
  const edited = read.ok ? await planConfigEdit(path, editHostGlobs(switches)) : read;
  if (!read.ok) return read;
  if (!edited.ok) return edited;
  // Lazy: most plans switch nothing.
  const { parseConfig } = await import('../../config/parse-config.ts');
  const parsed = parseConfig(edited.text, edited.text.length * MOST_BYTES);
  const hosts = parsed.ok ? (parsed.section.hosts ?? {}) : {};
  const planned = await planSync({ ...options, config: { ...options.config, hosts } });
  if (!planned.ok) return planned;
  const before = read.text ?? '';
  const config =
    edited.changed.length === 0 ? undefined : { path, diff: renderDiff(before, edited.text, path.replace(/^\//, '')) };
  return { ok: true, plan: planned.plan, config };
}

/** Bytes of a character in UTF-8. */
const MOST_BYTES = 4;
