import { inspect } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseRepositoryUrl, type RepositoryAddress } from './repository-url.ts';

function parse(text: string): RepositoryAddress {
  const parsed = parseRepositoryUrl(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

describe('reading a repository address', () => {
  test.each([
    ['https://github.com/a/b', 'https', 'https://github.com/a/b.git'],
    ['https://github.com/a/b/', 'https', 'https://github.com/a/b.git'],
    ['https://GitHub.com/a/b.git', 'https', 'https://github.com/a/b.git'],
    ['https://git.example.com:8443/x/y/z.git', 'https', 'https://git.example.com:8443/x/y/z.git'],
    ['https://git.example.com/x%20y', 'https', 'https://git.example.com/x%20y'],
    ['http://127.0.0.1:8080/r', 'http', 'http://127.0.0.1:8080/r'],
    ['http://[::1]:8080/r', 'http', 'http://[::1]:8080/r'],
    ['a/b', 'https', 'https://github.com/a/b.git'],
    ['a/b.c', 'https', 'https://github.com/a/b.c.git'],
    ['github.com/a/b', 'https', 'https://github.com/a/b.git'],
    ['github:a/b', 'https', 'https://github.com/a/b.git'],
    ['gitlab:a/g/b', 'https', 'https://gitlab.com/a/g/b.git'],
    ['bitbucket:a/b', 'https', 'https://bitbucket.org/a/b.git'],
    ['gitlab.com/a/b/c', 'https', 'https://gitlab.com/a/b/c.git'],
    ['ssh://git@host.example/a/b.git', 'ssh', 'ssh://git@host.example/a/b.git'],
    ['ssh://host.example:2222/a', 'ssh', 'ssh://host.example:2222/a'],
    ['git@github.com:a/b.git', 'ssh', 'git@github.com:a/b.git'],
    ['git@host.example:~me/b/', 'ssh', 'git@host.example:~me/b'],
    ['file:///srv/a b.git', 'file', 'file:///srv/a%20b.git'],
    ['https://git.example.com:443/a', 'https', 'https://git.example.com/a'],
    ['https://git.example.com/ä', 'https', 'https://git.example.com/%C3%A4'],
    ['file://localhost/srv/x/', 'file', 'file:///srv/x'],
    ['./x/', 'directory', './x'],
    ['..', 'directory', '..'],
    ['/', 'directory', '/'],
    ['~/my skills', 'directory', '~/my skills'],
    ['/a/b', 'directory', '/a/b'],
    ['C:\\a', 'directory', 'C:\\a'],
  ])('turns %s into the %s address %s', (text, kind, url) => {
    expect(parse(text)).toMatchObject({ kind, url, ref: undefined, path: undefined, credentials: undefined });
  });

  test.each([
    ['a/b#v1', 'v1', undefined],
    ['https://github.com/a/b.git#feature/x', 'feature/x', undefined],
    ['git@github.com:a/b#v1', 'v1', undefined],
    ['./x#main', 'main', undefined],
    ['file:///x#main', 'main', undefined],
    ['https://github.com/a/b/tree/main', 'main', undefined],
    ['https://github.com/a/b/tree/main/skills/pdf/', 'main', 'skills/pdf'],
    ['https://github.com/a/b/blob/v1/skills/pdf/SKILL.md', 'v1', 'skills/pdf'],
    ['https://github.com/a/b/blob/v1/SKILL.md', 'v1', undefined],
    ['https://github.com/a/b/tree/main/my%20skills', 'main', 'my skills'],
    ['https://github.com/a/b/blob/v1/skills/pdf/scripts.py', 'v1', 'skills/pdf'],
    ['a/b/skills/pdf', undefined, 'skills/pdf'],
    ['a/b/skills/pdf/SKILL.md#v1', 'v1', 'skills/pdf'],
    ['a/b/tree/main/skills', 'main', 'skills'],
    ['github:a/b/skills/pdf', undefined, 'skills/pdf'],
    ['gitlab:a/g/b/-/tree/main/x', 'main', 'x'],
    ['https://gitlab.com/a/g/b/-/tree/main/skills/x', 'main', 'skills/x'],
    ['https://gitlab.com/a/g/b/-/blob/main/skills/x/SKILL.md', 'main', 'skills/x'],
    ['https://git.example.com/a/b/-/tree/main/x', 'main', 'x'],
    ['https://bitbucket.org/a/b/src/main/x', 'main', 'x'],
    ['https://codeberg.org/a/b/src/branch/main/x', 'main', 'x'],
  ])('finds the ref and the folder in %s', (text, ref, path) => {
    expect(parse(text)).toMatchObject({ ref, path });
  });

  test.each(['a/b@pdf', 'github:a/b@pdf', 'github.com/a/b@pdf', 'a/b@pdf#v1', 'a/b/skills@pdf'])(
    'finds the name of the skill in %s',
    (text) => {
      expect(parse(text)).toMatchObject({ url: 'https://github.com/a/b.git', skill: 'pdf' });
    },
  );

  test('gives the same repository for every spelling, and keeps different repositories apart', () => {
    const one = ['a/b', 'https://github.com/A/B.git/', 'git@github.com:a/b.git', 'ssh://git@github.com:22/a/b'];
    expect(new Set(one.map((text) => parse(text).canonical))).toEqual(new Set(['github.com/a/b']));
    const others = ['https://x.example/a', 'https://x.example/A', 'https://x.example:444/a', 'https://y.example/a'];
    expect(new Set(others.map((text) => parse(text).canonical)).size).toBe(4);
  });

  test('gives a valid default name for the skill and a readable form for messages', () => {
    expect(parse('a/My_Skill.git').name).toBe('my-skill');
    expect(parse('https://github.com/a/b/tree/main/skills/pdf')).toMatchObject({
      name: 'pdf',
      display: 'https://github.com/a/b.git#main (skills/pdf)',
    });
    expect(parse('..').name).toBe('skill');
  });
});

describe('credentials in a repository address', () => {
  test('are kept apart from the address and shown nowhere', () => {
    const address = parse('https://me:s3%2Fcret@git.example.com/a.git#v1');
    expect(address.credentials?.reveal()).toBe('me:s3/cret');
    expect(address).toMatchObject({ url: 'https://git.example.com/a.git', ref: 'v1', canonical: 'git.example.com/a' });
    const shown = [
      JSON.stringify(address),
      inspect(address, { depth: 9 }),
      String(Object(address.credentials)),
      address.display,
    ];
    expect(shown.join()).not.toMatch(/s3|cret/);
  });

  test('that are a token alone become a user without a password', () => {
    expect(parse('https://t0ken@github.com/a/b').credentials?.reveal()).toBe('t0ken:');
  });

  test.each(['https://me:s3cret@/a', 'https://me:s3cret@h/..', 'http://me:s3cret@h/a', 'ftp://me:s3cret@h/a'])(
    'are not in the failure message about %s',
    (text) => {
      const parsed = parseRepositoryUrl(text);
      expect(parsed.ok ? '' : parsed.message).not.toMatch(/s3cret|^$/);
    },
  );
});

const REFUSED = `--upload-pack=touch x
-utouch
ext::sh -c x
fd::17
foo::https://github.com/a/b
git://github.com/a/b
ftp://host/a
http://example.com/a
http://127.0.0.1.example.com/a
javascript://x/a
https://
https:///a/b
https:github.com/a/b
https://github.com
https://github.com/a
https://github.com/a/b/c
https://host
https://-x/a
https://ho st/a
https://host/a b
https://host:0/a
https://host:65536/a
https://host:x/a
https://host:/a
https://0x7f.1/a
https://127.1/a
https://2130706433/a
https://0177.0.0.1/a
https://256.1.1.1/a
https://a..b/c
https://höst/a
https://h\\@evil/a
https://h@e@f/a
https://[::1/a
https://[x]/a
https://host/../a
https://host/a/%2e%2e/b
https://host/a/..%2fb
https://host/a%2fb
https://host/a%00b
https://host/a%0ab
https://host/a%5cb
https://host/a%zz
https://host//a
https://host/a/./b
https://host/a?x=1
https://github.com/a/b/tree/main/../../x
https://github.com/a/b/tree/main#v1
https://github.com/a/b/tree/-x/y
ssh://-oProxyCommand=x/a
ssh://git:pw@host/a
ssh://-x@host/a
ssh://host
git@-x:y
-x@host:y
git@host:-x
git@host::x
git@host:
git@host:a/../b
git@ho st:a
a@b@c:d
file://host/share
file:relative
file:///a/../b
file:///a%00b
a
a/b/../c
npm:a/b
github:a
pdf@x
a b/c
-a/b
a/b#
a/b#-x
a/b#--upload-pack=x
a/b#x..y
a/b#x#y:z
\u202ea/b
a/\u200bb`;

describe('a repository address', () => {
  test.each(['', '   ', 'a/b\nc', 'a/b\0', `a/${'b'.repeat(3_000)}`, 'a/b#a b', ...REFUSED.split('\n')])(
    'is refused: %j',
    (text) => {
      expect(parseRepositoryUrl(text)).toMatchObject({ ok: false, code: 'INSTALL_FAILED' });
    },
  );
});

test.each([
  ['--upload-pack=x', 'begin with "-"'],
  ['ext::sh -c x', 'remote helpers'],
  ['ssh://git:pw@host/a', 'cannot have a password'],
  ['http://example.com/a', 'anyone on the network path'],
  ['git://example.com/a', 'the protocol git'],
  ['a/b#x..y', 'the ref "x..y"'],
])('the refusal of the repository address %s says why', (text, reason) => {
  const parsed = parseRepositoryUrl(text);
  expect(parsed.ok ? '' : parsed.message).toContain(reason);
});

test('every accepted repository address is safe as an argument of git, whatever is typed', () => {
  const piece = fc.constantFrom(
    ...'https:// ssh:// file:// git@ host a b / . .. : @ # - %2e %00 ~ \\ [::1] ext:: ? .git tree'.split(' '),
  );
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 9 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseRepositoryUrl(given);
      if (!parsed.ok) return;
      expect(parsed.url).not.toMatch(/^-|[\0-\x1f\x7f]/);
      expect(parsed.ref ?? 'x').not.toMatch(/^-|\.\.|[\s:~^]/);
      if (parsed.kind === 'directory') return;
      // Git gets the spelling that the parser of URLs gives, which all programs read alike.
      expect(parsed.url.includes('://') ? new URL(parsed.url).href : parsed.url).toBe(parsed.url);
      expect(parsed.url).toMatch(/^(?:(?:https?|ssh|file):\/\/[^-]|\w[\w.-]*@[a-z0-9][^:]*:[^-])/);
    }),
    { numRuns: 2_000 },
  );
});
