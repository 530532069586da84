import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generateSkills } from './generate.ts';
import { CORPUS, readLines, type RealFile } from './real-skills.ts';

/** The kind of skills that a bench runs on: real ones if there is a corpus. */
export const KIND: 'real' | 'generated' = CORPUS.length > 0 ? 'real' : 'generated';

/** Writes `count` skills below `root`: the corpus, repeated under other names, or generated skills. */
export function writeSkills(root: string, count: number): void {
  if (KIND === 'generated') return generateSkills(root, count);
  const files = readCorpus();
  for (let at = 0; at < count; at += 1) {
    const { path, text } = files[at % files.length] ?? { path: '', text: '' };
    const folder = path.split('/').at(-2) ?? 'skill';
    const name = `${folder.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 40)}-${at}`;
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'SKILL.md'), text.replace(/^(name:[ \t]*)[^\r\n]*/m, `$1${name}`));
  }
}

let corpus: readonly RealFile[] | undefined;

function readCorpus(): readonly RealFile[] {
  return (corpus ??= CORPUS.flatMap((path) => readLines(path)));
}
