import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { HARMLESS_FILES, SECRET_FILES } from '../../test/support/secret-files.ts';
import { makeTree, skillText } from '../../test/support/tree.ts';
import type { Outcome } from '../model/outcome.ts';
import { packFiles } from '../parse/archives/pack-files.ts';
import { pack } from './pack.ts';
import { receiveSkill } from './receive-skill.ts';
import { publishSkills } from './site/publish-site.ts';

const MANIFEST = skillText({ name: 'pdf', description: 'Fill in forms.' }, '# PDF\n');

interface Given {
  readonly root: string;
  readonly files: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
}

/** Every way by which the files of a skill get to others. */
const DOORS: Readonly<Record<string, (given: Given) => Promise<Outcome>>> = {
  pack: async ({ root, allow }) => pack(join(root, 'pdf'), { to: join(root, 'out'), allow }),
  'publish to a site': ({ root, allow }) => publishSkills([join(root, 'pdf')], { to: join(root, 'out'), allow }),
  'receive an archive': ({ files, allow }) => {
    const contents = Object.entries({ ...files, 'SKILL.md': MANIFEST });
    const archive = packFiles(
      contents.map(([path, text]) => ({ path, executable: false, bytes: Buffer.from(text) })),
      'skill',
    );
    return receiveSkill(archive.bytes, { allow });
  },
};

function open(files: Readonly<Record<string, string>>, allow: readonly string[] = []): Given {
  const tree = Object.entries(files).map(([path, text]) => [`pdf/${path}`, text]);
  return { root: makeTree({ ...Object.fromEntries(tree), 'pdf/SKILL.md': MANIFEST }), files, allow };
}

describe.each(Object.keys(DOORS))('%s', (door) => {
  const give = (given: Given): Promise<Outcome> => DOORS[door]?.(given) ?? Promise.reject(new Error(door));

  test.each(Object.keys(SECRET_FILES))('refuses a skill with %s, names it and writes nothing', async (path) => {
    const given = open({ [path]: SECRET_FILES[path] ?? '' });
    const refused = await give(given);
    expect(refused).toMatchObject({ ok: false, code: 'AUDIT_REFUSED', message: expect.stringContaining(path) });
    expect(existsSync(join(given.root, 'out')) ? readdirSync(join(given.root, 'out')) : []).toEqual([]);
  });

  test('names every file with a secret, up to twenty, and nothing of the secret', async () => {
    const files = Object.fromEntries(Object.entries(SECRET_FILES).slice(0, 20));
    const refused = await give(open(files));
    if (refused.ok) throw new Error('it was not refused');
    for (const path of Object.keys(files)) expect(refused.message).toContain(path);
    expect(JSON.stringify(refused)).not.toMatch(/correct-horse|c1d2e3f4a5b6|GOCSPX-k1d9sQ|b3BlbnNzaC1rZXkt/);
  });

  test('takes files of such names that hold nothing secret', async () => {
    expect(await give(open(HARMLESS_FILES))).toMatchObject({ ok: true });
  });

  test('takes a secret whose rule is allowed, by id or name', async () => {
    expect(await give(open({ '.env': 'A=b\n' }, ['SP713']))).toMatchObject({ ok: true });
    expect(await give(open({ '.env': 'A=b\n' }, ['secret-file']))).toMatchObject({ ok: true });
    expect(await give(open({ '.env': 'A=b\n' }, ['SP501']))).toMatchObject({ ok: false });
  });
});
