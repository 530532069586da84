import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { agentTools } from '../src/agent/agent-tools.ts';
import { forAgent } from '../src/agent/for-agent.ts';
import { toAnthropicTool } from '../src/agent/tool-formats.ts';
import { visibleSkills } from '../src/agent/visible-skills.ts';
import { findWhen } from '../src/disclose/description-parts.ts';
import { CHARACTERS_PER_TOKEN, estimateTokens } from '../src/disclose/tokens.ts';
import { openSkills, type Skills } from '../src/engine/open-skills.ts';
import { writeInstructions } from '../src/mcp/instructions.ts';
import { toEntry } from './engines.ts';
import { PEER_LISTS } from './peer-lists.ts';
import { explainSkip, OUR_REQUESTS, readLines, REQUESTS, VENDOR, type RealFile } from './real-skills.ts';
import type { Request } from './retrieval.ts';
import { withScratch } from './scratch.ts';
import { renderSection, type Section } from './table.ts';

const SIZES = [20, 72, 300, 1_000];
/** Per size. */
const MOST_REQUESTS = 300;
/** A part that says when to use the skill is lost if less than this is left of it, in characters. */
const LEAST_WHEN = 15;

/** Every text about skills that a model reads, at four sizes: its cost, and what it still says. */
export async function measureModelTexts(): Promise<string> {
  const skip = explainSkip('model-texts', [VENDOR]);
  if (skip !== undefined) return skip;
  const requests = existsSync(REQUESTS) ? readLines<Request>(REQUESTS) : [];
  const files = readLines(VENDOR);
  const measured = [];
  for (const size of SIZES) measured.push(await withScratch((dir) => measureLibrary(dir, files, requests, size)));
  const sections: readonly Section[] = [
    {
      title: 'Lists that models read',
      note: `Real skills without history; "skills" are those that models may see. Budget 4,000 tokens of 4 characters, MCP instructions 1,000. Per skill: description whole, cut, name only, missing. "When": descriptions that say when to use the skill, and how many of them still do, by at least ${LEAST_WHEN} characters. Right in 3: plain BM25 over the words that are shown, for real requests that one of the skills serves; a model reads better than that. ${OUR_REQUESTS}`,
      columns: ['skills', 'text', 'tokens', 'whole / cut / name only / missing', 'when', 'right in 3'],
      rows: measured.flatMap(({ lists }) => lists),
    },
    {
      title: 'Lists made for a message',
      note: `The right skill stands in \`skills.prompt()\` with its whole description, or with any; and it is right in 3 by the words that are shown. ${OUR_REQUESTS}`,
      columns: ['skills', 'requests', '', 'tokens', 'whole', 'described', 'right in 3'],
      rows: measured.flatMap(({ prompts }) => prompts),
    },
    {
      title: 'Tools and answers that models read',
      note: `Tokens. The definitions are in the form of the Anthropic API. Right in 3 is the right skill among the first three that \`search_skills\` names. ${OUR_REQUESTS}`,
      columns: ['skills', 'three basic tools', 'six tools', 'a search answer (mean)', 'longest', 'right in 3'],
      rows: measured.map(({ tools }) => tools),
    },
    {
      title: 'Lists of others',
      note: `The same skills in the lists of other frameworks, rendered here in the form that these versions of their packages have. They have no budget, so each is measured whole, and what is left of it in 4,000 tokens. ${OUR_REQUESTS}`,
      columns: ['skills', 'list', 'tokens', 'whole / cut / name only / missing', 'when', 'right in 3'],
      rows: measured.flatMap(({ peers }) => peers),
    },
    {
      title: 'Texts for models before and after',
      note: 'At 72 real skills. Before: as measured when these texts were first examined, on a library of the same size; whole lists with paths, cut from the front, five skills for an agent, ten results with scores.',
      columns: ['', 'before', 'after'],
      rows: compareWithBefore(measured[SIZES.indexOf(72)]),
    },
    {
      title: 'Goals of texts for models',
      note: 'Descriptions that still say when to use the skill, in `prompt()` without a message; tokens of the definitions of three tools and of a search answer, at every size.',
      columns: ['goal', 'wanted', 'measured', 'reached'],
      rows: judgeGoals(measured),
    },
  ];
  return sections.map(renderSection).join('\n').trimEnd();
}

