import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { commands } from '../src/cli/commands.ts';
import { makeExampleWorld, type ExampleWorld } from './support/example-world.ts';

let world: ExampleWorld;
beforeAll(() => {
  world = makeExampleWorld();
}, 120_000);
afterAll(() => world[Symbol.dispose]());

/** Pages with examples. Those of the command reference are those of the help. */
const PAGES = ['README.md', ...listPages('docs')].filter(
  (page) => page !== 'docs/reference/commands.md' && readExamples(page).length > 0,
);

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

/** A person's answers, by question. */
const ANSWERS: readonly (readonly [line: RegExp, words: string])[] = [
  // Of the two skills there, both are picked.
  [/^install (?:owner\/repo|https:\/\/host\/team\/skills)$/, ' --all --yes'],
  [/^(?:install|trust|update|remove) (?!.*--(?:yes|revoke|frozen))|^update$/, ' --yes'],
  [/^manage update (?!.*--yes)/, ' --yes'],
  // A hook that is late leaves the reading to a process of its own, which would still write to the home of the next example.
  [/^hook /, ' --limit 60000'],
];

/** Examples that end with 1, as their page says. */
const REFUSED = new Set([
  'docs/guide/audit.md: install owner/repo --yes',
  'docs/guide/hosts.md: sync --check',
  'docs/guide/usage.md: usage --send',
]);

/** Starts a shell with the example; an address that a server prints ends it. */
async function runExample(line: string, page: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const isInstall = line.startsWith('install ') && !line.includes('--frozen');
  world.reset(isInstall ? 'fresh' : 'installed');
  const env = isInstall && page.endsWith('audit.md') ? world.riskyEnv : world.env;
  const words = ANSWERS.find(([asks]) => asks.test(line))?.[1] ?? '';
  const isServer = /^mcp --http|^(?:console|serve)\b/.test(line);
  // The usual port may be taken.
  const command = `skillplane ${line}${words}${isServer ? ' --port 0' : ''}`;
  const shell = line.includes('| source') ? 'fish' : 'bash';
  const child = spawn(shell, ['-c', isServer ? `exec ${command}` : command], {
    cwd: world.project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

describe('every example in the help can be run', () => {
  test.for(commands.flatMap(({ examples }) => examples))('skillplane %s', async (line, { skip }) => {
    skip(line.includes('| source') && spawnSync('fish', ['--version']).error !== undefined, 'fish is not installed');
    const { code, output } = await runExample(line, 'help');
    expect([line, code, output]).toEqual([line, 0, output]);
  });
});

describe.each(PAGES)('every example in %s can be run', (page) => {
  test.for(readExamples(page))('skillplane %s', async (line) => {
    const { code, output } = await runExample(line, page);
    expect([line, code, output]).toEqual([line, REFUSED.has(`${page}: ${line}`) ? 1 : 0, output]);
  });
});
