import type { CommandDefinition } from './command.ts';

/** A command line that leaves nothing to be asked about. */
export interface PlainLine {
  readonly definition: CommandDefinition;
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** What every command takes; whether `--cwd` is a directory is the parser's to judge, too. */
const COMMON = { '--json': '' };

/**
 * Reads a command without arguments whose options are all spelled out, as nearly every program does that starts us; it
 * gives what the parser of the command line would. Undefined for anything else, which is the parser's to judge: loading
 * that takes as long as listing a thousand skills.
 */
export function readPlainLine(argv: readonly string[], commands: readonly CommandDefinition[]): PlainLine | undefined {
  const [name, ...words] = argv;
  const definition = commands.find((command) => command.name === name || command.alias === name);
  if (definition === undefined || definition.arguments !== undefined) return undefined;
  const takesValue = new Map(
    Object.keys({ ...COMMON, ...definition.flags }).map((notation) => {
      const [flag = '', value] = notation.split(' ');
      return [flag, value !== undefined];
    }),
  );
  const flags = new Set<string>();
  const values = new Map<string, readonly string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isTaking = takesValue.get(word);
    if (isTaking === undefined) return undefined;
    const key = toKey(word);
    if (!isTaking) {
      flags.add(key);
      continue;
    }
    at += 1;
    const value = words[at];
    if (value === undefined || value === '' || value.startsWith('-')) return undefined;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return { definition, flags, values };
}

/** `--token-file` is `tokenFile`. */
function toKey(flag: string): string {
  return flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
