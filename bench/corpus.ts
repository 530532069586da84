import { basename, join } from 'node:path';

import { toPlain } from '../src/parse/fields.ts';
import { normalizeText, splitFrontmatter } from '../src/parse/frontmatter.ts';
import { parseSkill } from '../src/parse/parse-skill.ts';
import { examineYaml } from '../src/parse/yaml/examine-yaml.ts';
import { readMapping } from '../src/parse/yaml/read-yaml.ts';
import { CORPUS, explainSkip, readLines, type RealFile } from './real-skills.ts';
import type { Section } from './table.ts';

/** Reads real skills with all their faults, and counts what became of them. */
export function measureCorpus(): Section | string {
  const skip = explainSkip('corpus');
  if (skip !== undefined) return skip;
  const counts = CORPUS.map((path) => ({ name: basename(path), ...count(readLines(path)) }));
  for (const { unread } of counts) for (const line of unread) console.log(`not read: ${line}`);
  return {
    title: 'Real skills',
    note: 'Every file ends as a skill or a diagnostic; none throws. "js-yaml reads" is how many files need neither the slower parser nor repair; where both parsers read a file, they must not differ.',
    columns: [
      'corpus',
      'files',
      'with frontmatter',
      'strict YAML fails',
      'skills',
      'of those with frontmatter',
      'thrown',
      'js-yaml reads',
      'differs',
    ],
    rows: counts.map((row) => [
      row.name,
      String(row.files),
      String(row.withFrontmatter),
      String(row.strictFails),
      String(row.skills),
      `${((100 * row.skillsWithFrontmatter) / row.withFrontmatter).toFixed(2)} %`,
      String(row.thrown),
      `${((100 * row.valid) / row.withFrontmatter).toFixed(1)} %`,
      String(row.differs),
    ]),
  };
}

function count(files: readonly RealFile[]) {
  const result = {
    files: files.length,
    withFrontmatter: 0,
    strictFails: 0,
    skills: 0,
    skillsWithFrontmatter: 0,
    thrown: 0,
    valid: 0,
    differs: 0,
  };
  const unread: string[] = [];
  for (const { path, text } of files) {
    const split = splitFrontmatter(normalizeText(text));
    const hasFrontmatter = split.kind !== 'none';
    if (hasFrontmatter) {
      const strict = examineYaml(split.yaml);
      const valid = readMapping(split.yaml);
      result.withFrontmatter += 1;
      if (strict.map === undefined || strict.faults.length > 0) result.strictFails += 1;
      if (valid !== undefined) result.valid += 1;
      if (valid !== undefined && !isEqual(toPlain(valid), strict.map === undefined ? undefined : toPlain(strict.map)))
        result.differs += 1;
    }
    try {
      const parsed = parseSkill(text, { dir: join('/', path, '..') });
      if (parsed.ok) {
        result.skills += 1;
        if (hasFrontmatter) result.skillsWithFrontmatter += 1;
      } else unread.push(`${path}: ${parsed.diagnostics.map((diagnostic) => diagnostic.message).join('; ')}`);
    } catch (error) {
      result.thrown += 1;
      unread.push(`${path}: threw ${String(error)}`);
    }
  }
  return { ...result, unread };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
