import { describe, expect, test } from 'vitest';

import { fillSite, serveSite } from '../../test/support/source-makers.ts';
import { sha256Of } from '../parse/digest.ts';
import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../parse/well-known-index.ts';
import { defineSkill } from './memory-source.ts';
import { webSource } from './web-source.ts';

const PDF = defineSkill({ name: 'pdf', description: 'Fill PDF forms.', instructions: 'Fill it.' });
const DOCX = defineSkill({ name: 'docx', description: 'Write letters.', instructions: 'Write it.' });
const { signal } = new AbortController();
const [NEW, OLD] = INDEX_PATHS;

describe('a web source', () => {
  test('asks for the index only whether it changed, and fetches what is new in it', async () => {
    const { url, pages, seen } = await serveSite([PDF]);
    const source = webSource(url);
    await source.list(signal);
    await source.list(signal);
    fillSite(pages, [PDF, DOCX]);
    expect(await source.list(signal)).toMatchObject([{ id: 'pdf', stamp: expect.any(String) }, { id: 'docx' }]);
    expect(seen.map(({ path, status }) => `${path} ${status}`)).toEqual([
      `/${NEW} 200`,
      '/files/pdf.zip 200',
      `/${NEW} 304`,
      `/${NEW} 200`,
      '/files/docx.zip 200',
    ]);
    expect(textOf(await source.read('docx', 'SKILL.md', signal))).toContain('Write letters.');
  });

  test('gives no skill whose bytes are not those of the index, or that cannot be fetched, and says so', async () => {
    const { url, pages } = await serveSite([PDF, DOCX]);
    pages.set('/files/pdf.zip', { body: 'other' });
    pages.delete('/files/docx.zip');
    expect(await webSource(url).list(signal)).toEqual([
      { id: 'pdf', problem: `${url}/files/pdf.zip is not what the index lists (digest)` },
      { id: 'docx', problem: `${url}/files/docx.zip does not exist` },
    ]);
  });

  test('reads entries that are a SKILL.md alone, and reports entries that it cannot use', async () => {
    const text = String(PDF.files['SKILL.md']);
    const { url, pages } = await serveSite([]);
    const alone = { name: 'pdf', type: 'skill-md', url: 'pdf.md', digest: sha256Of(text) };
    const body = JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: [alone, { name: '../x' }] });
    pages.set('/skills/index.json', { body });
    pages.set('/skills/pdf.md', { body: text });
    const source = webSource(`${url}/skills/index.json`, { id: 'shop' });
    expect(source.id).toBe('shop');
    expect(await source.list(signal)).toEqual([
      { id: 'pdf', files: [{ path: 'SKILL.md', executable: false }], stamp: alone.digest },
      { id: 'entry-1', problem: '"../x" is not the name of a skill' },
    ]);
    expect(textOf(await source.read('pdf', 'SKILL.md', signal))).toBe(text);
  });

  test('reads an index of the older version, file by file', async () => {
    const { url, pages } = await serveSite([]);
    pages.clear();
    pages.set(`/${OLD}`, { body: JSON.stringify({ skills: [{ name: 'pdf', files: ['SKILL.md', 'a b.md'] }] }) });
    pages.set('/.well-known/skills/pdf/SKILL.md', { body: 'one' });
    pages.set('/.well-known/skills/pdf/a%20b.md', { body: 'two' });
    const source = webSource(url);
    expect(await source.list(signal)).toMatchObject([{ id: 'pdf', files: [{ path: 'SKILL.md' }, { path: 'a b.md' }] }]);
    expect(textOf(await source.read('pdf', 'a b.md', signal))).toBe('two');
  });

  test('works with the fetch of a program, where there are no sockets', async () => {
    const { url } = await serveSite([PDF]);
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return globalThis.fetch(input, init);
    };
    const source = webSource(url, { fetch });
    expect(await source.list(signal)).toMatchObject([{ id: 'pdf' }]);
    expect(asked).toEqual([`${url}/${NEW}`, `${url}/files/pdf.zip`]);
  });

  test('fails if the site has no index', async () => {
    const { url, pages } = await serveSite([]);
    pages.set(`/${NEW}`, { body: '<!doctype html>' });
    await expect(webSource(url).list(signal)).rejects.toThrow(`${url}/${NEW} has no index of skills`);
  });

  test.each(['http://skills.example', 'ftp://skills.example', 'skills.example', 'https://me:pw@skills.example'])(
    'is not made for the address %s',
    (url) => {
      expect(() => webSource(url)).toThrow('url must be an address that begins with https://');
    },
  );
});

function textOf(content: unknown): string {
  return content instanceof Uint8Array ? Buffer.from(content).toString() : '';
}
