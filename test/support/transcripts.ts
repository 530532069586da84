import { join } from 'node:path';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { importHistory, type HistoryImport, type ImportOptions } from '../../src/hosts/history/import-history.ts';
import type { KnownHost } from '../../src/hosts/host.ts';
import type { HostId } from '../../src/model/agents.ts';
import type { IdentifiedEvents, ImportBatch, Reading } from '../../src/usage/usage-store.ts';

/** Lines of a transcript, as the host writes them. */
export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** A history of use in memory: the events and how far files were read. */
export class MemoryKeeper {
  readonly found = new Map<string, IdentifiedEvents>();
  readonly files = new Map<string, Reading>();
  /** Fails at the n-th import from now on. */
  failAt = Infinity;

  async knownFiles() {
    const files = [...this.files.values()].map(({ path, inode, size, mtimeMs, state }) => {
      return [path, { inode, size, mtimeMs, isLearned: state.includes('"learned":true') }] as const;
    });
    return { ok: true as const, files: new Map(files) };
  }

  async readings(paths: readonly string[]) {
    return { ok: true as const, readings: [...this.files.values()].filter(({ path }) => paths.includes(path)) };
  }

  async import({ found, readings, gone = [] }: ImportBatch) {
    this.failAt -= 1;
    if (this.failAt < 0) return { ok: false as const, code: 'STORE_FAILED' as const, message: 'killed' };
    const fresh = found.filter(({ id }) => !this.found.has(id));
    for (const events of fresh) this.found.set(events.id, events);
    for (const reading of readings) this.files.set(reading.path, reading);
    for (const path of gone) this.files.delete(path);
    return { ok: true as const, added: fresh.flatMap(({ events }) => events).flatMap(({ skills }) => skills).length };
  }

  /** Every event as `kind skill`, with a count above 1, in the order of time. */
  get events(): readonly string[] {
    return [...this.found.values()]
      .flatMap(({ events }) => events)
      .flatMap(({ skills, ...event }) => skills.map((skill) => ({ ...event, skill })))
      .map(({ at, kind, skill, count = 1 }) => ({ at, text: `${kind} ${skill}${count === 1 ? '' : ` ${count}`}` }))
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => text);
  }
}

/** Reads the transcripts below a home into a keeper. */
export async function readTranscripts(
  home: string,
  {
    keeper = new MemoryKeeper(),
    hosts,
    ...options
  }: Partial<ImportOptions> & { keeper?: MemoryKeeper; hosts?: readonly HostId[] } = {},
): Promise<{ keeper: MemoryKeeper; imported: HistoryImport }> {
  const chosen: readonly KnownHost[] = hosts?.map((id) => HOSTS[id]) ?? Object.values(HOSTS);
  const place = { home, cwd: join(home, 'project'), variables: {} };
  const done = await importHistory(chosen, { place, team: 'team', clock: () => 0, isAll: true, ...options, keeper });
  if (!done.ok || done.imported === undefined) throw new Error(done.ok ? 'not kept' : done.message);
  return { keeper, imported: done.imported };
}
