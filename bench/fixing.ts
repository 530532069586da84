import { basename, dirname, join } from 'node:path';

import { fixText } from '../src/author/fix-text.ts';
import { validateText } from '../src/author/validate-text.ts';
import { parseSkill } from '../src/parse/parse-skill.ts';
import { CORPUS, explainSkip, readLines, type RealFile } from './real-skills.ts';
import type { Section } from './table.ts';

/** Fixes real skills and counts the results. */
export function measureFixing(): Section | string {
  const skip = explainSkip('fixing');
  if (skip !== undefined) return skip;
  return {
    title: 'Fixing real skills',
    note: '`fix` over every file. The result must be as valid as before, must not change in a second run, and must load with the same instructions and description.',
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
    rows: CORPUS.flatMap((path) => {
      const files = readLines(path);
      return [false, true].map((spec) => [
        basename(path),
        spec ? '--spec' : 'ours',
        ...Object.values(countFixed(files, spec)).map(String),
      ]);
    }),
  };
}

/** In the order of the columns. */
export function countFixed(files: readonly RealFile[], spec: boolean) {
  const counts = { invalid: 0, becameValid: 0, changed: 0, madeInvalid: 0, unstable: 0, altered: 0 };
  for (const { path, text } of files) {
    const dir = join('/', dirname(path));
    const fixed = fixText(text, dir, { spec }).text;
    const isValid = validateText(dir, fixed, { spec }).ok;
    if (validateText(dir, text, { spec }).ok) counts.madeInvalid += isValid ? 0 : 1;
    else {
      counts.invalid += 1;
      counts.becameValid += isValid ? 1 : 0;
    }
    if (fixed === text) continue;
    counts.changed += 1;
    if (fixText(fixed, dir, { spec }).text !== fixed) counts.unstable += 1;
    const [was, is] = [parseSkill(text, { dir }), parseSkill(fixed, { dir })];
    const isSame = was.ok && is.ok && was.body === is.body && was.skill.description === is.skill.description;
    if (!isSame) counts.altered += 1;
  }
  return counts;
}