/** The figures of one size. The columns of its rows are those of the sections. */
interface Measured {
  readonly lists: readonly (readonly string[])[];
  readonly prompts: readonly (readonly string[])[];
  readonly tools: readonly string[];
  readonly peers: readonly (readonly string[])[];
}

/** The cell of a list, by the name of the list. */
function cellOf({ lists }: Pick<Measured, 'lists'>, name: string, column: 'tokens' | 'when'): string {
  return lists.find(([, list]) => list === name)?.[column === 'tokens' ? 2 : 4] ?? '';
}

function compareWithBefore(measured: Measured | undefined): readonly (readonly string[])[] {
  if (measured === undefined) return [];
  const [, message] = measured.prompts;
  return [
    ['`prompt()`: when-parts', '19 of 52', cellOf(measured, '`prompt()`', 'when')],
    ['`forAgent().system`: when-parts', '4 of 52', cellOf(measured, '`forAgent().system`', 'when')],
    ['MCP instructions: when-parts', '5 of 52', cellOf(measured, 'MCP instructions', 'when')],
    ['the right skill whole in the prompt (after: made for the message)', '35 %', message?.[4] ?? ''],
    ['three basic tools, tokens', '921', measured.tools[1] ?? ''],
    ['a search answer, tokens', '886', measured.tools[3] ?? ''],
  ];
}

const WANTED_WHEN: readonly (readonly [size: number, share: number, wanted: string])[] = [
  [72, 1, 'all (52 of 52)'],
  [300, 125 / 242, '52 % (125 of 242)'],
];
const MOST_TOOL_TOKENS = 350;
const MOST_SEARCH_TOKENS = 160;

function judgeGoals(measured: readonly Measured[]): readonly (readonly string[])[] {
  const say = (isReached: boolean): string => (isReached ? 'yes' : 'no');
  const whens = WANTED_WHEN.map(([size, share, wanted]) => {
    const row = measured[SIZES.indexOf(size)];
    const told = row === undefined ? '' : cellOf(row, '`prompt()`', 'when');
    const [kept = 0, all = 0] = told.split(' of ').map(Number);
    return [`when-parts at ${size}`, wanted, told, say(all > 0 && kept / all >= share)];
  });
  const tools = Math.max(...measured.map((row) => Number(row.tools[1])));
  const answers = Math.max(...measured.map((row) => Number(row.tools[3])));
  return [
    ...whens,
    ['three basic tools', `at most ${MOST_TOOL_TOKENS}`, String(tools), say(tools <= MOST_TOOL_TOKENS)],
    ['a search answer (mean)', `at most ${MOST_SEARCH_TOKENS}`, String(answers), say(answers <= MOST_SEARCH_TOKENS)],
  ];
}

interface Asked {
  readonly query: string;
  readonly right: ReadonlySet<string>;
}

async function measureLibrary(
  dir: string,
  files: readonly RealFile[],
  requests: readonly Request[],
  size: number,
): Promise<Measured> {
  const wantedPaths = requests.flatMap(({ gold }) => gold);
  const names = writeLibrary(join(dir, 'skills'), files, wantedPaths, size);
  const env = { HOME: dir, PATH: '/usr/bin:/bin' };
  await using skills = await openSkills({ dirs: [join(dir, 'skills')], cwd: dir, home: dir, env });
  const known = new Set(visibleSkills(skills).map(({ name }) => name));
  const asked = spread(
    requests.flatMap(({ query, gold }): readonly Asked[] => {
      const right = gold.flatMap((path) => names.get(path) ?? []).filter((name) => known.has(name));
      return right.length === 0 ? [] : [{ query, right: new Set(right) }];
    }),
    MOST_REQUESTS,
  );
  const count = String(known.size);
  return {
    lists: (await writeLists(skills)).map(([name, text]) => [count, name, ...judgeList(skills, text, asked)]),
    prompts: (await judgePrompts(skills, asked)).map((row) => [count, String(asked.length), ...row]),
    tools: [count, ...(await judgeTools(skills, asked))],
    peers: Object.entries(PEER_LISTS).flatMap(([name, write]) => {
      const text = write(
        visibleSkills(skills).map((skill) => ({
          ...skill,
          description: skill.description.replaceAll(/\s+/g, ' ').trim(),
        })),
      );
      const room = CHARACTERS_PER_TOKEN * 4_000;
      const cut = text.length <= room ? [] : [[`${name}, the first 4,000 tokens`, text.slice(0, room)] as const];
      return [[name, text] as const, ...cut].map(([list, shown]) => [count, list, ...judgeList(skills, shown, asked)]);
    }),
  };
}

