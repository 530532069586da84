import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { mendText } from '../src/author/mend-text.ts';
import { validateText } from '../src/author/new-errors.ts';
import { parseSkill } from '../src/parse/parse-skill.ts';
import { CORPUS, readLines, type RealFile } from './corpus.ts';
import type { Section } from './table.ts';

/** Mends real skills, and counts what became of them. */
export function measureMending(): Section | string {
  if (!existsSync(CORPUS)) return `mending: skipped, there is no ${CORPUS}`;
  const names = readdirSync(CORPUS).filter((name) => name.endsWith('.jsonl.gz'));
  return {
    title: 'Mending real skills',
    note: '`fix` over every file. What it makes of them must be as valid as before, the same a second time, and leave instructions and descriptions as loading reads them.',
    columns: [
      'corpus',
      'mode',
      'invalid',
      'valid after fix',
      'changed',
      'made invalid',
      'not the same twice',
      'instructions changed',
    ],
    rows: names.flatMap((name) => {
      const files = readLines(join(CORPUS, name));
      return [false, true].map((spec) => [
        name,
        spec ? '--spec' : 'ours',
        ...Object.values(countMended(files, spec)).map(String),
      ]);
    }),
  };
}

/** In the order of the columns. */
export function countMended(files: readonly RealFile[], spec: boolean) {
  const counts = { invalid: 0, becameValid: 0, changed: 0, madeInvalid: 0, unstable: 0, altered: 0 };
  for (const { path, text } of files) {
    const dir = join('/', dirname(path));
    const mended = mendText(text, dir, { spec }).text;
    const isValid = validateText(dir, mended, { spec }).ok;
    if (validateText(dir, text, { spec }).ok) counts.madeInvalid += isValid ? 0 : 1;
    else {
      counts.invalid += 1;
      counts.becameValid += isValid ? 1 : 0;
    }
    if (mended === text) continue;
    counts.changed += 1;
    if (mendText(mended, dir, { spec }).text !== mended) counts.unstable += 1;
    const [was, is] = [parseSkill(text, { dir }), parseSkill(mended, { dir })];
    const isSame = was.ok && is.ok && was.body === is.body && was.skill.description === is.skill.description;
    if (!isSame) counts.altered += 1;
  }
  return counts;
}
