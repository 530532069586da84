import { describe, expect, test } from 'vitest';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { checkRecorded } from './check-recorded.ts';
import { HOMES } from './homes.ts';
import { PROGRAM_IDS, PROGRAMS } from './programs.ts';
import { readRecording } from './recorded.ts';

describe.each(PROGRAM_IDS)('%s', (id) => {
  const { version, homes } = readRecording(id);

  test('its answers were recorded with the version that the facts were seen in', () => {
    expect([version, HOSTS[id].seenIn]).toEqual([PROGRAMS[id].version, PROGRAMS[id].version]);
  });

  test('every home that it is asked in is recorded', () => {
    const asked = Object.entries(HOMES).filter(([, { programs }]) => programs?.includes(id) !== false);
    expect(Object.keys(homes).toSorted()).toEqual(asked.map(([title]) => title).toSorted());
  });

  test.each(Object.entries(homes))('the replay says what the program said: %s', (title, recorded) => {
    expect(checkRecorded(id, title, recorded).differences).toEqual([]);
  });
});
