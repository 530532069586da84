import { findRule } from '../audit/policy.ts';
import type { FileChange } from '../install/changes/compare-files.ts';
import { SkillInstaller } from '../install/installer.ts';
import { nameChoice, type Origin } from '../model/origin.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ExitCode, Invocation } from './command.ts';
import { canAsk, openQuestions } from './input/ask.ts';
import { WrongUsage, type Options } from './input/options.ts';
import { reportFailure } from './output/failure.ts';
import type { Output } from './output/output.ts';

/** Opens the installer of the user's plugins, or of the project's with `--project`. */
export function openManaged({ cwd, env, options, out }: Invocation): SkillInstaller {
  const scope = options.has('project') ? 'project' : 'user';
  return new SkillInstaller({ cwd, env, scope, onWait: (message) => out.note(`Waiting: ${message}.`) });
}

/** Is the project's configuration meant? The user's is the default. */
export function isForProject(options: Options): boolean {
  if (options.has('user') && options.has('project')) throw new WrongUsage('--user and --project exclude each other');
  return options.has('project');
}

/** The rules of `--allow`, by id or name. */
export function readAllowed(options: Options): readonly string[] {
  const given = options.all('allow');
  const unknown = given.find((rule) => findRule(rule) === undefined);
  if (unknown !== undefined)
    throw new WrongUsage(
      `--allow takes the id or name of an audit rule, not "${unknown}"`,
      'The guide lists all rules.',
    );
  return given;
}

/** The version, commit or digest of an origin, in one word. */
export function showChoice(origin: Origin): string {
  return nameChoice(origin) ?? 'no commit';
}

const MARKS = { added: '+', removed: '-', changed: '~', mode: 'x' } as const;

export function printChanges(changes: readonly FileChange[], out: Output): void {
  for (const { kind, path } of changes) out.line(`    ${MARKS[kind]} `, path);
}

/** The outcome for a skill, under the name that was given. */
export interface NamedOutcome {
  readonly name: string;
  readonly outcome: Outcome<{ readonly result: object; readonly lines: readonly string[] }>;
}

/** Does something with each named skill, one after the other, and reports it. */
export function forEachName(
  invocation: Invocation,
  act: (name: string) => Promise<NamedOutcome['outcome']>,
): Promise<ExitCode> {
  const actOnEach = async function* (): AsyncGenerator<NamedOutcome> {
    for (const name of new Set(invocation.args)) yield { name, outcome: await act(name) };
  };
  return reportNames(invocation, actOnEach());
}

/** As JSON, one name prints its own result; several, or whatever `isList` says, print a list. Exits 1 if any failed. */
export async function reportNames(
  invocation: Invocation,
  outcomes: AsyncIterable<NamedOutcome> | Iterable<NamedOutcome>,
  { isList = false }: { readonly isList?: boolean } = {},
): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const results: object[] = [];
  let code = 0;
  for await (const { name, outcome } of outcomes) {
    if (!outcome.ok) code = 1;
    if (isJson) results.push(outcome.ok ? { name, ok: true, ...outcome.result } : { name, ...outcome });
    else if (!outcome.ok) reportFailure(invocation, outcome);
    else for (const line of outcome.lines) out.line(line);
  }
  if (isJson) out.json(results.length === 1 && !isList ? results[0] : { ok: code === 0, results });
  return code;
}

/** The answer to a person who said no, which is not a failure. */
export function decline({ out }: Pick<Invocation, 'out'>, line: string): ExitCode {
  out.line(line);
  return 0;
}

/** Asks, unless `--yes` answers; without a person to ask the answer is no. */
export async function isConsented(invocation: Invocation, question: string, isYesDefault = false): Promise<boolean> {
  if (invocation.options.has('yes')) return true;
  return isAsking(invocation) && openQuestions(invocation).confirm(question, isYesDefault);
}

/** Is there a person to ask? A person who said no gets no advice. */
export function isAsking(invocation: Invocation): boolean {
  return canAsk(invocation) && !invocation.isJson;
}
