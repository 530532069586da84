import fc from 'fast-check';
import { expect, test } from 'vitest';

import { listAt } from '../index/lists.ts';
import { GatheredLists } from './gathered-lists.ts';

const lists = fc.array(fc.array(fc.nat(9), { maxLength: 30 }), { maxLength: 8 });

function pack(given: readonly (readonly number[])[]): Parameters<GatheredLists['add']>[0] {
  const starts = [0];
  for (const list of given) starts.push((starts.at(-1) ?? 0) + list.length);
  return { starts: Uint32Array.from(starts), values: Uint32Array.from(given.flat()) };
}

test('gathered lists keep their order, whatever their lengths and however many are added at a time', () => {
  fc.assert(
    fc.property(fc.array(lists, { maxLength: 8 }), fc.nat(5), (parts, more) => {
      const all = parts.flat();
      const gathered = new GatheredLists(all.length + more);
      for (const part of parts) gathered.add(pack(part));
      const found = gathered.all();
      expect(found.starts).toHaveLength(all.length + 1);
      expect(all.map((_, at) => [...listAt(found, at)])).toEqual(all);
      expect(found.values.length).toBe(all.flat().length);
    }),
    { seed: 20261117 },
  );
});
