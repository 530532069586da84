import { describeContent } from '../activate/content.ts';
import { findUngiven, refuseOutside } from '../activate/script-inputs.ts';
import { visibleText } from '../disclose/harmless.ts';
import { listSome } from '../model/list-some.ts';
import type { Failure } from '../model/outcome.ts';
import { readInside } from '../platform/files/inside.ts';
import type { ScriptOutcome, ScriptRun } from '../platform/sandbox/run-sandboxed.ts';
import { cutMiddle } from './text-page.ts';

/** Per stream, in characters. */
const MAX_STREAM_LENGTH = 20_000;
/** Of the errors of a script that failed, in lines: the cause is at the end. */
const MAX_ERROR_LINES = 40;
const MAX_LISTED_FILES = 50;
/** Of all files that a script wrote, in characters. */
const MAX_FILE_TEXT = 2_000;

/** The arguments and inputs of a run, and the fate of its files. */
export interface RunFacts {
  readonly args: readonly string[];
  readonly inputs: readonly string[];
  /** The folder whose files can be inputs; undefined if the script works in it. */
  readonly inputDir: string | undefined;
  readonly home: string;
  /** The folder that a program chose for the files, with those that it has now. */
  readonly savedTo: string | undefined;
  /** Why its files could not be saved. */
  readonly problem: string | undefined;
}

/** The text of the files that a script wrote, as long as they are there. */
export function readWritten({ files, outputDir }: ScriptRun): readonly string[] {
  let left = MAX_FILE_TEXT;
  return files.slice(0, MAX_LISTED_FILES).flatMap(({ path, size }) => {
    if (size === 0 || size > left) return [];
    const read = readInside(outputDir, path, { maxBytes: left });
    const text = read.ok ? describeContent(path, read.bytes).text : undefined;
    if (text === undefined) return [];
    left -= text.length;
    return [`${visibleText(path)}:\n${text.trimEnd()}`];
  });
}

/**
 * A script result as text for a model. After a success: files first, then output. After a failure: errors first, next
 * step last. Isolation is mentioned only where it can explain the failure.
 */
export function renderScriptRun(
  outcome: ScriptOutcome & ScriptRun,
  written: readonly string[],
  facts: RunFacts,
): string {
  const { stdout, truncated, warnings } = outcome;
  const head = [
    ...(outcome.ok ? [describeSuccess(outcome)] : [describeEnd(outcome)]),
    ...warnings.map(visibleText),
    ...listFiles(outcome, facts),
    ...(truncated ? ['The output was cut: the script printed more than is allowed.'] : []),
  ].join('\n');
  const printed = renderStream('stdout', stdout);
  const streams = outcome.ok
    ? [printed, renderStream('stderr', outcome.stderr)]
    : [renderStream('stderr', lastLines(outcome.stderr)), printed];
  const said = streams.filter((text) => text !== '');
  const parts = [head, ...written, ...(said.length === 0 ? ['The script printed nothing.'] : said)];
  return [...parts, ...(outcome.ok ? [] : [adviseAfterFailure(outcome, facts)])].join('\n\n');
}

function describeSuccess({ warnings }: ScriptRun): string {
  return `The script ended with exit code 0${warnings.length === 0 ? '' : ', but not everything worked'}.`;
}

/** A failure with a next step has an explanation; missing inputs are explained below the output. */
function describeEnd({ ended, exitCode, message, next }: Failure & ScriptRun): string {
  const isExplained = next !== undefined && !('give' in next && next.give === 'inputs');
  if (ended === 'exited' && exitCode !== null && !isExplained) return `The script failed with exit code ${exitCode}.`;
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

function listFiles({ files, filesCut }: ScriptRun, { savedTo, problem }: RunFacts): readonly string[] {
  if (files.length === 0) return [];
  const named = files.map(({ path, size }) => `${visibleText(path)} (${size} bytes)`);
  const listed = `${listSome(named, { most: MAX_LISTED_FILES })}${filesCut ? ' and more' : ''}`;
  const place = savedTo === undefined ? '' : `, in ${visibleText(savedTo)}`;
  return [
    `Files it wrote${place}: ${listed}`,
    ...(problem === undefined ? [] : [`They could not be saved: ${visibleText(problem)}.`]),
  ];
}

function renderStream(name: string, text: string): string {
  return text.trim() === '' ? '' : `${name}:\n${cutMiddle(text, MAX_STREAM_LENGTH).trimEnd()}`;
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const left = lines.length - MAX_ERROR_LINES;
  return left <= 0 ? text : [`[… ${left} lines omitted …]`, ...lines.slice(left)].join('\n');
}

function adviseAfterFailure(outcome: Failure & ScriptRun, facts: RunFacts): string {
  const { isolation, notes } = outcome;
  return [
    ...(notes.length === 0 ? [] : [`The script ran contained (${[isolation, ...notes].join('; ')}).`]),
    ...findForgotten(outcome, facts).map(
      (path) => `${visibleText(path)} is in the workspace but not in inputs: add it.`,
    ),
    'Correct the arguments or inputs and run it again, or do the step by hand; do not run it again unchanged.',
  ].join('\n');
}

const MAX_FORGOTTEN = 3;
/** Enough to find the name of a file in an error; a script may print anything. */
const MAX_WORDS = 500;

/** Files of the workspace that the arguments or the output name, and that the script was not given. */
function findForgotten({ stdout, stderr }: ScriptRun, { args, inputs, inputDir, home }: RunFacts): readonly string[] {
  if (inputDir === undefined) return [];
  const words = `${stderr} ${stdout}`.match(/[\p{L}\p{N}_./-]+/gu) ?? [];
  const named = words.slice(0, MAX_WORDS).map((word) => word.replace(/^\.\//, '').replace(/[.:]+$/, ''));
  return findUngiven([...args, ...named], inputs, inputDir)
    .filter((path) => refuseOutside([path], { dir: inputDir, home }) === undefined)
    .slice(0, MAX_FORGOTTEN);
}
