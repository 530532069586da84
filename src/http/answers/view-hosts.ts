import { HOST_IDS, HOSTS, indexFiles, reportHost, type HostReport } from '../../hosts.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { HostsView, HostSummary, SeenCell } from '../wire/hosts.ts';

/** Says what every agent program on this machine makes of every copy of every skill. */
export const viewHosts: ReadAnswer<'hosts'> = async ({ skills }) => {
  const reports = HOST_IDS.map((id) => reportHost(HOSTS[id], skills.environment));
  const present = reports.filter(({ isPresent }) => isPresent).map(({ view }) => indexFiles(view));
  const reasons = openReasons();
  const rows = skills.copies().map(({ file }) => ({
    file,
    cells: present.map((find): SeenCell => {
      const seen = find(file);
      return seen === undefined ? ['unseen', -1] : [seen.standing, reasons.placeOf(seen.because)];
    }),
  }));
  const view: HostsView = { hosts: reports.map(summarise), reasons: reasons.list, rows };
  return { ok: true, ...view };
};

function summarise({ host, isPresent, version, counts, folders, view }: HostReport): HostSummary {
  return {
    id: host.id,
    title: host.title,
    isPresent,
    version: version ?? null,
    seenIn: host.seenIn,
    counts,
    folders: folders.filter(({ skills }) => skills > 0),
    faults: view.faults.map(({ because }) => because),
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
