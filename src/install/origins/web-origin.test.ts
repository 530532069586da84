import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { tar, zip } from '../../../test/support/archives.ts';
import { serve, type Answer, type TestServer } from '../../../test/support/https-server.ts';
import { done, makeInstallWorld, skill, type InstallWorld } from '../../../test/support/install-world.ts';
import { findLeftovers, readInstalled } from '../../../test/support/installed.ts';
import { searchRemote } from '../../engine/search-remote.ts';
import { sha256Of } from '../../parse/digest.ts';
import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../../parse/well-known-index.ts';
import { SkillInstaller } from '../installer.ts';

const [NEW, OLD] = INDEX_PATHS;
const TEXT = skill('pdf');

interface Site extends InstallWorld {
  readonly server: TestServer;
  readonly pages: Map<string, Answer>;
  readonly installer: SkillInstaller;
  /** Adds an entry to the index at the root. */
  readonly list: (fields: Readonly<Record<string, unknown>>) => void;
}

async function openSite(): Promise<Site> {
  const world = makeInstallWorld();
  const pages = new Map<string, Answer>();
  const server = await serve((path) => pages.get(path));
  const env = { ...world.env, ...server.env };
  const installer = new SkillInstaller({ cwd: world.project, home: world.home, env });
  const skills: object[] = [];
  const list = (fields: Readonly<Record<string, unknown>>): void => {
    skills.push({ name: 'pdf', description: 'Fill in forms.', ...fields });
    const body = JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills });
    pages.set(`/${NEW}`, { body, headers: { etag: `"${sha256Of(body)}"` } });
  };
  return { ...world, env, server, pages, installer, list };
}

/** A site with one skill behind this artifact. */
async function openSiteWith(type: string, body: string | Buffer, promised: string | Buffer = body): Promise<Site> {
  const site = await openSite();
  site.pages.set('/artifact', { body });
  site.list({ type, url: '/artifact', digest: sha256Of(promised) });
  return site;
}

const failed = (message: RegExp): object => ({ ok: false, message: expect.stringMatching(message) as string });

