import { describe, expect, test } from 'vitest';

import { DISCOVERY_SCHEMA, MAX_INDEXED_SKILLS, parseWellKnownIndex, type WellKnownIndex } from './well-known-index.ts';

const NEW = 'https://host.example/docs/.well-known/agent-skills/index.json';
const OLD = 'https://host.example/docs/.well-known/skills/index.json';
const DIGEST = `sha256:${'0a'.repeat(32)}`;
const PDF = { name: 'pdf', description: 'Fill forms.', type: 'archive', url: 'pdf.tar.gz', digest: DIGEST };

function read(index: unknown, url: string = NEW): WellKnownIndex {
  const parsed = parseWellKnownIndex(typeof index === 'string' ? index : JSON.stringify(index), url);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

const readNew = (...skills: readonly unknown[]): WellKnownIndex => read({ $schema: DISCOVERY_SCHEMA, skills });
const readOld = (...skills: readonly unknown[]): WellKnownIndex => read({ skills }, OLD);

/** The example of the discovery RFC, version 0.2.0, as its authors write it. */
test('a well-known index as in the RFC gives its skills, with addresses relative to itself', () => {
  const { skills, problems } = read(`{
    "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    "skills": [
      {
        "name": "code-review",
        "type": "skill-md",
        "description": "Review code for bugs, security issues, and best practices.",
        "url": "/.well-known/agent-skills/code-review/SKILL.md",
        "digest": "${DIGEST}"
      },
      {
        "name": "pdf-processing",
        "type": "archive",
        "description": "Extract text and tables from PDF files, fill forms, merge documents.",
        "url": "pdf-processing.tar.gz",
        "digest": "${DIGEST}",
        "version": "1.2.0",
        "x-unknown": [1]
      },
      { "name": "elsewhere", "type": "archive", "description": "x", "url": "https://cdn.example/a.zip?b=1#c", "digest": "${DIGEST}" }
    ]
  }`);
  expect(problems).toEqual([]);
  expect(skills.map(({ name, version, artifact }) => [name, version, artifact.type, artifact.url])).toEqual([
    ['code-review', undefined, 'skill-md', 'https://host.example/.well-known/agent-skills/code-review/SKILL.md'],
    ['pdf-processing', '1.2.0', 'archive', 'https://host.example/docs/.well-known/agent-skills/pdf-processing.tar.gz'],
    ['elsewhere', undefined, 'archive', 'https://cdn.example/a.zip?b=1'],
  ]);
});

test('a well-known index of the first version lists the files in a folder beside it', () => {
  const { skills, problems } = readOld({ name: 'pdf', description: 'x', files: ['SKILL.md', 'scripts/a b.sh'] });
  expect(problems).toEqual([]);
  expect(skills).toMatchObject([
    {
      name: 'pdf',
      artifact: {
        type: 'files',
        url: 'https://host.example/docs/.well-known/skills/pdf/',
        files: ['SKILL.md', 'scripts/a b.sh'],
      },
    },
  ]);
});

test.each([
  ['an unknown schema', { $schema: 'https://schemas.agentskills.io/discovery/0.3.0/schema.json', skills: [] }, NEW],
  ['no schema where the new version lies', { skills: [] }, NEW],
  ['a schema that is no text', { $schema: 2, skills: [] }, OLD],
])('a well-known index with %s is refused with the reason', (_what, index, url) => {
  const parsed = parseWellKnownIndex(JSON.stringify(index), url);
  expect(parsed).toMatchObject({ ok: false, code: 'PARSE_FAILED', message: expect.stringMatching(/unknown \$schema/) });
});

test.each(['', 'null', '[]', '{}', '{"skills":{}}', '{"skills":', '['.repeat(100_000)])(
  'a text that is not a well-known index is refused (case %#)',
  (text) => {
    expect(parseWellKnownIndex(text, NEW)).toMatchObject({ ok: false, message: 'it is not an index of skills' });
  },
);

describe('an unusable entry of a well-known index', () => {
  test.each([
    [{ ...PDF, type: 'folder' }, 'pdf has the unknown type "folder"'],
    [{ ...PDF, type: undefined }, 'pdf has the unknown type missing'],
    [{ ...PDF, digest: undefined }, 'pdf has no digest'],
    [{ ...PDF, digest: `sha512:${'0a'.repeat(64)}` }, 'pdf has no digest'],
    [{ ...PDF, digest: DIGEST.toUpperCase() }, 'pdf has no digest'],
    [{ ...PDF, url: undefined }, 'pdf has no usable url: missing'],
    [{ ...PDF, url: 'http://host.example/x' }, 'pdf has no usable url'],
    [{ ...PDF, url: 'file:///etc/passwd' }, 'pdf has no usable url'],
    [{ ...PDF, url: 'data:,x' }, 'pdf has no usable url'],
    [{ ...PDF, url: 'https://me:secret@host.example/x' }, 'pdf has no usable url'],
    [{ ...PDF, name: '../x' }, '"../x" is not the name of a skill'],
    [{ ...PDF, name: 'a/b' }, '"a/b" is not the name of a skill'],
    [{ ...PDF, name: '' }, '"" is not the name of a skill'],
    [{ ...PDF, name: 7 }, '7 is not the name of a skill'],
    ['pdf', 'an entry is "pdf" instead of a skill'],
    [null, 'an entry is null instead of a skill'],
  ])('is reported, and the others stay: %j', (entry, problem) => {
    const { skills, problems } = readNew(entry, { ...PDF, name: 'other' });
    expect(skills.map(({ name }) => name)).toEqual(['other']);
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    [{ name: 'pdf', files: ['SKILL.md', '../x'] }, 'names a file outside its folder'],
    [{ name: 'pdf', files: ['/etc/passwd'] }, 'names a file outside its folder'],
    [{ name: 'pdf', files: ['a\\b'] }, 'names a file outside its folder'],
    [{ name: 'pdf', files: [] }, 'lists no files'],
    [{ name: 'pdf', files: ['SKILL.md', 1] }, 'lists no files'],
    [{ name: 'pdf' }, 'lists no files'],
  ])('is reported in an index of the first version: %j', (entry, problem) => {
    expect(readOld(entry).problems).toEqual([expect.stringContaining(problem)]);
  });

  test('is reported if its name is listed twice', () => {
    const { skills, problems } = readNew(PDF, { ...PDF, url: 'other.zip' });
    expect([skills.length, problems]).toEqual([1, ['pdf is listed twice']]);
  });

  test('is reported if it is beyond the first 10,000', () => {
    const many = Array.from({ length: MAX_INDEXED_SKILLS + 1 }, (_, at) => ({ ...PDF, name: `s${at}` }));
    const { skills, problems } = readNew(...many);
    expect(skills).toHaveLength(MAX_INDEXED_SKILLS);
    expect(problems).toEqual(['there are 10001 skills; only the first 10000 are read']);
  });
});
