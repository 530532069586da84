import fc from 'fast-check';
import { expect, test } from 'vitest';

import { shortenAtClause } from './shorten.ts';

const SEED = 20_261_115;

test.each([
  ['Fill PDF forms.', 15, 'Fill PDF forms.'],
  ['Fill PDF forms. Use it when a user sends a form.', 18, 'Fill PDF forms…'],
  ['Fill forms! Merge them. Split what is left, too.', 27, 'Fill forms! Merge them…'],
  ['Fill PDF forms; merge, split and sign them.', 20, 'Fill PDF forms…'],
  ['Fills all the forms: one by one, quickly.', 25, 'Fills all the forms…'],
  ['Fills forms: all of them, one by one, quickly.', 28, 'Fills forms: all of them…'],
  ['Fills, merges, splits and signs documents', 18, 'Fills, merges…'],
  ['Fill every form - even the odd ones', 20, 'Fill every form…'],
  ['Fill every form — even the odd ones', 20, 'Fill every form…'],
  ['Fill every form—even the odd ones', 20, 'Fill every form…'],
  ['Fill every form that there is', 22, 'Fill every form that…'],
  ['Forms and documents, e.g. invoices of a firm', 25, 'Forms and documents…'],
  ['Ask for documents e.g. invoices of a firm', 25, 'Ask for documents e.g…'],
  ['For well-known vs. odd documents of a firm', 25, 'For well-known vs. odd…'],
  ['Short. And then a long sentence without any pause in it', 40, 'Short. And then a long sentence without…'],
  ['通过协议支持，连接到安全摄像头。捕获快照，并处理视频流。', 20, '通过协议支持，连接到安全摄像头…'],
  ['通过协议支持连接；到安全摄像头，捕获快照并处理视频', 12, '通过协议支持连接…'],
  ['通过协议支持连接到安，全摄像头捕获快照', 18, '通过协议支持连接到安…'],
  ['通过协议支持连接到安全摄像头捕获快照', 10, '通过协议支持连接到…'],
  ['abcdefghijklmnopqrstuvwxyz', 10, 'abcdefghi…'],
  ['😀😀😀😀😀😀', 8, '😀😀😀…'],
  ['👍🏽👍🏽👍🏽', 8, '👍🏽…'],
  ['👩‍💻👩‍💻', 8, '👩‍💻…'],
  ['👩‍💻👩‍💻', 9, '👩‍💻…'],
  [`o${'\u0301'.repeat(40)}`, 10, `o${'\u0301'.repeat(8)}…`],
  ['ab', 1, '…'],
])('%j shortened to %i characters is %j', (line, maxLength, short) => {
  expect(shortenAtClause(line, maxLength)).toBe(short);
});

test('a shortened line fits, starts like the original, ends in … and splits no character', () => {
  const text = fc.array(
    fc.constantFrom('a', 'B', ' ', '. ', ', ', '; ', ' - ', '—', '。', '，', '😀', 'é', '👍🏽', '\u0301'),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (parts, maxLength) => {
      const line = parts.join('');
      const short = shortenAtClause(line, maxLength);
      expect(short.length).toBeLessThanOrEqual(Math.max(maxLength, 1));
      expect(short.isWellFormed()).toBe(true);
      const isCut = line.length > maxLength;
      expect(isCut ? short.at(-1) : short).toBe(isCut ? '…' : line);
      expect(line.startsWith(isCut ? short.slice(0, -1) : short)).toBe(true);
    }),
    { seed: SEED, numRuns: 500 },
  );
});
