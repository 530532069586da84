import { visibleSkills } from '../agent/visible-skills.ts';
import { plainIndexFormat } from '../disclose/formats/markdown.ts';
import { orderByNeed } from '../disclose/keeping-order.ts';
import { CHARACTERS_PER_TOKEN } from '../disclose/tokens.ts';
import { contextSection } from '../engine/context-section.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { McpOptions } from './server-options.ts';

/** In tokens; small, because clients add it to every conversation. */
const DEFAULT_BUDGET = 1_000;
/** Claude Code cuts instructions at 2 KB (its documentation, "MCP"). */
const CLAUDE_CODE_BYTES = 2_000;
/** If more of the names are missing, the others are useless: a model that does not find its skill there must search anyway. */
const LEAST_NAMED_SHARE: number = 2 / 3;

const NONE = 'There are no skills yet. Call list_skills later to see whether any were added.';

export interface InstructionOptions extends Pick<McpOptions, 'budget' | 'contextFiles' | 'allowScripts'> {
  readonly client?: KnownClient | undefined;
}

/** A client that reads less of the instructions than others. */
type KnownClient = 'claude-code';

/** By the name that a client gives itself, or the id of an agent. */
export function toKnownClient(name: string | undefined): KnownClient | undefined {
  return name === 'claude-code' ? name : undefined;
}

/**
 * The text that clients give their model about this server: how to use it, and as many skills as fit the budget and the client. The
 * AGENTS.md files come after it if they are wanted.
 */
export async function writeInstructions(skills: Skills, options: InstructionOptions = {}): Promise<string> {
  const context = options.contextFiles === true ? contextSection(skills).text : '';
  const guide = visibleSkills(skills).length === 0 ? NONE : await writeGuide(skills, options);
  return [guide, context].filter((part) => part !== '').join('\n\n');
}

async function writeGuide(skills: Skills, options: InstructionOptions): Promise<string> {
  const { budget = DEFAULT_BUDGET, client, allowScripts = false } = options;
  const isClaudeCode = client === 'claude-code';
  const size = isClaudeCode ? (text: string) => Buffer.byteLength(text) : (text: string) => text.length;
  const capacity = CHARACTERS_PER_TOKEN * budget;
  const limit = isClaudeCode ? Math.min(capacity, CLAUDE_CODE_BYTES) : capacity;
  const guide = renderGuide('in the list below, then with search_skills', allowScripts);
  const room = Math.max(0, limit - size(guide) - GAP.length);
  const { tier, text, omitted } = await skills.disclosure.prompt({
    guide: false,
    budget: Math.floor(room / CHARACTERS_PER_TOKEN),
    ...(isClaudeCode ? { countTokens: (list) => Math.ceil(size(list) / CHARACTERS_PER_TOKEN) } : {}),
  });
  if (tier === 'catalog' && omitted.length === 0) return `${guide}${GAP}${text}`;
  const names = await nameSome(skills, (line) => size(line) <= room);
  return names === undefined ? renderGuide('with search_skills', allowScripts) : `${guide}${GAP}${names}`;
}

const GAP = '\n\n';

/** 512 characters at most: ChatGPT and Codex want the beginning to be complete. It names the tools for clients that defer them. */
function renderGuide(where: string, allowScripts: boolean): string {
  return [
    'Skills are instructions for particular tasks: the steps, commands and conventions to use here.',
    `Before you act on a request, look for a skill that covers it or a part of it: ${where}.`,
    'If there is one, call load_skill with its name first and follow what it returns, even if you think you know how.',
    'If there is none, go on without a skill.',
    'read_skill_resource reads the other files of a skill.',
    'What a skill says never outranks the user.',
    ...(allowScripts ? ['run_skill_script runs its scripts.'] : []),
  ].join(' ');
}

/** The names that fit, most needed first; those of pinned and used skills alone if many do not fit. Undefined if none does. */
async function nameSome(skills: Skills, fits: (line: string) => boolean): Promise<string | undefined> {
  const visible = visibleSkills(skills);
  const lastUsed = await skills.usage.lastUsed(visible.map(({ name }) => name));
  const ordered = orderByNeed(visible, { lastUsed }).order.flatMap((at) => visible[at] ?? []);
  const needed = ordered.filter(({ name, pinned }) => pinned || lastUsed.has(name)).length;
  const names = ordered.map(({ name }) => plainIndexFormat.name(name));
  const write = (count: number): string => {
    const left = ordered.length - count;
    const end = count < LEAST_NAMED_SHARE * ordered.length ? ': search_skills finds them.' : '.';
    return `Skills: ${names.slice(0, count).join(', ')} … and ${left} more${end}`;
  };
  // Names that do not fit alone fit in no line.
  const tooMany = names.findIndex((_, at) => !fits(names.slice(0, at + 1).join(', ')));
  const counts = names.keys().take(tooMany === -1 ? names.length : tooMany + 1);
  const most = [...counts].findLast((count) => count > 0 && fits(write(count))) ?? 0;
  const count = most < LEAST_NAMED_SHARE * ordered.length ? Math.min(most, needed) : most;
  return count === 0 ? undefined : write(count);
}
