import { PLAIN, toFlag, type StepDialect, type NextStep } from '../../model/next-step.ts';
import type { Failure } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { CommandDefinition, ExitCode, Invocation } from '../command.ts';
import { toName } from '../input/options.ts';

/** A failure of the engine, or one that only the command line knows. */
export type ReportedFailure = Omit<Failure, 'code' | 'ok'> & { readonly code: string };

/** The step after a question that nobody could answer. */
export const CONSENT: NextStep = { give: 'yes', aim: 'continue without questions' };

/** Prints why it could not be done and what to do next, as text or as JSON. */
export function reportFailure(
  { out, isJson, sayNext }: Pick<Invocation, 'out' | 'isJson' | 'sayNext'>,
  failure: ReportedFailure,
): ExitCode {
  if (isJson) out.json(describeFailure(failure));
  else {
    out.error({ text: 'skillplane: ', style: 'red' }, failure.message);
    if (failure.next !== undefined) out.error(sayNext(failure.next));
  }
  return 1;
}

/** The JSON of a failure. */
export function describeFailure({ code, message, next }: ReportedFailure): object {
  return { ok: false, code, message, ...(next === undefined ? {} : { next }) };
}

/** Writes options of this command as flags, also where the library has the plural for a list; others keep their name. */
export function openDialect(command?: CommandDefinition): StepDialect {
  const options = new Set(
    Object.keys(command?.options ?? {}).map((notation) => toName(notation.split(' ', 1)[0] ?? '')),
  );
  return {
    ...PLAIN,
    option(given, value) {
      const name = [given, given.replace(/s$/, '')].find((candidate) => options.has(candidate));
      if (name === undefined) return PLAIN.option(given, value);
      return value === undefined ? toFlag(name) : `${toFlag(name)} ${quoteWord(value)}`;
    },
  };
}
