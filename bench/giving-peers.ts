import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { HOSTS } from '../src/hosts/all-hosts.ts';
import { viewHost } from '../src/hosts/seeing/view-host.ts';
import { SKILLPLANE, toPlain } from '../test/support/command-line.ts';
import { snapshotTree } from '../test/support/snapshot.ts';
import { withScratch } from './scratch.ts';
import type { Section } from './table.ts';

const SKILLS = ['csv', 'mail', 'tdd'];
const AGENTS = ['claude-code', 'codex'] as const;
/** A program that prints nothing for this long waits for an answer. */
const QUIET_MS = 2_500;
const LIMIT_MS = 60_000;

/** The commands of a program, from the folder of the repository. */
interface Peer {
  readonly program: readonly string[];
  /** The shortest way without a question to two of three skills, for Claude Code and Codex. */
  readonly silent: (repository: string) => readonly (readonly string[])[];
  /** The command of a person who knows none of its options. */
  readonly asking: (repository: string) => readonly string[];
  /** Pressed at its first question, before Enter. */
  readonly keys?: readonly string[];
}

/** Two skills of a repository for Claude Code and Codex: what it takes here and in `skills` and `openskills`. */
export async function measureGivingPeers(args: readonly string[]): Promise<Section> {
  const at = args.indexOf('--peers');
  const folder = at === -1 ? undefined : args[at + 1];
  const rows = [];
  for (const [name, peer] of Object.entries(listPeers(folder === undefined ? undefined : resolve(folder))))
    rows.push([name, ...(await measure(peer))]);
  return {
    title: 'Two skills of a repository for Claude Code and Codex',
    note:
      'In a home with the folders of both agents, from a local repository of three skills. Questions are counted on a terminal, where Enter answers each; `skills` needs a key before it, and asks last whether it may install a skill of its own. ' +
      'Who lists the skills then is replayed by the rules of each agent. ' +
      (folder === undefined
        ? '`skills` and `openskills` were not measured: install them in a folder of their own and name that with `--peers <folder>`.'
        : 'openskills cannot choose skills without questions, and gives others than Claude Code a list in AGENTS.md, which they read as instructions.'),
    columns: [
      'program',
      'commands',
      'questions',
      'made in the home',
      'Claude Code lists',
      'Codex lists',
      'its last line',
    ],
    rows,
  };
}

function listPeers(folder: string | undefined): Readonly<Record<string, Peer>> {
  const two = ['--skill', 'csv', '--skill', 'mail'];
  const own: Peer = {
    program: SKILLPLANE.map((word) => resolve(word)),
    silent: (repository) => [['install', repository, ...two, '--agent', AGENTS.join(), '--yes']],
    asking: (repository) => ['install', repository],
  };
  if (folder === undefined) return { Skillplane: own };
  const version = (name: string): string => {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
  };
  const start = (name: string): readonly string[] => [process.execPath, join(folder, 'node_modules/.bin', name)];
  return {
    Skillplane: own,
    [`skills ${version('skills')}`]: {
      program: start('skills'),
      silent: (repository) => [['add', repository, '-g', ...two, '-a', 'claude-code', '-a', 'codex', '-y']],
      asking: (repository) => ['add', repository],
      keys: [' '],
    },
    [`openskills ${version('openskills')}`]: {
      program: start('openskills'),
      silent: (repository) => [
        ['install', repository, '--global', '-y'],
        ['sync', '-y'],
      ],
      asking: (repository) => ['install', repository],
    },
  };
}

async function measure({ program, silent, asking, keys = [] }: Peer): Promise<readonly string[]> {
  const questions = await inHome(async (home, repository) =>
    countQuestions([...program, ...asking(repository)], keys, home),
  );
  return inHome(async (home, repository) => {
    const before = snapshotTree(home);
    let last = '';
    const commands = silent(repository);
    for (const words of commands) last = lastLine(await run([...program, ...words], home));
    const made = describeMade(before, snapshotTree(home));
    const lists = AGENTS.map((id) => listOf(id, home).join(', ') || 'none');
    return [String(commands.length), questions, made, ...lists, `\`${last}\``];
  });
}

/** A home with Claude Code and Codex, and beside it a repository of three skills. */
function inHome<T>(work: (home: string, repository: string) => Promise<T>): Promise<T> {
  return withScratch(async (dir) => {
    const [home, repository] = [join(dir, 'home'), join(dir, 'repository')];
    for (const agent of ['.claude', '.codex']) mkdirSync(join(home, agent), { recursive: true });
    for (const name of SKILLS) {
      const file = join(repository, 'skills', name, 'SKILL.md');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `---\nname: ${name}\ndescription: Helps with ${name}.\n---\nText.\n`);
    }
    return work(home, repository);
  });
}

function environmentOf(home: string): NodeJS.ProcessEnv {
  return { HOME: home, PATH: process.env['PATH'], TERM: 'xterm', DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
}

async function run([command = '', ...args]: readonly string[], home: string): Promise<string> {
  const child = spawn(command, args, { cwd: home, env: environmentOf(home), stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await once(child, 'close');
  return printed;
}

/** Presses these keys, and then Enter, whenever the program waits. */
async function countQuestions(words: readonly string[], keys: readonly string[], home: string): Promise<string> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty rows 50 cols 100 && ${line}`, '/dev/null'], {
    cwd: home,
    env: environmentOf(home),
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  });
  const left = [...keys];
  let questions = 0;
  const press = (): void => {
    const key = left.shift() ?? ENTER;
    if (key === ENTER) questions += 1;
    child.stdin.write(key);
  };
  let waiting = setTimeout(press, QUIET_MS);
  child.stdout.on('data', () => {
    clearTimeout(waiting);
    waiting = setTimeout(press, QUIET_MS);
  });
  await once(child, 'close');
  clearTimeout(waiting);
  return String(questions);
}

const ENTER = '\r';

/** The entries that are new, without caches. */
function describeMade(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string {
  const made = Object.entries(after).filter(
    ([path]) => !(path in before) && !path.endsWith('/') && !/(?:^|\/)(?:cache|\.npm)\//.test(path),
  );
  const links = made.filter(([, content]) => content.startsWith('-> '));
  const skills = made.filter(([path]) => path.endsWith('/SKILL.md'));
  const others = made.length - links.length - skills.length;
  return `${skills.length} skills, ${links.length} links, ${others} other files`;
}

function listOf(id: (typeof AGENTS)[number], home: string): readonly string[] {
  const { skills } = viewHost(HOSTS[id], { cwd: home, home, variables: { HOME: home } });
  return skills.filter(({ standing }) => standing === 'described').map(({ skill }) => skill.name);
}

function lastLine(printed: string): string {
  const lines = toPlain(printed)
    .split('\n')
    .map((line) => line.replaceAll(/[│└|]/g, '').trim());
  return lines.findLast((line) => line !== '') ?? '';
}
