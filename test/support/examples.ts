import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { commands } from '../../src/cli/commands.ts';
import { splitCommand } from '../../src/model/split-command.ts';
import { skillplane } from './command-line.ts';
import type { ExamplePlace, ExampleWorld } from './example-world.ts';

/** A command line of the documentation, without the program, and the code that it ends with. */
export interface Example {
  readonly line: string;
  readonly code: number;
  /** The pages that have it; `help` is the help of its command. */
  readonly pages: string;
  /** Runs where `owner/repo` is a risky skill. */
  readonly isRisky: boolean;
  /** Starts a process; otherwise the command runs in this one. */
  readonly isStarted: boolean;
}

/** The examples of the help. The first of each command is started as a person would. */
export function listHelpExamples(): readonly Example[] {
  return commands.flatMap(({ examples }) =>
    examples.map((line, at) => {
      const isStarted = at === 0 || needsProcess(line);
      return { line, code: 0, pages: 'the help', isRisky: false, isStarted };
    }),
  );
}

/** The examples of all pages that the help does not have, each once. Those of the command reference are those of the help. */
export function listPageExamples(): readonly Example[] {
  const known = new Set(listHelpExamples().map(keyOf));
  const found = new Map<string, Example>();
  for (const page of ['README.md', ...listPages('docs')].filter((each) => each !== 'docs/reference/commands.md'))
    for (const line of readExamples(page)) {
      const example: Example = {
        line,
        code: REFUSED.has(`${page}: ${line}`) ? 1 : 0,
        pages: page,
        isRisky: page.endsWith('audit.md') && line.startsWith('install '),
        isStarted: needsProcess(line),
      };
      const key = keyOf(example);
      const before = found.get(key);
      if (known.has(key)) continue;
      found.set(key, before === undefined ? example : { ...before, pages: `${before.pages}, ${page}` });
    }
  return [...found.values()];
}

/** Examples that end with 1, as their page says. */
const REFUSED: ReadonlySet<string> = new Set([
  'docs/guide/audit.md: install owner/repo --yes',
  'docs/guide/hosts.md: sync --check',
  'docs/guide/usage.md: usage --send',
]);

/** A person's answers, by question. */
const ANSWERS: readonly (readonly [line: RegExp, words: string])[] = [
  // Of the two skills there, both are picked.
  [/^install (?:owner\/repo|https:\/\/host\/team\/skills)$/, ' --all --yes'],
  [/^(?:install|trust|update|remove) (?!.*--(?:yes|revoke|frozen))|^update$/, ' --yes'],
  [/^manage update (?!.*--yes)/, ' --yes'],
  [/^agents connect (?!.*--(?:yes|print))/, ' --yes'],
  // A hook that is late leaves the reading to a process of its own, which would still write to the home of the next example.
  [/^(?:agents )?hook /, ' --limit 60000'],
];

/** Runs an example in a place that is as it was before all others. */
export async function runExample(
  example: Example,
  { fresh, risky, installed }: ExampleWorld,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const isInstall = example.line.startsWith('install ') && !example.line.includes('--frozen');
  const place = example.isRisky ? risky : isInstall ? fresh : installed;
  place.restore();
  return runExampleIn(place, example);
}

/** Runs an example in a place as it is. */
export async function runExampleIn(
  place: ExamplePlace,
  { line, isStarted }: Example,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const answered = `${line}${ANSWERS.find(([asks]) => asks.test(line))?.[1] ?? ''}`;
  if (isStarted) return startExample(answered, place);
  const { code, stdout, stderr } = await skillplane(splitCommand(answered), place);
  return { code, output: `${stdout}${stderr}` };
}

/** Starts a shell with the example; an address that a server prints ends it. */
async function startExample(
  line: string,
  { cwd, env }: ExamplePlace,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const isServer = SERVER.test(line);
  // The usual port may be taken.
  const command = isServer ? `exec skillplane ${line} --port 0` : `skillplane ${line}`;
  const shell = line.includes('| source') ? 'fish' : 'bash';
  const child = spawn(shell, ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // A second signal would end it at once.
      if (isServer && !child.killed && /http:\/\/127\.0\.0\.1:\d+/.test(output)) child.kill('SIGTERM');
    });
  const [code, signal]: unknown[] = await once(child, 'close');
  return { code: code ?? signal, output };
}

const SERVER = /^mcp --http|^(?:console|serve)\b/;

/** A server runs until a signal ends it, and what a shell reads as more than words needs a shell. */
function needsProcess(line: string): boolean {
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  return SERVER.test(line) || /[|<>;&$`*?~(){}[\]\\#!]/.test(unquoted);
}

function keyOf({ line, code, isRisky }: Example): string {
  return JSON.stringify([line, code, isRisky]);
}

function listPages(dir: string): readonly string[] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(dir, file))
    .sort();
}

/** The examples of a page: lines of code blocks, and code with arguments in sentences. `<name>` and `…` are no examples. */
function readExamples(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8');
  const lines = Array.from(text.matchAll(/^(?: {4}|\$ )?skillplane ([a-z].*)$/gm), ([, line = '']) => line);
  const inline = Array.from(text.matchAll(/`(?:npx )?skillplane ([a-z-]+ [^`]+)`/g), ([, line = '']) => line);
  const examples = [...lines, ...inline].map((line) => line.replace(/ +# .*$/, ''));
  return [...new Set(examples)].filter((line) => !/[<…]/.test(line));
}
