import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { serve } from '../../test/support/https-server.ts';
import { done, makeInstallWorld, skill, snapshot } from '../../test/support/install-world.ts';
import { findLeftovers } from '../../test/support/installed.ts';
import { sha256Of } from '../parse/digest.ts';
import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../parse/well-known-index.ts';
import { SkillInstaller } from './installer.ts';

const NAMES = Array.from({ length: 20 }, (_, at) => `s${String(at).padStart(2, '0')}`);

interface Site {
  readonly installer: SkillInstaller;
  readonly home: string;
  readonly plugins: string;
  /** The ports that asked for skills. */
  readonly ports: Set<number | undefined>;
  /** How many requests for skills are waited for before one is answered. */
  hold: number;
  /** Skills that are no longer there. */
  readonly gone: Set<string>;
}

/** A site with a skill for each name, all of which are installed and then lost. */
async function loseSkills(): Promise<Site> {
  const world = makeInstallWorld();
  const waiting: (() => void)[] = [];
  const entries = NAMES.map((name) => {
    return { name, description: 'x', type: 'skill-md', url: `/${name}`, digest: sha256Of(skill(name)) };
  });
  const server = await serve(async (path, { socket }) => {
    if (path === `/${INDEX_PATHS[0]}`) return { body: JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: entries }) };
    const name = path.slice(1);
    if (!NAMES.includes(name)) return undefined;
    site.ports.add(socket.remotePort);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length >= site.hold) for (const go of waiting.splice(0)) go();
    });
    return site.gone.has(name) ? undefined : { body: skill(name) };
  });
  const env = { ...world.env, ...server.env };
  const installer = new SkillInstaller({ cwd: world.project, home: world.home, env });
  const { home, plugins } = world;
  const site: Site = { installer, home, plugins, ports: new Set(), hold: 1, gone: new Set() };
  done(await installer.install({ url: server.url, all: true }));
  rmSync(plugins, { recursive: true });
  site.ports.clear();
  return site;
}

test('restore fetches the skills of a web index several at a time over at most eight connections', async () => {
  const site = await loseSkills();
  site.hold = 4;
  expect(done(await site.installer.restore()).restored).toEqual(NAMES);
  expect(readdirSync(site.plugins).filter((name) => !name.startsWith('.'))).toEqual(NAMES);
  expect(site.ports.size).toBeGreaterThanOrEqual(4);
  expect(site.ports.size).toBeLessThanOrEqual(8);
}, 20_000);

test('restore names the first missing skill of a web index and changes nothing, in whatever order answers arrive', async () => {
  const { installer, home, gone } = await loseSkills();
  const before = snapshot(home);
  for (const name of ['s15', 's05', 's03']) gone.add(name);
  expect(await installer.restore()).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^s03: .*does not exist/),
  });
  expect(snapshot(join(home))).toEqual(before);
  expect(findLeftovers(home)).toEqual([]);
});
