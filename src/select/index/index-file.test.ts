import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../../test/support/found.ts';
import type { Skill } from '../../model/skill.ts';
import { decodeIndex, encodeIndex } from './index-file.ts';
import { buildIndex, EMPTY_INDEX, type SearchIndex } from './search-index.ts';

const encode = (index: SearchIndex, owner: string): Uint8Array => Buffer.concat(encodeIndex(index, owner));

function makeIndex(): SearchIndex {
  const skills = ['pdf', 'übersicht', '表格'].map((name) => foundSkill(`/skills/${name}`, { name }).skill);
  const readBody = ({ name }: Skill): string => `# ${name}\n\nFill forms with ${name}.`;
  return buildIndex(EMPTY_INDEX, skills, { readBody });
}

describe('a search index file', () => {
  const index = makeIndex();
  const bytes = encode(index, 'me');

  test('is read back unchanged', () => {
    expect(decodeIndex(bytes, 'me')).toEqual(index);
    expect(decodeIndex(encode(EMPTY_INDEX, ''), '')).toEqual(EMPTY_INDEX);
    for (const offset of [1, 2, 3]) {
      const moved = new Uint8Array(bytes.length + offset);
      moved.set(bytes, offset);
      expect(decodeIndex(moved.subarray(offset), 'me')).toEqual(index);
    }
  });

  test('is ignored if another version wrote it or it is for other skills', () => {
    expect(decodeIndex(bytes, 'you')).toBeUndefined();
  });

  test('is ignored without an error if a single byte is wrong or missing', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const broken = Uint8Array.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      expect(decodeIndex(broken, 'me')).toSatisfy(isSameOrNothing);
      expect(decodeIndex(bytes.subarray(0, at), 'me')).toBeUndefined();
    }
  });

  // A blank of the header's padding carries nothing.
  const isSameOrNothing = (decoded: SearchIndex | undefined): boolean =>
    decoded === undefined || JSON.stringify(decoded) === JSON.stringify(index);

  test.each(['', '\n', '{}\n', 'null\n', '[]\n', '{"owner":"me","lengths":[1],"checksum":0}\n', '{"owner":'])(
    'is ignored if it contains %j',
    (text) => {
      expect(decodeIndex(Buffer.from(text), 'me')).toBeUndefined();
    },
  );
});
