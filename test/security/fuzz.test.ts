import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseSkillUrl } from '../../src/activate/skill-url.ts';
import { readAnswer } from '../../src/agent/reflection-model.ts';
import { renderTurn } from '../../src/agent/turn-record.ts';
import { parseLock } from '../../src/config/lock-file.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { extractStatements } from '../../src/ctx/extract-statements.ts';
import { parseStatement } from '../../src/ctx/parse-statement.ts';
import { printStatement } from '../../src/ctx/print-statement.ts';
import { renderInlinedSkill } from '../../src/disclose/formats/inlined-skill.ts';
import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { Session } from '../../src/hosts/history/session.ts';
import { parseRepositoryUrl } from '../../src/install/origins/repository-url.ts';
import { parseJson } from '../../src/model/json.ts';
import { findPathFault } from '../../src/model/path-fault.ts';
import { findInvisible } from '../../src/parse/invisible.ts';
import { parseSkill } from '../../src/parse/parse-skill.ts';
import { validateFolder } from '../../src/parse/strict/validate.ts';
import { hashWords } from '../../src/select/ranking/request-words.ts';
import type { UsageEvents } from '../../src/usage/usage-store.ts';
import { tar, zip } from '../support/archives.ts';
import { examineBytes } from '../support/audited.ts';
import { hostileText } from '../support/hostile-text.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { damagedYaml, yamlish } from '../support/yaml-text.ts';

/** The same cases in every run. A case that failed once is kept in `corpus/`, where every run begins. */
const SEED = 20_261_116;
const CORPUS = join(import.meta.dirname, 'corpus');

/** Everything that is wrong with the result for an input; throwing is wrong, too. */
type Check = (input: Buffer) => readonly unknown[];

/** Checks the kept cases of a kind, each with small damage, and then made-up ones. */
function fuzz(kind: string, made: fc.Arbitrary<string | Uint8Array>, findFaults: Check): void {
  const kept = readdirSync(join(CORPUS, kind)).map((name) => ({ name, bytes: readFileSync(join(CORPUS, kind, name)) }));
  describe(`${kind} made to break its reader`, () => {
    test.each(kept)('does no harm: the kept case $name', ({ bytes }) => {
      expect(findFaults(bytes)).toEqual([]);
      fc.assert(
        fc.property(damage(bytes), (input) => {
          expect(findFaults(input)).toEqual([]);
        }),
        { seed: SEED, numRuns: 25 },
      );
    });

    test('does no harm: generated cases', () => {
      fc.assert(
        fc.property(made, (input) => {
          expect(findFaults(Buffer.from(input))).toEqual([]);
        }),
        { seed: SEED, numRuns: 200 },
      );
    });
  });
}

/** The bytes with a part cut out, doubled or overwritten. */
function damage(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat({ max: Math.max(0, bytes.length - 1) });
  return fc
    .tuple(place, fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 6 }), fc.boolean())
    .map(([at, length, put, keeps]) => {
      const tail = bytes.subarray(keeps ? at : at + length);
      return Buffer.concat([bytes.subarray(0, at), put, tail]);
    });
}

const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(...parts), { maxLength: 8 }).map((pieces) => pieces.join(''));

fuzz(
  'frontmatter',
  fc.oneof(
    yamlish().map((yaml) => `---\n${yaml}\n---\n`),
    damagedYaml().map((yaml) => `---\n${yaml}\n---\nBody`),
    hostileText(),
    fc.uint8Array({ maxLength: 200 }),
  ),
  (input) => {
    const parsed = parseSkill(input, { dir: '/skills/demo' });
    const isValid = validateFolder(memoryFolder({ 'SKILL.md': input })).ok;
    if (!parsed.ok) return isValid ? ['valid, but not loaded'] : [];
    const shown = renderInlinedSkill({ name: parsed.skill.name, text: parsed.body });
    const closings = shown.match(/<\/skill>/gi)?.length;
    return [...findInvisible(shown), ...(closings === 1 ? [] : [shown])];
  },
);

/** Leads out of a folder, on some system. */
const OUTSIDE = /^\/|\0|(?:^|[/\\])\.\.(?:[/\\]|$)/;

fuzz(
  'lock',
  joined(
    yamlish(),
    hostileText(),
    fc.constantFrom('version: 1\n', 'skills:\n', '  demo:\n', '    url: x\n', '    files: []\n'),
  ),
  (input) => {
    const parsed = parseLock(input.toString());
    if (!parsed.ok) return parsed.line > 0 ? [] : [parsed];
    const places = parsed.skills.flatMap(({ name, path, files }) => [name, path, ...files.map((file) => file.path)]);
    return places.filter((place) => OUTSIDE.test(place));
  },
);

fuzz(
  'config',
  joined(yamlish(), hostileText(), fc.constantFrom('skills:\n', '  disabled: ', '  pinned: ', '[a]\n')),
  (input) => {
    const parsed = parseConfig(input.toString());
    if (!parsed.ok) return parsed.message === '' ? [parsed] : [];
    return parsed.faults.filter(({ line }) => line < 1);
  },
);

fuzz(
  'ctx',
  joined(hostileText(), fc.constantFrom('?s ', '+s ', '!s ', 'demo', '"', ' {', '}', ':', '\n', ' --')),
  (input) => {
    const text = input.toString();
    const { statements, prose } = extractStatements(text);
    const lines = statements.length + (prose === '' ? 0 : prose.split('\n').length);
    const parsed = parseStatement(text);
    const again = parsed.ok ? parseStatement(printStatement(parsed.statement)) : parsed;
    return [...(isDeepStrictEqual(again, parsed) ? [] : [again]), ...(lines > text.split('\n').length ? [prose] : [])];
  },
);