describe('a skill artifact from a web index', () => {
  test('can be a single SKILL.md', async () => {
    const { server, installer, home, plugins } = await openSiteWith('skill-md', TEXT);
    done(await installer.install({ url: server.url }));
    expect(readFileSync(join(plugins, 'pdf/SKILL.md'), 'utf8')).toBe(TEXT);
    expect(readInstalled(home)['pdf']?.locked.origin).toEqual({
      kind: 'web',
      url: `${server.url}/${NEW}`,
      artifact: `${server.url}/artifact`,
      integrity: sha256Of(TEXT),
    });
  });

  test.each([
    ['tar.gz', gzipSync(tar([{ name: 'SKILL.md', content: TEXT }]))],
    ['zip', zip([{ name: 'SKILL.md', content: TEXT }])],
  ])('can be a %s, whatever its address ends in', async (_format, bytes) => {
    const { server, installer, plugins } = await openSiteWith('archive', bytes);
    done(await installer.install({ url: server.url }));
    expect(readFileSync(join(plugins, 'pdf/SKILL.md'), 'utf8')).toBe(TEXT);
  });

  test.for([
    ['skill-md', TEXT, `${TEXT} `, /is not what its index lists: its digest is sha256:\w+, not sha256:/],
    ['archive', zip([{ name: 'SKILL.md', content: TEXT }]), gzipSync(tar([])), /is not what its index lists/],
    // The same files in other bytes are another artifact.
    [
      'archive',
      gzipSync(tar([{ name: 'SKILL.md', content: TEXT }]), { level: 1 }),
      tar([]),
      /is not what its index lists/,
    ],
    [
      'archive',
      gzipSync(tar([{ name: 'pdf/SKILL.md', content: TEXT }])),
      undefined,
      /must be at the root.*not in pdf\/SKILL\.md/,
    ],
    ['archive', zip([{ name: 'pdf/SKILL.md', content: TEXT }]), undefined, /must be at the root/],
    ['archive', Buffer.from(TEXT), undefined, /neither a zip nor a tar\.gz/],
    ['archive', gzipSync(tar([{ name: 'README.md', content: TEXT }])), undefined, /no SKILL\.md|SKILL\.md/],
    ['archive', gzipSync(tar([{ name: '../SKILL.md', content: TEXT }])), undefined, /leaves/],
    ['archive', zip([{ name: 'SKILL.md', content: TEXT, isLocked: true }]), undefined, /needs a password/],
    ['archive', gzipSync(Buffer.alloc(60 * 1024 * 1024)), undefined, /unpacks to more than|far more than it is/],
    ['skill-md', 'x'.repeat(2_000_000), undefined, /larger than/],
    ['skill-md', zip([{ name: 'SKILL.md', content: TEXT }]), undefined, /./],
  ] as const)(
    'of the type $0 is refused with the reason if it is invalid (case %#)',
    async ([type, body, promised, message]) => {
      const { server, installer, home } = await openSiteWith(type, body, promised);
      expect(await installer.install({ url: server.url })).toMatchObject(failed(message));
      expect(readInstalled(home)).toEqual({});
      expect(findLeftovers(home)).toEqual([]);
    },
  );

  test('that does not exist is named in the failure', async () => {
    const { server, installer, list } = await openSite();
    list({ type: 'archive', url: 'gone.zip', digest: sha256Of('') });
    expect(await installer.install({ url: server.url })).toMatchObject(
      failed(/agent-skills\/gone\.zip does not exist, but the index lists it/),
    );
  });

  test('on another host is fetched without the password of the index', async () => {
    const other = await serve(() => ({ body: TEXT }));
    const { server, pages, installer, list } = await openSite();
    list({ type: 'skill-md', url: `${other.url}/pdf`, digest: sha256Of(TEXT) });
    done(await installer.install({ url: server.url.replace('//', '//me:secret@') }));
    expect(server.seen.map(({ headers }) => headers.authorization)).toContain(`Basic ${btoa('me:secret')}`);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    pages.clear();
  });

  test('with an address in a private network is not fetched', async () => {
    const { server, installer, list } = await openSite();
    list({ type: 'skill-md', url: 'https://169.254.169.254/latest/meta-data', digest: sha256Of('') });
    expect(await installer.install({ url: server.url })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });

  test('is not fetched again if only other entries of the index changed', async () => {
    const { server, installer, list } = await openSiteWith('skill-md', TEXT);
    done(await installer.install({ url: server.url }));
    list({ name: 'other', type: 'skill-md', url: '/other', digest: sha256Of('other') });
    server.seen.length = 0;
    expect(done(await installer.update([], async ({ updates }) => updates))).toMatchObject({ current: ['pdf'] });
    expect(server.seen.map(({ path }) => path)).not.toContain('/artifact');
  });
});

describe('a web index of skills', () => {
  test('is looked for below the given path, then at the root, and in the new format before the old one', async () => {
    const { server, pages, installer, plugins } = await openSite();
    const entry = { name: 'pdf', description: 'x', type: 'skill-md', url: '/artifact', digest: sha256Of(TEXT) };
    pages.set('/artifact', { body: TEXT });
    pages.set(`/${OLD}`, {
      body: JSON.stringify({ skills: [{ name: 'old', description: 'x', files: ['SKILL.md'] }] }),
    });
    pages.set('/.well-known/skills/old/SKILL.md', { body: skill('old') });
    const names = async (address: string): Promise<readonly string[]> =>
      done(await searchRemote(address, { env: { ...server.env, HOME: plugins } })).results.map(({ name }) => name);
    expect(await names(`${server.url}/docs/team`)).toEqual(['old']);
    pages.set(`/${NEW}`, { body: JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: [entry] }) });
    expect(await names(`${server.url}/docs/team`)).toEqual(['pdf']);
    pages.set(`/docs/team/${OLD}`, pages.get(`/${OLD}`) ?? {});
    expect(await names(`${server.url}/docs/team/`)).toEqual(['old']);
    expect(await names(`${server.url}/${NEW}`)).toEqual(['pdf']);
    done(await installer.install({ url: `${server.url}/${OLD}` }));
    expect(readFileSync(join(plugins, 'old/SKILL.md'), 'utf8')).toBe(skill('old'));
  });

  test('that has not changed is not downloaded again', async () => {
    const { server, installer } = await openSiteWith('skill-md', TEXT);
    done(await installer.install({ url: server.url }));
    done(await installer.update([], async ({ updates }) => updates));
    const asked = server.seen.filter(({ path }) => path === `/${NEW}`);
    expect(asked.map(({ status }) => status)).toEqual([200, 304]);
  });

  test('is used from the cache if the server says that it has not changed', async () => {
    const { server, installer, pages } = await openSiteWith('skill-md', TEXT);
    done(await installer.install({ url: server.url }));
    const index = pages.get(`/${NEW}`);
    // A server that answers 304 to anything.
    pages.set(`/${NEW}`, { ...index, status: 304 });
    expect(done(await installer.update([], async ({ updates }) => updates)).current).toEqual(['pdf']);
  });

  test('is refused with the reason if it is a web page, of another version, without skills or too large', async () => {
    const { server, pages, installer } = await openSite();
    const install = (): Promise<unknown> => installer.install({ url: `${server.url}/${NEW}` });
    pages.set(`/${NEW}`, { body: '<!doctype html>' });
    expect(await install()).toMatchObject(failed(/is not an index of skills|no index of skills/));
    pages.set(`/${NEW}`, { body: '{"$schema":"x","skills":[]}' });
    expect(await install()).toMatchObject(failed(/unknown \$schema "x"/));
    pages.set(`/${NEW}`, { body: JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: [{ name: 'a', type: 'x' }] }) });
    expect(await install()).toMatchObject(failed(/no skills in .*a has the unknown type "x"/));
    pages.set(`/${NEW}`, { body: `{"x":"${'x'.repeat(9 * 1024 * 1024)}"}` });
    expect(await install()).toMatchObject(failed(/larger than 8388608 bytes/));
  });

  test('that redirects resolves addresses from where it redirects to, also when it has not changed', async () => {
    const { server, pages, installer, plugins } = await openSite();
    const entry = { name: 'pdf', description: 'x', type: 'skill-md', url: 'pdf.md', digest: sha256Of(TEXT) };
    const body = JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: [entry] });
    pages.set(`/${NEW}`, { status: 302, headers: { location: '/moved/index.json' } });
    pages.set('/moved/index.json', { body, headers: { etag: '"1"' } });
    pages.set('/moved/pdf.md', { body: TEXT });
    done(await installer.install({ url: server.url }));
    done(await installer.remove('pdf'));
    done(await installer.install({ url: server.url }));
    expect(server.seen.filter(({ path }) => path === '/moved/index.json').map(({ status }) => status)).toEqual([
      200, 304,
    ]);
    expect(readFileSync(join(plugins, 'pdf/SKILL.md'), 'utf8')).toBe(TEXT);
  });

  test('is refused if it redirects in a loop or into a private network', async () => {
    const { server, pages, installer } = await openSite();
    pages.set(`/${NEW}`, { status: 301, headers: { location: `/${NEW}` } });
    expect(await installer.install({ url: `${server.url}/${NEW}` })).toMatchObject(failed(/more than 5 times/));
    pages.set(`/${NEW}`, { status: 301, headers: { location: 'https://10.0.0.1/index.json' } });
    expect(await installer.install({ url: server.url })).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });
});
