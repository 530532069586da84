import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { describeContent } from './content.ts';

describe('the content of a file', () => {
  test.each([
    ['SKILL.md', 'text/markdown'],
    ['references/A.MD', 'text/markdown'],
    ['a.md.txt', 'text/plain'],
    ['md', 'text/plain'],
    ['.md', 'text/markdown'],
    ['a.md/b', 'text/plain'],
    ['a.json', 'text/plain'],
    ['logo.svg', 'text/plain'],
    ['run.sh', 'text/plain'],
    ['index.html', 'text/plain'],
    ['LICENSE', 'text/plain'],
    ['not-really.png', 'text/plain'],
  ])('is text if it is valid UTF-8: %s has the type %s', (path, contentType) => {
    expect(describeContent(path, Buffer.from('ä\n'))).toEqual({ contentType, size: 3, text: 'ä\n' });
  });

  test.each([
    ['a.png', 'image/png'],
    ['a.PNG', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.pdf', 'application/pdf'],
    ['a.zip', 'application/zip'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.md', 'application/octet-stream'],
    ['a.unknown', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
  ])('is base64 if it is not valid UTF-8: %s has the type %s', (path, contentType) => {
    const bytes = Buffer.from([0x89, 0x50, 0xff]);
    expect(describeContent(path, bytes)).toEqual({ contentType, size: 3, base64: 'iVD/' });
  });

  test.each([
    ['a NUL byte', Buffer.from('a\0b')],
    ['half a character', Buffer.from('ä').subarray(0, 1)],
    ['an overlong character', Buffer.from([0xc0, 0xae])],
    ['UTF-16', Buffer.from('\uFEFFab', 'utf16le')],
  ])('is base64 if the bytes contain %s', (_, bytes) => {
    expect(describeContent('a.txt', bytes)).toMatchObject({ base64: bytes.toString('base64') });
  });

  test('is text for an empty file, and keeps a byte-order mark', () => {
    expect(describeContent('a', Buffer.alloc(0))).toEqual({ contentType: 'text/plain', size: 0, text: '' });
    expect(describeContent('a', Buffer.from('\uFEFFa'))).toMatchObject({ size: 4, text: '\uFEFFa' });
  });

  test('decodes to exactly the bytes of the file, whatever they are', () => {
    const holds = fc.property(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), (given) => {
      const bytes = Buffer.from(given);
      const { text, base64, size } = describeContent('a', bytes);
      expect(text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)).toEqual(bytes);
      expect(size).toBe(bytes.length);
    });
    fc.assert(holds, { seed: 20261115, numRuns: 1_000 });
  });
});