async function writeLists(skills: Skills): Promise<readonly (readonly [string, string])[]> {
  const agent = await forAgent(skills);
  const formats = ['xml', 'markdown', 'index', 'json'] as const;
  return [
    ['`prompt()`', await skills.prompt()],
    ...(await Promise.all(
      formats.map(async (format) => [`format \`${format}\``, await skills.prompt({ format })] as const),
    )),
    ['`forAgent().system`', agent.ok ? agent.system : ''],
    ['MCP instructions', await writeInstructions(skills)],
    ['MCP instructions for Claude Code', await writeInstructions(skills, { client: 'claude-code' })],
    ['everything, whole', await skills.prompt({ format: 'xml', budget: 10_000_000 })],
  ];
}

function judgeList(skills: Skills, text: string, asked: readonly Asked[]): readonly string[] {
  const shown = readShown(text);
  const visible = visibleSkills(skills);
  const depths = visible.map(({ name, description, brief }) => {
    const told = shown.get(name);
    if (told === undefined) return 'missing';
    if (told === '') return 'name';
    return plain(told) === plain(description || brief) ? 'whole' : 'cut';
  });
  const saying = visible.filter(({ description }) => findWhen(description) !== undefined);
  const kept = saying.filter(({ name }) => {
    const told = shown.get(name) ?? '';
    const when = findWhen(told);
    return when !== undefined && told.length - when.end >= LEAST_WHEN;
  });
  return [
    String(estimateTokens(text)),
    (['whole', 'cut', 'name', 'missing'] as const)
      .map((kind) => depths.filter((one) => one === kind).length)
      .join(' / '),
    `${kept.length} of ${saying.length}`,
    rightInThree(shown, asked),
  ];
}

/** Reads the skills out of any of the lists, with the text that is shown of each; empty if only its name is. */
function readShown(text: string): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  if (text.startsWith('{')) {
    // Written by our own format.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { skills, others = [] } = JSON.parse(text) as {
      skills: { name: string; description: string }[];
      others?: string[];
    };
    return new Map([
      ...skills.map(({ name, description }) => [name, description] as const),
      ...others.map((name) => [name, ''] as const),
    ]);
  }
  for (const [, name = '', description = ''] of text.matchAll(
    /<name>(.*?)<\/name>\n\s*<description>(.*?)<\/description>/g,
  ))
    shown.set(unescape(name), unescape(description));
  for (const [, listed = ''] of text.matchAll(
    /(?:^- (?:\*\*)?by name only(?:\*\*)?: |^Skills: |<other_skills>)(.*?)(?:<\/other_skills>|$|… and)/gm,
  ))
    for (const name of listed.split(', ')) shown.set(unescape(name.trim()), '');
  for (const [, name = '', description = ''] of text.matchAll(/^ {2}- skill\("(.*?)"\): (.*)$/gm))
    shown.set(name, description);
  for (const line of text.split('\n')) {
    if (/^- (?:\*\*)?by name only/.test(line)) continue;
    const item = /^- \*\*(.+?)\*\*(?:(?:: | — )(.*))?$/.exec(line) ?? /^- (.+?)(?:: (.*))?$/.exec(line);
    if (item?.[1] !== undefined) shown.set(item[1], item[2] ?? '');
  }
  return shown;
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/** Two spellings of one description, as lists escape it. */
function plain(text: string): string {
  return unescape(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Full-text search with BM25 over the words that are shown. */
function openWords(shown: ReadonlyMap<string, string>): (query: string) => readonly string[] {
  const db = new DatabaseSync(':memory:');
  db.exec("create virtual table shown using fts5(name unindexed, words, tokenize='porter')");
  const insert = db.prepare('insert into shown values (?, ?)');
  for (const [name, text] of shown) insert.run(name, `${name} ${text}`);
  const find = db.prepare('select name from shown where shown match ? order by bm25(shown), name limit 3');
  return (query) => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 400);
    return words.length === 0
      ? []
      : find.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ name }) => String(name));
  };
}

