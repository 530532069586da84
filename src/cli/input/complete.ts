import { actionsOf, COMMON_OPTIONS, type CommandDefinition } from '../command.ts';

/** The words that may end a command line. */
export interface Completion {
  /** Words that fit. */
  readonly words: readonly string[];
  /** A file name is possible here. */
  readonly takesFiles: boolean;
}

/** Lists that only the machine knows, read when they are needed. */
export interface CompletionSources {
  readonly skills: () => Promise<readonly string[]>;
  readonly settings: () => readonly string[];
}

const NOTHING: Completion = { words: [], takesFiles: false };
const FILES: Completion = { words: [], takesFiles: true };

/** Completes the last of these words, which may be empty; the words before it are whole. */
export async function complete(
  line: readonly string[],
  commands: readonly CommandDefinition[],
  sources: CompletionSources,
): Promise<Completion> {
  const last = line.at(-1) ?? '';
  const { command, args, option } = readBefore(line.slice(0, -1), commands);
  const { words, takesFiles } = await offer({ last, command, args, option }, commands, sources);
  const fitting = words.filter((word) => word.startsWith(last) && isPlain(word));
  return { words: [...new Set(fitting)].sort(), takesFiles };
}

interface Place {
  readonly last: string;
  readonly command: CommandDefinition | undefined;
  /** Arguments before the place. */
  readonly args: readonly string[];
  /** The notation of the option whose value is wanted: `--cwd <dir>`. */
  readonly option: string | undefined;
}

function readBefore(line: readonly string[], commands: readonly CommandDefinition[]): Omit<Place, 'last'> {
  let command: CommandDefinition | undefined;
  let option: string | undefined;
  const args: string[] = [];
  for (const word of line) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = valueOption(word, command);
    else if (command === undefined) command = commands.find(({ name, alias }) => name === word || alias === word);
    else {
      const action = args.length === 0 ? commands.find(({ name }) => name === `${command?.name} ${word}`) : undefined;
      if (action === undefined) args.push(word);
      else command = action;
    }
  }
  return { command, args, option };
}

function valueOption(word: string, command: CommandDefinition | undefined): string | undefined {
  const flag = word === '-C' ? '--cwd' : word;
  return Object.keys({ ...command?.options, ...COMMON_OPTIONS }).find((notation) => notation.startsWith(`${flag} <`));
}

async function offer(
  { last, command, args, option }: Place,
  commands: readonly CommandDefinition[],
  sources: CompletionSources,
): Promise<Completion> {
  if (option !== undefined) return offerFor(option.split(' ')[1] ?? '', sources);
  if (last.startsWith('-')) {
    const notations = Object.keys({ ...command?.options, ...COMMON_OPTIONS });
    return { words: notations.map((notation) => notation.split(' ', 1)[0] ?? ''), takesFiles: false };
  }
  if (command === undefined) {
    const listed = commands.filter(({ name }) => !name.includes(' '));
    return { words: [...listed.flatMap(({ name, alias = name }) => [name, alias]), 'help'], takesFiles: false };
  }
  const actions = actionsOf(command, commands).map(({ name }) => name.slice(command.name.length + 1));
  if (actions.length > 0 && args.length === 0) {
    const others = Object.values(command.choices ?? {}).flat();
    return { words: [...actions, ...others], takesFiles: false };
  }
  const notations = Object.keys(command.arguments ?? {});
  const notation = notations[args.length] ?? notations.findLast((candidate) => candidate.includes('...')) ?? '';
  const choices = command.choices?.[notation];
  return choices === undefined ? offerFor(notation, sources) : { words: choices, takesFiles: false };
}

/** Offers words for a placeholder such as `<skill>` or `[path...]`. */
async function offerFor(notation: string, sources: CompletionSources): Promise<Completion> {
  const subject = notation.replaceAll(/[<>[\].]/g, '');
  if (subject === 'skill' || subject === 'skills') return { words: await sources.skills(), takesFiles: false };
  if (subject === 'skill|path') return { words: await sources.skills(), takesFiles: true };
  if (subject === 'key') return { words: sources.settings(), takesFiles: false };
  return ['path', 'file', 'dir', 'what'].includes(subject) ? FILES : NOTHING;
}

/** A shell would interpret other characters. */
function isPlain(word: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(word);
}