const entryName = fc.oneof(
  hostileText(),
  fc.constantFrom('a/SKILL.md', '../x', '/etc/passwd', 'a\\b', 'C:/x', 'a'.repeat(300)),
);
const entry = { name: entryName, content: hostileText() };
const tarEntry = { ...entry, type: fc.constantFrom('0', '1', '2', '5', 'x', 'L') };

fuzz(
  'archive',
  fc.oneof(
    fc.array(fc.record(entry), { maxLength: 4 }).map(zip).chain(damage),
    fc.array(fc.record(tarEntry), { maxLength: 4 }).map(tar).chain(damage),
    fc.uint8Array({ maxLength: 600 }),
  ),
  (input) =>
    ['a.zip', 'a.tar', 'a.tgz', 'notes.md']
      .flatMap((file) => examineBytes(file, input))
      .flatMap(({ excerpt }) => findInvisible(excerpt ?? '')),
);

fuzz(
  'url',
  joined(
    hostileText(),
    fc.constantFrom('skill://', 'https://', 'file://', 'ssh://', '@', ':', '..', '%2e', '%2F', '/', '?', '#', 'demo'),
  ),
  (input) => {
    const text = input.toString();
    const url = parseSkillUrl(text);
    const parts = url.ok ? [url.name, url.path ?? 'none'] : [];
    const address = parseRepositoryUrl(text);
    const isOdd = address.ok && address.kind !== 'directory' && /^-|[\0-\x20]|\.\.\//.test(address.url);
    return [...parts.filter((part) => findPathFault(part) !== undefined), ...(isOdd ? [address] : [])];
  },
);

fuzz('transcript', hostileText(), (input) => {
  const text = input.toString();
  const toolCalls = [{ name: text, args: { [text]: text }, output: text }];
  const lines = renderTurn({ request: text, toolCalls, answer: text })
    .split('\n')
    .map((line): object => JSON.parse(line));
  const kinds = lines.map((line) => Object.keys(line)[0]).join(' ');
  const values = lines.flatMap((line): unknown[] => Object.values(line)).filter((value) => typeof value === 'string');
  const answers = [text, { text, toolCalls: text }, { toolCalls: [{ name: text, args: text }] }, { toolCalls: [text] }];
  const broken = answers.map((answer) => readAnswer(answer, 1)).filter((read) => !read.ok && read.message === '');
  return [
    ...values.flatMap((value) => findInvisible(value)),
    ...broken,
    ...(kinds === 'request call answer' ? [] : [kinds]),
  ];
});

/** Keys and values that readers of histories look for, in any places. */
const { tree: historyLine } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText(),
    fc.constantFrom(
      'assistant',
      'user',
      'response_item',
      'message',
      'Skill',
      'exec',
      '<skill>\n<name>a</name>',
      0,
      null,
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('type', 'message', 'content', 'payload', 'data', 'id', 'uuid', 'name', 'input', 'skill', 'text'),
      tie('tree'),
      { maxKeys: 5 },
    ),
  ),
}));

/** The events that the readers of all hosts find in a line of their transcripts. */
function readHistory(line: string): readonly UsageEvents[] {
  const value = parseJson(line);
  const found: UsageEvents[] = [];
  for (const { id: host, history } of value === undefined ? [] : Object.values(HOSTS)) {
    const emit = ({ events }: { readonly events: readonly UsageEvents[] }): unknown => found.push(...events);
    const context = { host, team: '', changedAt: 1_000, projectOf: (cwd: string) => cwd, emit, toWords: hashWords };
    const session = new Session(context);
    if (history.kind === 'lines') history.read(value, session);
    else history.read({ id: 'a', session: 's', cwd: '/', changed: 1, role: 'user', data: value }, session);
    // Calls that wait for their results are uses at last.
    const later = new Session(context, JSON.parse(JSON.stringify(session.state)));
    for (const { id } of session.state.calls) later.settle(id, true);
  }
  return found;
}

fuzz(
  'history',
  fc.oneof(
    historyLine.map((line) => JSON.stringify(line)),
    hostileText(),
  ),
  (input) => {
    const odd = readHistory(input.toString()).filter(
      ({ skills, at, count = 1 }) =>
        skills.length === 0 ||
        skills.some((skill) => skill === '' || skill.length > 256) ||
        !Number.isSafeInteger(at) ||
        !(count > 0),
    );
    return 'polluted' in {} ? ['polluted'] : odd;
  },
);

describe('a history that is made to be slow', () => {
  const LONG = 2 ** 24;
  const message = (text: string): object => ({
    type: 'response_item',
    payload: { type: 'message', role: 'developer', id: 'm', content: [{ text: `<skills_instructions>\n${text}` }] },
  });
  const call = (cmd: string): object => ({
    type: 'response_item',
    payload: { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: JSON.stringify({ cmd }) },
  });
  const script = (input: string): object => ({
    type: 'response_item',
    payload: { type: 'custom_tool_call', call_id: 'c', name: 'exec', input },
  });
  const prompt = (content: string): object => ({ type: 'system.message', id: 'a', data: { content } });

  test.each([
    ['a word without an end', call(`cat "${'a'.repeat(LONG)}`)],
    ['a script without an end', script(`cmd: "${'a'.repeat(LONG)}`)],
    ['a list whose entry names files again and again', message(`- a:${' (file: r0/'.repeat(2 ** 16)}`)],
    ['a list that begins again and again', prompt('<available_skills>'.repeat(2 ** 16))],
  ])('is read in time despite %s', (_, line) => {
    expect(readHistory(JSON.stringify(line))).toEqual([]);
  });
});
