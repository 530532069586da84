import type { Failure } from '../../model/outcome.ts';
import type { CommandDefinition, ExitCode, Invocation } from '../command.ts';
import { toFlag, toName } from '../input/options.ts';

/** A failure of the engine, or one that only the command line knows. */
export type ReportedFailure = Omit<Failure, 'code' | 'ok'> & { readonly code: string };

/** The hint after a question that was answered with no, or could not be asked. */
export const CONSENT_HINT = 'Answer yes when asked, or add --yes.';

type Context = Pick<Invocation, 'out' | 'isJson' | 'renderHint'>;

/** Prints why it could not be done and what to do next, as text or as JSON. */
export function reportFailure(context: Context, failure: ReportedFailure): ExitCode {
  const { out, isJson } = context;
  if (isJson) out.json(describeFailure(context, failure));
  else {
    out.error({ text: 'skillplane: ', style: 'red' }, failure.message);
    if (failure.hint !== undefined) out.error(context.renderHint(failure.hint));
  }
  return 1;
}

/** The JSON of a failure, with its hint as the command line says it. */
export function describeFailure({ renderHint }: Pick<Context, 'renderHint'>, failure: ReportedFailure): object {
  const { code, message, hint } = failure;
  return { ok: false, code, message, ...(hint === undefined ? {} : { hint: renderHint(hint) }) };
}

/** The same items, with their hints as the command line says them. */
export function renderHints<T extends { readonly hint?: string }>(
  items: readonly T[],
  { renderHint }: Pick<Context, 'renderHint'>,
): readonly T[] {
  return items.map((item) => (item.hint === undefined ? item : { ...item, hint: renderHint(item.hint) }));
}

/**
 * Turns the engine's hints into hints for the command line: `` `name` `` becomes --name if this command has that option, or
 * one that the hint named before, and `` `trust pdf` `` becomes `` `skillplane trust pdf` ``. Other quoted text stays.
 */
export function openHints(
  commands: readonly CommandDefinition[],
  current?: CommandDefinition,
): (hint: string) => string {
  const prefixes = new Map<string, string>();
  for (const { name, actions = {} } of commands)
    for (const action of Object.keys(actions)) prefixes.set(action.split(' ', 1)[0] ?? '', `${name} `);
  for (const { name, alias = name } of commands) prefixes.set(name, '').set(alias, '');
  return (hint) => {
    const options = new Set(listOptions(current));
    return capitalize(hint).replaceAll(/`([^`]+)`/g, (quoted, text: string) => {
      const flag = renderOption(text, options);
      if (flag !== undefined) return flag;
      const [word = ''] = text.split(' ', 1);
      for (const option of listOptions(commands.find(({ name }) => name === word))) options.add(option);
      const prefix = prefixes.get(word);
      return prefix === undefined ? quoted : `\`skillplane ${prefix}${text}\``;
    });
  };
}

function listOptions(command: CommandDefinition | undefined): readonly string[] {
  return Object.keys(command?.options ?? {}).map((notation) => toName(notation.split(' ', 1)[0] ?? ''));
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Also takes `` `ref: main` `` and `` `all: true` ``, and the plural that the library uses for lists. */
function renderOption(text: string, options: ReadonlySet<string>): string | undefined {
  const [, key = '', value] = /^(\w+)(?:: (.+))?$/.exec(text) ?? [];
  const name = [key, key.replace(/s$/, '')].find((candidate) => options.has(candidate));
  if (name === undefined) return undefined;
  return value === undefined || value === 'true' ? toFlag(name) : `${toFlag(name)} ${value}`;
}
