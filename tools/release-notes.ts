/**
 * Prints the section of a version in CHANGELOG.md, without its heading: `node tools/release-notes.ts v0.1.0`. Fails if there is none,
 * or if it is empty.
 */
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const heading = `## [${tag.replace(/^v/, '')}]`;
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
const [first = '', ...lines] = sections.find((section) => section.startsWith(heading))?.split('\n') ?? [];
const notes = lines.join('\n').trim();

if (notes === '') {
  console.error(`CHANGELOG.md has ${first === '' ? 'no section' : 'nothing'} under "${heading}".`);
  process.exitCode = 1;
} else console.log(notes);
