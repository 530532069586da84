import { findRule } from '../audit.ts';
import { type FileChange, SkillInstaller } from '../install.ts';
import { nameChoice, type Origin } from '../model/origin.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ExitCode, Invocation } from './command.ts';
import { canAsk, openQuestions } from './input/ask.ts';
import { WrongUsage, type Options } from './input/options.ts';
import { describeFailure, reportFailure } from './output/failure.ts';
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

/**
 * Does something with each named skill. As JSON, one name prints its own result; several print a list. Exits 1 if any
 * failed.
 */
export async function forEachName(
  invocation: Invocation,
  act: (name: string) => Promise<Outcome<{ readonly result: object; readonly lines: readonly string[] }>>,
): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const results: object[] = [];
  let code = 0;
  for (const name of new Set(args)) {
    const done = await act(name);
    if (!done.ok) code = 1;
    if (isJson) results.push(done.ok ? { ok: true, ...done.result } : { name, ...describeFailure(invocation, done) });
    else if (!done.ok) reportFailure(invocation, done);
    else for (const line of done.lines) out.line(line);
  }
  if (isJson) out.json(results.length === 1 ? results[0] : { ok: code === 0, results });
  return code;
}

/** Asks, unless `--yes` answers; without a person to ask the answer is no. */
export async function isConsented(invocation: Invocation, question: string): Promise<boolean> {
  const { options, isJson } = invocation;
  return options.has('yes') || (canAsk(invocation) && !isJson && (await openQuestions(invocation).confirm(question)));
}