function rightInThree(shown: ReadonlyMap<string, string>, asked: readonly Asked[]): string {
  const find = openWords(shown);
  return percent(asked.filter(({ query, right }) => find(query).some((name) => right.has(name))).length, asked.length);
}

/** The prompt as it is for every message, beside the prompt that is made for each. */
async function judgePrompts(skills: Skills, asked: readonly Asked[]): Promise<readonly (readonly string[])[]> {
  const judge = async (label: string, write: (query: string) => Promise<string>): Promise<readonly string[]> => {
    const tokens: number[] = [];
    const counts = { whole: 0, described: 0, right: 0 };
    const visible = new Map(visibleSkills(skills).map((skill) => [skill.name, skill]));
    for (const { query, right } of asked) {
      const text = await write(query);
      const shown = readShown(text);
      tokens.push(estimateTokens(text));
      const told = [...right].map((name) => ({ told: shown.get(name) ?? '', skill: visible.get(name) }));
      counts.described += Number(told.some((one) => one.told !== ''));
      counts.whole += Number(
        told.some((one) => one.told !== '' && plain(one.told) === plain(one.skill?.description ?? '')),
      );
      counts.right += Number(openWords(shown)(query).some((name) => right.has(name)));
    }
    const shares = [counts.whole, counts.described, counts.right].map((part) => percent(part, asked.length));
    return [label, String(Math.round(mean(tokens))), ...shares];
  };
  const still = await skills.prompt();
  return [
    await judge('`prompt()`', async () => still),
    await judge('`prompt({ message })`', (message) => skills.prompt({ message })),
  ];
}

async function judgeTools(skills: Skills, asked: readonly Asked[]): Promise<readonly string[]> {
  const cost = (tools: ReturnType<typeof agentTools>): string =>
    String(tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(toAnthropicTool(tool))), 0));
  const basic = agentTools(skills);
  const search = basic.find(({ name }) => name === 'search_skills');
  const answers: number[] = [];
  let right = 0;
  for (const { query, right: wanted } of asked) {
    const answer = await search?.execute({ query });
    if (answer?.ok !== true) continue;
    answers.push(estimateTokens(answer.output));
    const near = /^Also near: (.*)\.$/m.exec(answer.output)?.[1]?.split(', ') ?? [];
    const listed = [...answer.output.matchAll(/^- (?:\*\*)?(.+?)(?:\*\*)?(?::|$)/gm)].map(([, name = '']) => name);
    const named = [...listed, ...near];
    right += Number(named.slice(0, 3).some((name) => wanted.has(name)));
  }
  return [
    cost(basic),
    cost(agentTools(skills, { list: true, run: true, write: true })),
    answers.length === 0 ? '' : String(Math.round(mean(answers))),
    answers.length === 0 ? '' : String(Math.max(...answers)),
    percent(right, asked.length),
  ];
}

/**
 * Writes so many skills, each name once: evenly out of the wanted ones, which requests are for, then out of the others. Returns
 * their names by path.
 */
export function writeLibrary(
  root: string,
  files: readonly RealFile[],
  wantedPaths: readonly string[],
  size: number,
): ReadonlyMap<string, string> {
  const wanted = new Set(wantedPaths);
  const folders = new Set<string>();
  const usable = files.flatMap((file) => {
    const folder = basename(dirname(file.path));
    const [entry] = toEntry(file);
    const keys = [folder, entry?.skill.name ?? folder].map((name) => name.toLowerCase());
    if (entry === undefined || keys.some((key) => folders.has(key))) return [];
    for (const key of keys) folders.add(key);
    return [{ ...file, folder, name: entry.skill.name }];
  });
  const asked = spread(
    usable.filter(({ path }) => wanted.has(path)),
    size,
  );
  const others = spread(
    usable.filter(({ path }) => !wanted.has(path)),
    size - asked.length,
  );
  const chosen = [...asked, ...others];
  for (const { folder, text } of chosen) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'SKILL.md'), text);
  }
  return new Map(chosen.map(({ path, name }) => [path, name]));
}

/** At most `count` of the items, from all parts of the list. */
export function spread<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
