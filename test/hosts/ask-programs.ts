import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isTrustedFolder } from '../../src/hosts/agents/gemini.ts';
import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { itemsAt, textAt, valueAt } from '../../src/hosts/history/json-value.ts';
import type { AnsweredSkill, ProgramAnswer } from './answer.ts';
import { converse, QUIET_OPENCODE } from './converse.ts';
import type { TrapHome } from './homes.ts';
import type { ProgramId } from './programs.ts';
import { runProgram, type ProgramPlace } from './run-program.ts';
import type { StubModel } from './stub-model.ts';

/** Asks a program which skills it has, and which of them its model is told of. */
export type Ask = (place: ProgramPlace, stub: StubModel, home: TrapHome) => Promise<ProgramAnswer>;

const QUESTION = 'hello there';

/** No command lists its skills; its transcript has the list for the model, without files. */
const askClaude: Ask = async (place) => {
  await converse('claude-code', place, QUESTION);
  const folder = join(HOSTS['claude-code'].folder(place), 'projects');
  const listing = readLines(folder)
    .map((line): unknown => JSON.parse(line))
    .map((line) => valueAt(line, 'attachment'))
    .find((attachment) => valueAt(attachment, 'type') === 'skill_listing');
  const lines = (textAt(listing, 'content') ?? '').split('\n').filter((line) => line.startsWith('- '));
  const skills = lines.map((line): AnsweredSkill => {
    const [, name = '', , text = ''] = /^- ((?:[^:]|:(?! ))+?)(: (.*))?$/.exec(line) ?? [];
    return { name, text };
  });
  // Its own skills have no folder in the home.
  const isBuiltIn = (name: string): boolean =>
    HOSTS['claude-code'].builtIn.includes(name) &&
    !HOSTS['claude-code'].roots(place).some(({ path }) => existsSync(join(path, name)));
  return { listed: skills.filter(({ name }) => !isBuiltIn(name)) };
};

/** Its command prints the messages for the model, with a table of folders. */
const askCodex: Ask = async (place) => {
  const messages: unknown = JSON.parse(await runProgram('codex', ['debug', 'prompt-input', QUESTION], { place }));
  const texts = itemsAt(messages).flatMap((message) =>
    itemsAt(message, 'content').map((part) => textAt(part, 'text') ?? ''),
  );
  const lines = (texts.find((text) => text.startsWith('<skills_instructions>')) ?? '').split('\n');
  const roots = new Map(
    lines.flatMap((line) => {
      const [, alias, path] = /^- `(r\d+)` = `(.+)`$/.exec(line) ?? [];
      return alias === undefined || path === undefined ? [] : [[alias, path] as const];
    }),
  );
  const listed = lines.flatMap((line): readonly AnsweredSkill[] => {
    const [, name, text = '', alias = '', path = ''] =
      /^- (.+?):(?: (.*?))? ?\(file: (?:(r\d+)\/)?(.+)\)$/.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ name, text, file: alias === '' ? path : join(roots.get(alias) ?? alias, path) }];
  });
  return { listed };
};

const askCopilot: Ask = async (place, stub) => {
  const skills: unknown = JSON.parse(await runProgram('copilot', ['skill', 'list', '--json'], { place }));
  const loaded = itemsAt(skills)
    .filter((skill) => textAt(skill, 'source') !== 'builtin')
    .map((skill) => ({
      name: textAt(skill, 'name') ?? '',
      text: textAt(skill, 'description') ?? '',
      file: join(textAt(skill, 'path') ?? '', 'SKILL.md'),
      isEnabled: valueAt(skill, 'enabled') === true,
    }));
  await converse('copilot', place, QUESTION);
  const prompt = promptWith(stub, '<available_skills>');
  const blocks = readBlocks(prompt).filter(({ location }) => location !== 'builtin');
  const [, names = ''] = /^[^\n<]*?(?:skills?|names?)[^\n<]*?: ([^\n<]+)$/im.exec(afterBlocks(prompt)) ?? [];
  const isBuiltIn = (name: string): boolean =>
    HOSTS.copilot.builtIn.includes(name) && !loaded.some((skill) => skill.name === name);
  const named = splitNames(names).filter(({ name }) => !isBuiltIn(name));
  return { loaded, listed: [...blocks.map(({ name, text }) => ({ name, text })), ...named] };
};

