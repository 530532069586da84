import { HOSTS } from '../src/hosts/all-hosts.ts';
import { checkRecorded } from '../test/hosts/check-recorded.ts';
import { PROGRAM_IDS, type ProgramId } from '../test/hosts/programs.ts';
import { readRecording } from '../test/hosts/recorded.ts';
import type { Section } from './table.ts';

/** How far our replay of each host agrees with the answers of the program itself. */
export function measureHosts(): Section {
  return {
    title: 'Agreement with the programs of the hosts',
    note: 'Homes with every trap that we know; in each, the published program was asked which skills it has and which its model is told of (`npm run test:hosts`). A skill counts if name, file, state, the text that is shown and the order are the same. Goal: all.',
    columns: ['host', 'version', 'homes', 'skills', 'the same', 'agreement'],
    rows: PROGRAM_IDS.map(measureHost),
  };
}

function measureHost(id: ProgramId): readonly string[] {
  const { version, homes } = readRecording(id);
  const checked = Object.entries(homes).map(([title, recorded]) => checkRecorded(id, title, recorded));
  const same = checked.reduce((sum, each) => sum + each.same, 0);
  const all = same + checked.reduce((sum, { differences }) => sum + differences.length, 0);
  const percent = `${((100 * same) / all).toFixed(2)} %`;
  return [HOSTS[id].title, version, String(checked.length), String(all), String(same), percent];
}
