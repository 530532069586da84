import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { tar, zip } from '../../../test/support/archives.ts';
import { serve } from '../../../test/support/https-server.ts';
import { done, makeInstallWorld, skill, snapshot } from '../../../test/support/install-world.ts';
import { findLeftovers, readInstalled } from '../../../test/support/installed.ts';
import { serveRegistry } from '../../../test/support/origin-worlds.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { SkillInstaller } from '../installer.ts';

const TEXT = skill('pdf');
const MANIFEST = { name: 'pdf/SKILL.md', content: TEXT };
const MEBIBYTE = 1024 * 1024;
const whole = zip([MANIFEST]);

const ATTACKS: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  'a zip bomb': [
    zip([MANIFEST, { name: 'pdf/x', content: 'x', claimedSize: 300 * MEBIBYTE }]),
    /unpacks to more than 256 MiB/,
  ],
  'a gzip bomb': [gzipSync(Buffer.alloc(8 * MEBIBYTE)), /far more than it is/],
  'a liar about its size': [
    zip([{ ...MANIFEST, content: `${TEXT}${' '.repeat(100_000)}`, claimedSize: TEXT.length }]),
    /damaged: it does not unpack to what the archive claims/,
  ],
  'a password': [zip([MANIFEST, { name: 'pdf/x', content: 'x', isLocked: true }]), /"pdf\/x" needs a password/],
  'a climbing path': [gzipSync(tar([MANIFEST, { name: '../../evil', content: 'x' }])), /has a path that leaves/],
  'an absolute path': [zip([MANIFEST, { name: '/tmp/evil', content: 'x' }]), /has a path that is absolute/],
  'a drive of Windows': [zip([MANIFEST, { name: 'C:\\evil', content: 'x' }]), /has a path that/],
  'a name twice': [zip([MANIFEST, MANIFEST]), /is listed twice/],
  'names that differ in case': [
    zip([MANIFEST, { name: 'pdf/a', content: '' }, { name: 'pdf/A', content: '' }]),
    /is the same as/,
  ],
  'a link': [zip([MANIFEST, { name: 'pdf/x', content: '/etc/passwd', isLink: true }]), /is a link/],
  'a hard link': [gzipSync(tar([MANIFEST, { name: 'pdf/x', type: '1' }])), /is a link/],
  'a device': [gzipSync(tar([MANIFEST, { name: 'pdf/x', type: '3' }])), /./],
  'a link instead of SKILL.md': [
    zip([{ name: 'pdf/SKILL.md', content: '/etc/passwd', isLink: true }]),
    /not a regular file/,
  ],
  'two names of one file': [zip([{ ...MANIFEST, localName: 'pdf/OTHER.md' }]), /contradicts itself/],
  'half of it': [whole.subarray(0, whole.length / 2), /damaged|no directory/],
  'no archive': [Buffer.from('<html>'), /neither a zip nor a tar\.gz/],
};

test.each(Object.entries(ATTACKS))(
  'a hostile archive file is refused with the reason, and nothing is written: %s',
  async (_what, [bytes, message]) => {
    const { user, home, root } = makeInstallWorld();
    const file = join(makeTree(), 'all.skill');
    writeFileSync(file, bytes);
    const before = snapshot(root);
    const refused = await user.install({ url: file, skills: ['pdf'] });
    expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(message) as string });
    expect(Object.entries(snapshot(root)).filter(([path, text]) => text !== '/' && before[path] === undefined)).toEqual(
      [],
    );
    expect(findLeftovers(home)).toEqual([]);
  },
);

test('hostile archives are refused over https, too', async () => {
  const { project, home, env } = makeInstallWorld();
  let sent: Buffer = Buffer.alloc(0);
  const server = await serve(() => ({ body: sent }));
  const installer = new SkillInstaller({ cwd: project, home, env: { ...env, ...server.env } });
  for (const [bytes, message] of Object.values(ATTACKS)) {
    sent = bytes;
    const refused = await installer.install({ url: `${server.url}/all.zip`, skills: ['pdf'] });
    expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(message) as string });
  }
  expect(readInstalled(home)).toEqual({});
});

test('an npm package with an archive bomb or clashing names is refused', async () => {
  const { user, home } = makeInstallWorld();
  const { publish } = await serveRegistry(home);
  const inPackage = (...entries: Parameters<typeof tar>[0]): Buffer =>
    gzipSync(tar([{ name: 'package/package.json', content: '{"name":"p","version":"1.0.0"}' }, ...entries]));
  publish('bomb@1.0.0', [], { sent: inPackage({ name: 'package/x', content: '\0'.repeat(8 * MEBIBYTE) }) });
  publish('clash@1.0.0', [], {
    sent: inPackage(
      { name: 'package/skills/pdf/SKILL.md', content: TEXT },
      { name: 'package/skills/pdf/skill.MD', content: TEXT },
    ),
  });
  expect(await user.install({ url: 'npm:bomb' })).toMatchObject({ ok: false });
  expect(await user.install({ url: 'npm:clash' })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/is the same as/) as string,
  });
  expect(readInstalled(home)).toEqual({});
});

test.each([
  ['one folder around everything', zip([{ name: 'pdf-1.0/SKILL.md', content: TEXT }]), ['pdf']],
  ['a folder of folders', zip([{ name: 'repo-main/skills/pdf/SKILL.md', content: TEXT }]), ['pdf']],
  ['SKILL.md at the root', zip([{ name: 'SKILL.md', content: TEXT }]), ['pdf']],
  ['a skill that does not name itself', zip([{ name: 'SKILL.md', content: '---\ndescription: x\n---\n' }]), ['all']],
])('a skill is found in an archive with %s', async (_what, bytes, names) => {
  const { user, home } = makeInstallWorld();
  const file = join(makeTree(), 'all.zip');
  writeFileSync(file, bytes);
  done(await user.install({ url: file, all: true }));
  expect(Object.keys(readInstalled(home))).toEqual(names);
});
