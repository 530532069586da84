import { join } from 'node:path/posix';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { formatSkillUrl, parseSkillUrl } from './skill-url.ts';

const SEED = { seed: 20261115 };

describe('a valid skill:// URL', () => {
  test.each([
    ['skill://pdf', 'pdf', undefined],
    ['skill://pdf/SKILL.md', 'pdf', 'SKILL.md'],
    ['skill://pdf/references/tables.md', 'pdf', 'references/tables.md'],
    ['SKILL://pdf', 'pdf', undefined],
    ['Skill://PDF/A.md', 'PDF', 'A.md'],
    ['skill://my%20skill/a%20b.md', 'my skill', 'a b.md'],
    ['skill://my skill/a b.md', 'my skill', 'a b.md'],
    ['skill://über/%C3%A4.md', 'über', 'ä.md'],
    ['skill://%F0%9F%98%80', '😀', undefined],
    ['skill://team%3Apdf', 'team:pdf', undefined],
    ['skill://me%40home', 'me@home', undefined],
    ['skill://a%2Fb/c', 'a/b', 'c'],
    ['skill://pdf/a%3Fb%23c', 'pdf', 'a?b#c'],
    ['skill://pdf/a@b:c', 'pdf', 'a@b:c'],
    ['skill://pdf/references%2Ftables.md', 'pdf', 'references/tables.md'],
    ['skill://pdf/references%2ftables.md', 'pdf', 'references/tables.md'],
    ['skill://pdf/100%25', 'pdf', '100%'],
    ['skill://pdf/%2525', 'pdf', '%25'],
    ['skill://pdf/a+b', 'pdf', 'a+b'],
    ['skill://pdf/a&b=c;d,e', 'pdf', 'a&b=c;d,e'],
    ['skill://pdf/a\nb', 'pdf', 'a\nb'],
    ['skill://pdf/a%0Ab', 'pdf', 'a\nb'],
    ['skill://[::1]x'.replaceAll(':', '%3A').replace('skill%3A', 'skill:'), '[::1]x', undefined],
    ['skill://-rf/~', '-rf', '~'],
    // Two dots are special as a whole segment alone, and only these two.
    ['skill://pdf/..a', 'pdf', '..a'],
    ['skill://pdf/a..', 'pdf', 'a..'],
    ['skill://pdf/...', 'pdf', '...'],
    ['skill://pdf/.hidden', 'pdf', '.hidden'],
    ['skill://pdf/\uFF0E\uFF0E/x', 'pdf', '\uFF0E\uFF0E/x'],
    ['skill://pdf/\u2025/x', 'pdf', '\u2025/x'],
    ['skill://pdf/.\t./x', 'pdf', '.\t./x'],
    ['skill://pdf/.%09./x', 'pdf', '.\t./x'],
    ['skill://pdf/.\u200B./x', 'pdf', '.\u200B./x'],
    // Decoded once: what is still encoded is an ordinary name.
    ['skill://pdf/%252e%252e/x', 'pdf', '%2e%2e/x'],
    ['skill://pdf/%252e%252e%252fx', 'pdf', '%2e%2e%2fx'],
    ['skill://pdf/%255c..%255cx', 'pdf', '%5c..%5cx'],
    ['skill://pdf/%2500', 'pdf', '%00'],
    ['skill://%252e%252e', '%2e%2e', undefined],
  ])('%j names the skill %j and the path %j', (url, name, path) => {
    expect(parseSkillUrl(url)).toMatchObject({ ok: true, name, path });
  });
});

