import {
  HOST_IDS,
  HOSTS,
  indexFiles,
  readConnection,
  readHostWishes,
  reportHost,
  type HostReport,
} from '../../hosts.ts';
import type { Skills } from '../../index.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { HostsView, HostSummary, SeenCell } from '../wire/hosts.ts';

/** Says what every agent program on this machine makes of every copy of every skill. */
export const viewHosts: ReadAnswer<'hosts'> = async ({ skills, place }) => {
  const reports = HOST_IDS.map((id) => reportHost(HOSTS[id], skills.environment));
  const present = reports
    .filter(({ isPresent }) => isPresent)
    .map(({ host, view }) => ({ id: host.id, find: indexFiles(view) }));
  const isFor = await readHostWishes(place);
  const reasons = openReasons();
  const rows = skills.copies().map(({ file, name, enabled }) => ({
    file,
    cells: present.map(({ id, find }): SeenCell => {
      const seen = find(file);
      const isWanted = enabled && isFor(name, id);
      return seen === undefined ? ['unseen', -1, isWanted] : [seen.standing, reasons.placeOf(seen.because), isWanted];
    }),
  }));
  const hosts = reports.map((report) => summarise(report, skills));
  const view: HostsView = { hosts, reasons: reasons.list, rows };
  return { ok: true, ...view };
};

function summarise(
  { host, isPresent, version, counts, folders, view }: HostReport,
  { environment }: Skills,
): HostSummary {
  const { hasServer, hook = null, recordsUse, log } = readConnection(host, environment);
  const toIso = (at: number): string | null => (at === 0 ? null : new Date(at).toISOString());
  return {
    id: host.id,
    title: host.title,
    isPresent,
    version: version ?? null,
    seenIn: host.seenIn,
    counts,
    folders: folders.filter(({ skills }) => skills > 0),
    faults: view.faults.map(({ because }) => because),
    connection: { hasServer, hook, recordsUse, lastAsked: toIso(log.asked), lastSpoke: toIso(log.spoke) },
  };
}

/** Most skills share a few reasons, so each is sent once. */
function openReasons(): { readonly list: string[]; placeOf(reason: string | undefined): number } {
  const places = new Map<string, number>();
  const list: string[] = [];
  return {
    list,
    placeOf(reason) {
      if (reason === undefined) return -1;
      const place = places.get(reason) ?? list.push(reason) - 1;
      places.set(reason, place);
      return place;
    },
  };
}
