import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { makeWorld, type World } from '../../../test/support/world.ts';
import { parseAddress, type ParsedAddress } from './origin-kinds.ts';

let world: World;
beforeEach(() => {
  world = makeWorld({
    'project/all.skill': 'x',
    'project/a b.ZIP': 'x',
    'project/folder.zip/SKILL.md': 'x',
    'home/mine.tgz': 'x',
  });
});

async function parse(text: string, ref?: string): Promise<ParsedAddress> {
  const parsed = await parseAddress(text, { environment: world.environment, ref });
  if (!parsed.ok) throw new Error(parsed.message);
  return { kind: parsed.kind, address: parsed.address };
}

async function refusal(text: string, ref?: string): Promise<string> {
  const parsed = await parseAddress(text, { environment: world.environment, ref });
  return parsed.ok ? `it is a ${parsed.kind}` : parsed.message;
}

describe('the kind of an install address', () => {
  test.each([
    ['owner/repo', 'git'],
    ['owner/repo@pdf', 'git'],
    ['gitlab:owner/repo', 'git'],
    ['git@host.example:a/b.git', 'git'],
    ['ssh://host.example/a', 'git'],
    ['file:///srv/a.git', 'git'],
    ['./skills', 'directory'],
    ['https://github.com/a/b', 'git'],
    ['https://host.example/a/b.git', 'git'],
    ['https://host.example/a/b#main', 'git'],
    ['https://github.com/a/b/tree/main/x.zip', 'git'],
    ['https://github.com/a/b/index.json', undefined],
    ['./folder.zip', 'directory'],
    ['https://host.example', 'web'],
    ['https://host.example/team/docs', 'web'],
    ['http://localhost:8080/', 'web'],
    ['https://host.example/.well-known/agent-skills/index.json', 'web'],
    ['https://host.example/x/index.json?v=1', 'web'],
    ['https://host.example/pdf.skill', 'archive'],
    ['https://host.example/pdf.zip?token=1', 'archive'],
    ['https://host.example/pdf.TAR.GZ', 'archive'],
    ['https://github.com/a/b/releases/download/v1/pdf.skill', 'archive'],
    ['https://github.com/a/b/archive/refs/tags/v1.tar.gz', 'archive'],
    ['all.skill', 'archive'],
    ['./all.skill', 'archive'],
    ['  a b.ZIP ', 'archive'],
    ['~/mine.tgz', 'archive'],
    ['npm:skills', 'npm'],
    ['NPM:@team/skills@^1.2', 'npm'],
  ])('is recognized for %s', async (text, kind) => {
    const parsed = await parseAddress(text, world);
    expect(parsed.ok ? parsed.kind : undefined).toBe(kind);
  });

  test.each([
    ['https://host.example', undefined],
    ['https://host.example/team/docs', 'https://host.example/team/docs'],
    ['https://host.example/team/index.json', undefined],
  ])('comes with the repository that the site %s may be', async (text, url) => {
    const { address } = await parse(text);
    expect(Object(address).repository?.url).toBe(url);
  });

  test('is a repository or a package, never a site, if a ref is given', async () => {
    expect((await parse('https://host.example/team/skills', 'v1')).kind).toBe('git');
    expect(await parse('npm:skills', '^2')).toMatchObject({ kind: 'npm', address: { name: 'skills', range: '^2' } });
  });

  test('is an archive with its absolute path if it is a file', async () => {
    expect(await parse('all.skill')).toEqual({
      kind: 'archive',
      address: { url: `${world.project}/all.skill`, isFile: true },
    });
  });

  test('comes without the password, which is kept apart from the address', async () => {
    const parsed = await parse('https://me:p%40ss@host.example/a.zip');
    expect(parsed).toMatchObject({ kind: 'archive', address: { url: 'https://host.example/a.zip' } });
    expect(JSON.stringify(parsed)).not.toMatch(/p%40ss|p@ss/);
    const credentials = Object.entries(parsed.address).find(([name]) => name === 'credentials');
    expect(credentials?.[1].reveal()).toBe('me:p@ss');
  });
});

describe('an install address', () => {
  test.each([
    ['', /^"": the address is empty$/],
    ['https://', /not a valid|host/],
    ['https://host.example:99999/a.zip', /not a valid|port/],
    ['http://host.example/a.zip', /https?/],
    ['ftp://host.example/a.zip', /ftp/],
    ['javascript:alert(1)', /./],
    ['https://ho\u0000st.example/', /./],
    ['https://host.example/a\nb', /./],
    ['https://%zz@host.example/a.zip', /credentials/],
    ['https://github.com/a/b/tree/%zz', /./],
    ['./gone.skill', /gone\.skill does not exist$/],
    ['gone.zip', /gone\.zip does not exist$/],
    ['npm:', /is not an npm package/],
    ['npm:../x', /is not an npm package/],
    ['npm:a/b', /is not an npm package/],
    ['npm:@team', /is not an npm package/],
    ['npm:@team/a/b', /is not an npm package/],
    ['npm:skills@', /is not a version, a range of versions or a tag/],
    ['npm:skills@file:../x', /is not a version, a range of versions or a tag/],
    ['npm:skills@git+ssh://x/y', /is not a version, a range of versions or a tag/],
    ['npm:skills@github:a/b', /is not a version, a range of versions or a tag/],
    ['npm:skills@../x', /is not a version, a range of versions or a tag/],
    ['npm:skills@--registry=x', /is not a version, a range of versions or a tag/],
    ['npm:skills@npm:other@1', /is not an npm package|is not a version/],
    ['npm:skills@1\u0000', /./],
    ['@team/pdf', /you are not logged in to one/],
  ])('is refused with the reason: %j', async (text, message) => {
    expect(await refusal(text)).toMatch(message);
    expect(await refusal(text)).not.toMatch(/^it is a /);
  });

  test('is refused if it names a version twice', async () => {
    expect(await refusal('npm:skills@1', '2')).toMatch(/names a version twice$/);
  });

  test('is refused without showing its password', async () => {
    for (const text of [
      'https://me:secret@',
      'http://me:secret@host.example/a.zip',
      'https://me:secret@host.example/\n',
    ])
      expect(await refusal(text)).not.toContain('secret');
  });
});

test('parsing an install address never throws, whatever is typed', async () => {
  const part = fc.constantFrom(
    'https://',
    'npm:',
    '@',
    '/',
    '.zip',
    '.skill',
    '%',
    '#',
    '?',
    ':',
    '..',
    'a',
    'github.com',
    '\\',
    ' ',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      ),
      async (text) => {
        const parsed = await parseAddress(text, world);
        expect(typeof parsed.ok).toBe('boolean');
      },
    ),
    { numRuns: propertyRuns(3_000), seed: 20261117 },
  );
});