describe('an invalid skill:// URL', () => {
  test.each([
    // No skill:// URL at all.
    ['', 'must start with skill://'],
    ['pdf', 'must start with skill://'],
    ['skill:pdf', 'must start with skill://'],
    ['skill:/pdf', 'must start with skill://'],
    ['skill:demo/x', 'must start with skill://'],
    ['skills://pdf', 'must start with skill://'],
    ['file:///etc/passwd', 'must start with skill://'],
    ['http://pdf', 'must start with skill://'],
    [' skill://pdf', 'must start with skill://'],
    ['\tskill://pdf', 'must start with skill://'],
    ['s\nkill://pdf', 'must start with skill://'],
    ['skill:\\\\pdf', 'must start with skill://'],
    ['xskill://pdf', 'must start with skill://'],
    // No name, or none that a skill could have.
    ['skill://', 'has no name'],
    ['skill:///', 'has no name'],
    ['skill:///x', 'has no name'],
    ['skill:////etc/passwd', 'has no name'],
    ['skill://..', 'its name leaves the skill'],
    ['skill://../x', 'its name leaves the skill'],
    ['skill://%2e%2e', 'its name leaves the skill'],
    ['skill://%2E%2e/SKILL.md', 'its name leaves the skill'],
    ['skill://.%2e/x', 'its name leaves the skill'],
    ['skill://.', 'its name has an empty segment or "."'],
    ['skill://%2e/x', 'its name has an empty segment or "."'],
    ['skill://..%2f..%2fetc', 'its name leaves the skill'],
    ['skill://%2fetc%2fpasswd', 'its name is absolute'],
    ['skill://pdf%2f..%2fother', 'its name leaves the skill'],
    ['skill://pdf%00', 'its name contains a NUL'],
    ['skill://pdf\0', 'its name contains a NUL'],
    ['skill://pdf\\..\\x', 'its name contains a backslash'],
    ['skill://%5c..', 'its name contains a backslash'],
    ['skill://..\\', 'its name contains a backslash'],
    ['skill://c%3A/x', 'its name is absolute'],
    // Parts of other URLs.
    ['skill://user@pdf/x', 'has a user'],
    ['skill://user:secret@pdf/x', 'has a user'],
    ['skill://@pdf', 'has a user'],
    ['skill://pdf:80/x', 'has a port'],
    ['skill://pdf:/x', 'has a port'],
    ['skill://pdf:80', 'has a port'],
    ['skill://[::1]/x', 'has a port'],
    ['skill://pdf?q', 'has a query'],
    ['skill://pdf/?q', 'has a query'],
    ['skill://pdf/x?', 'has a query'],
    ['skill://pdf/a?/../..', 'has a query'],
    ['skill://pdf#x', 'has a fragment'],
    ['skill://pdf/x#', 'has a fragment'],
    ['skill://pdf/x#/../..', 'has a fragment'],
    // A path that leads out, or nowhere.
    ['skill://pdf/', 'its path is empty'],
    ['skill://pdf//', 'its path is absolute'],
    ['skill://pdf//etc/passwd', 'its path is absolute'],
    ['skill://pdf/%2fetc/passwd', 'its path is absolute'],
    ['skill://pdf/%2Fetc/passwd', 'its path is absolute'],
    ['skill://pdf/C:/x', 'its path is absolute'],
    ['skill://pdf/c%3A%2Fx', 'its path is absolute'],
    ['skill://pdf/references/', 'its path has an empty segment'],
    ['skill://pdf/a//b', 'its path has an empty segment'],
    ['skill://pdf/a%2F%2Fb', 'its path has an empty segment'],
    ['skill://pdf/a%2f', 'its path has an empty segment'],
    ['skill://pdf/.', 'its path has an empty segment or "."'],
    ['skill://pdf/./y', 'its path has an empty segment or "."'],
    ['skill://pdf/a/%2e/b', 'its path has an empty segment or "."'],
    ['skill://pdf/..', 'its path leaves the skill'],
    ['skill://pdf/../x', 'its path leaves the skill'],
    ['skill://pdf/a/../b', 'its path leaves the skill'],
    ['skill://pdf/a/..', 'its path leaves the skill'],
    ['skill://pdf/../pdf/SKILL.md', 'its path leaves the skill'],
    ['skill://pdf/%2e%2e/x', 'its path leaves the skill'],
    ['skill://pdf/%2E%2E/x', 'its path leaves the skill'],
    ['skill://pdf/%2e./x', 'its path leaves the skill'],
    ['skill://pdf/.%2E/x', 'its path leaves the skill'],
    ['skill://pdf/..%2fx', 'its path leaves the skill'],
    ['skill://pdf/a%2f..%2f..%2fx', 'its path leaves the skill'],
    ['skill://pdf/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'its path leaves the skill'],
    ['skill://pdf/..\\x', 'its path contains a backslash'],
    ['skill://pdf/..%5cx', 'its path contains a backslash'],
    ['skill://pdf/%5C', 'its path contains a backslash'],
    ['skill://pdf/a\0.md', 'its path contains a NUL'],
    ['skill://pdf/a%00.md', 'its path contains a NUL'],
    // Not UTF-8: stray bytes, overlong dots and slashes, halves of surrogate pairs.
    ['skill://pdf/%', 'has a % in its path'],
    ['skill://pdf/%2', 'has a % in its path'],
    ['skill://pdf/%zz', 'has a % in its path'],
    ['skill://pdf/%u002e%u002e/x', 'has a % in its path'],
    ['skill://pdf/%ff', 'has a % in its path'],
    ['skill://pdf/%c0%ae%c0%ae/x', 'has a % in its path'],
    ['skill://pdf/%e0%80%ae', 'has a % in its path'],
    ['skill://pdf/..%c0%afx', 'has a % in its path'],
    ['skill://pdf/%c1%9c', 'has a % in its path'],
    ['skill://pdf/%ed%a0%80', 'has a % in its path'],
    ['skill://%ff/x', 'has a % in its name'],
    ['skill://pdf/\uD800', 'contains an unpaired surrogate'],
    ['skill://\uDC00', 'contains an unpaired surrogate'],
  ])('%j is refused: %s', (url, reason) => {
    expect(parseSkillUrl(url)).toMatchObject({
      ok: false,
      code: 'PATH_REFUSED',
      message: expect.stringContaining(
        `the skill:// URL ${reason.startsWith('its') ? `is refused: ${reason}` : reason}`,
      ),
    });
  });

  test('is refused without parsing if it is longer than 16,384 characters', () => {
    const refusal = { ok: false, code: 'PATH_REFUSED', message: 'the skill:// URL is longer than 16384 characters' };
    const prefix = 'skill://pdf/';
    expect(parseSkillUrl(prefix + 'x'.repeat(16_384 - prefix.length))).toMatchObject({ ok: true });
    expect(parseSkillUrl(prefix + 'x'.repeat(16_385 - prefix.length))).toEqual(refusal);
    expect(parseSkillUrl(`skill://${'../'.repeat(10_000_000)}`)).toEqual(refusal);
  });
});

describe('any skill:// URL', () => {
  const pieces = '.. . / \\ %2e %2E %2f %5c %00 %25 % ? # @ : a b.md ä \uFF0E %c0%ae %252e C: ~ -'.split(' ');
  const piece = fc.constantFrom(...pieces, ' ', '\0', '\n', '\uD800');
  const url = fc.array(piece, { maxLength: 12 }).map((pieces) => `skill://${pieces.join('')}`);

  test('is refused, or its path stays inside the skill', () => {
    let accepted = 0;
    const holds = fc.property(
      fc.oneof(
        url,
        fc.string({ unit: 'binary' }).map((text) => `skill://x/${text}`),
      ),
      (given) => {
        const parsed = parseSkillUrl(given);
        if (!parsed.ok) return parsed.code === 'PATH_REFUSED';
        accepted += 1;
        const { name, path = 'SKILL.md' } = parsed;
        expect(join('/skill', path)).toBe(`/skill/${path}`);
        expect(path).not.toMatch(/[\0\\]/);
        return name !== '' && name !== '.' && name !== '..' && !/[\0\\]/.test(name);
      },
    );
    fc.assert(holds, { ...SEED, numRuns: 5_000 });
    expect(accepted).toBeGreaterThan(500);
  });

  test('that is built from a name and a path parses back to both', () => {
    const part = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/^\.{1,2}$|[\0\\/]|^[A-Za-z]:/.test(text));
    const path = fc.option(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
      {
        nil: undefined,
      },
    );
    const holds = fc.property(part, path, (name, given) => {
      expect(parseSkillUrl(formatSkillUrl(name, given))).toEqual({ ok: true, name, path: given });
    });
    fc.assert(holds, { ...SEED, numRuns: 1_000 });
  });

  test('that is built from an impossible name is valid text that matches no skill, and nothing is thrown', () => {
    expect(formatSkillUrl('a\uD800b', 'c d')).toBe('skill://a%EF%BF%BDb/c%20d');
    expect(parseSkillUrl(formatSkillUrl('..'))).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
  });
});