const askGemini: Ask = async (place, stub) => {
  const printed = await runProgram('gemini', ['skills', 'list', '--all'], { place });
  const pattern = /^(.*) \[(Enabled|Disabled)\](?: \[Built-in\])?\n {2}Description: ([^]*?)\n {2}Location: {4}(.*)$/gm;
  const loaded = [...printed.matchAll(pattern)]
    .map(([, name = '', state, text = '', file = '']) => ({ name, text, file, isEnabled: state === 'Enabled' }))
    .filter(({ file }) => !file.startsWith(place.programs));
  // It starts no conversation in a folder that it does not trust.
  if (!isTrustedFolder(place)) return { loaded };
  await converse('gemini', place, QUESTION);
  const prompt = stub.requests.findLast((body) => body.includes('systemInstruction')) ?? '';
  const system = itemsAt(JSON.parse(prompt), 'systemInstruction', 'parts')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');
  const listed = readBlocks(system)
    .map(({ name, text, location: file }) => ({ name, text, file }))
    .filter(({ file }) => !file.startsWith(place.programs));
  return { loaded, listed };
};

const askOpencode: Ask = async (place, stub, { isAboutLists = false }) => {
  const skills: unknown = JSON.parse(
    await runProgram('opencode', ['debug', 'skill'], { place, variables: QUIET_OPENCODE }),
  );
  const loaded = itemsAt(skills)
    .map((skill) => ({
      name: textAt(skill, 'name') ?? '',
      text: textAt(skill, 'description') ?? '',
      file: textAt(skill, 'location') ?? '',
    }))
    .filter(({ file }) => file !== '<built-in>');
  if (!isAboutLists) return { loaded };
  await converse('opencode', place, QUESTION);
  const listed = readBlocks(promptWith(stub, '<available_skills>'))
    .map(({ name, text, location }) => ({ name, text, file: location }))
    .filter(({ file }) => file !== '<built-in>');
  return { loaded, listed };
};

export const ASK: Readonly<Record<ProgramId, Ask>> = {
  'claude-code': askClaude,
  codex: askCodex,
  copilot: askCopilot,
  gemini: askGemini,
  opencode: askOpencode,
};

/** Every line of the JSONL files below a folder, in the order of their paths. */
function readLines(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'));
  return files
    .sort()
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').split('\n'))
    .filter((line) => line !== '');
}

/** The text of the last request's first message that holds this. */
function promptWith({ requests }: StubModel, part: string): string {
  const body = requests.findLast((each) => each.includes(part));
  if (body === undefined) return '';
  const messages = itemsAt(JSON.parse(body), 'messages');
  return messages.map((message) => textAt(message, 'content') ?? '').find((text) => text.includes(part)) ?? '';
}

const BLOCK =
  /<skill>\s*<name>([^]*?)<\/name>\s*<description>([^]*?)<\/description>\s*<location>([^]*?)<\/location>\s*<\/skill>/g;

function readBlocks(prompt: string): readonly { name: string; text: string; location: string }[] {
  return [...prompt.matchAll(BLOCK)].map(([, name = '', text = '', location = '']) => ({
    name: unescape(name),
    text: unescape(text),
    location: unescape(location),
  }));
}

function afterBlocks(prompt: string): string {
  return prompt
    .slice(prompt.indexOf('<available_skills>'), prompt.indexOf('</available_skills>') + 2_000)
    .replaceAll(BLOCK, '');
}

function splitNames(names: string): readonly AnsweredSkill[] {
  return names
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => ({ name, text: '' }));
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
