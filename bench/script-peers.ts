import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { openSkills } from '../src/engine/open-skills.ts';
import { AUTHOR_SCRIPTS, PROBES, SKILL_FILES, USER_FILES, type AuthorScript } from './author-scripts.ts';
import { withScratch } from './scratch.ts';
import { renderSection } from './table.ts';

/** The result of a run, wherever it ran. */
interface Ran {
  readonly printed: string;
  readonly exitCode: number | null;
  /** The text of a file, from the folder in which the script worked; undefined if there is none. */
  readonly read: (path: string) => Promise<string | undefined>;
}

type Runner = (script: AuthorScript, world: World) => Promise<Ran>;

interface World {
  readonly skill: string;
  readonly workspace: string;
  readonly url: string;
}

const SERVER = `
const server = require('node:http').createServer((_, response) => response.end('up\\n'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
const KEY = '0123456789abcdef';
const SECRET = 'hunter2';

/** Runs the same scripts here, in a plain shell and in `bash-tool`: which work, and what they reach. */
export async function measureScriptPeers(args: readonly string[]): Promise<string> {
  const at = args.indexOf('--bash-tool');
  const folder = at === -1 ? undefined : args[at + 1];
  const peers = folder === undefined ? undefined : await openBashTool(resolve(folder));
  const runners: Readonly<Record<string, Runner>> = { 'a plain shell': runPlain, Skillplane: runHere, ...peers };
  // In a process of its own: a script of a peer may block this one while it waits for the answer.
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port]: unknown[] = await once(server.stdout, 'data');
  const url = `http://localhost:${String(port).trim()}`;
  process.env['BENCH_SECRET'] = SECRET;
  try {
    const note =
      peers === undefined
        ? 'bash-tool was not measured: install it in a folder of its own (`npm install bash-tool just-bash`) and name that with `--bash-tool <folder>`.'
        : 'bash-tool runs scripts in just-bash, a shell in memory: as its README shows it, and with Python, JavaScript, the key and the host switched on. Files that a script writes there stay in memory until the program copies them.';
    const works = await compare(AUTHOR_SCRIPTS, runners, url, async (script, ran) => {
      const hasPrinted = ran.printed.includes(script.prints ?? '');
      const [path, part] = script.writes ?? [];
      const hasWritten = path === undefined || (await ran.read(path))?.includes(part ?? '') === true;
      return ran.exitCode === 0 && hasPrinted && hasWritten ? 'works' : 'fails';
    });
    const probes = PROBES.map(({ file, reaches, code }) => ({ file, does: reaches, code }));
    const reached = await compare(probes, runners, url, async (_, ran, home) =>
      ran.printed.includes('REACHED') || existsSync(join(home, 'owned')) ? '**reached**' : 'not reached',
    );
    const columns = Object.keys(runners);
    return [
      {
        title: 'Scripts as their authors wrote them',
        note: `Unmodified, with the inputs, the key, the host or the workspace that they need. ${note}`,
        columns: ['script', '', ...columns],
        rows: [...works, ['works', '', ...columns.map((_, column) => count(works, column + 2))]],
      },
      {
        title: 'What scripts reach without a permission',
        note: 'The same programs run scripts that try to reach what nobody gave them.',
        columns: ['script', 'tries to reach', ...columns],
        rows: reached,
      },
    ]
      .map(renderSection)
      .join('\n')
      .trimEnd();
  } finally {
    delete process.env['BENCH_SECRET'];
    server.kill();
  }
}

function count(rows: readonly (readonly string[])[], column: number): string {
  return `${rows.filter((row) => row[column] === 'works').length} of ${rows.length}`;
}

type Judge = (script: AuthorScript, ran: Ran, home: string) => Promise<string>;

async function compare(
  scripts: readonly AuthorScript[],
  runners: Readonly<Record<string, Runner>>,
  url: string,
  judge: Judge,
): Promise<readonly (readonly string[])[]> {
  const rows = [];
  for (const script of scripts) {
    const cells = [];
    for (const run of Object.values(runners))
      cells.push(
        await withScratch(async (dir) => {
          const home = join(dir, 'home');
          const fill = (text: string): string =>
            text
              .replaceAll('{server}', url)
              .replaceAll('{secret}', join(home, 'key'))
              .replaceAll('{outside}', join(home, 'owned'));
          const filled = { ...script, code: fill(script.code), args: script.args?.map(fill) ?? [] };
          const world = { skill: join(dir, 'skills/author'), workspace: join(dir, 'work'), url };
          write(home, { key: `${SECRET}\n` });
          write(world.skill, { ...SKILL_FILES, [`scripts/${script.file}`]: filled.code });
          write(world.workspace, USER_FILES);
          return judge(filled, await run(filled, world), home);
        }),
      );
    rows.push([script.file, script.does, ...cells]);
  }
  return rows;
}

function write(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content, { mode: 0o755 });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  '.sh': 'bash',
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
};

function commandOf({ file, args = [] }: AuthorScript): readonly string[] {
  return [INTERPRETERS[extname(file)] ?? 'sh', `scripts/${file}`, ...args];
}

/** As a person who trusts the skill starts it: in its folder, with the files beside it. */
const runPlain: Runner = async (script, { skill, workspace }) => {
  const inWorkspace = script.needs === 'workspace';
  write(skill, Object.fromEntries((script.inputs ?? []).map((path) => [path, USER_FILES[path] ?? ''])));
  const cwd = inWorkspace ? workspace : skill;
  const [program = '', file = '', ...args] = commandOf(script);
  const child = spawn(program, [join(skill, file), ...args], {
    cwd,
    env: { ...process.env, ...(script.needs === 'key' ? { API_KEY: KEY } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { printed: stdout + stderr, exitCode: child.exitCode, read: (path) => readIfThere(join(cwd, path)) };
};

const runHere: Runner = async ({ file, args, inputs, needs }, { skill, workspace, url }) => {
  const skills = await openSkills({
    cwd: workspace,
    home: join(workspace, '../home'),
    dirs: [{ path: dirname(skill), trusted: true }],
  });
  try {
    const ran = await skills.scripts.run('author', file, {
      args,
      inputs,
      ...(needs === 'key' ? { env: { API_KEY: KEY } } : {}),
      ...(needs === 'host' ? { network: [new URL(url).host] } : {}),
      ...(needs === 'workspace' ? { workspace } : {}),
    });
    if (!('stdout' in ran)) return { printed: ran.message, exitCode: null, read: async () => undefined };
    const texts = new Map(ran.files.map(({ path }) => [path, readFileSync(join(ran.outputDir, path), 'utf8')]));
    return { printed: ran.stdout + ran.stderr, exitCode: ran.exitCode, read: async (path) => texts.get(path) };
  } finally {
    await skills.close();
  }
};

/** The part of `bash-tool` and `just-bash` that is used here. */
interface BashTool {
  readonly createBashTool: (options: object) => Promise<{
    readonly bash: {
      readonly execute: (
        input: object,
        options: object,
      ) => Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }>;
    };
  }>;
}

/** Both ways to run scripts in `bash-tool`, which is installed in this folder. */
async function openBashTool(folder: string): Promise<Readonly<Record<string, Runner>>> {
  const load = async (name: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, 'node_modules', name, readEntry(join(folder, 'node_modules', name)))).href);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { createBashTool } = (await load('bash-tool')) as BashTool;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { Bash } = (await load('just-bash')) as { readonly Bash: new (options: object) => object };
  const runIn = async (script: AuthorScript, options: object, node = 'node'): Promise<Ran> => {
    const files = {
      ...SKILL_FILES,
      ...USER_FILES,
      [`scripts/${script.file}`]: script.code,
    };
    const { bash } = await createBashTool({ ...options, files, destination: '/workspace' });
    const [program, ...words] = commandOf(script);
    const command = [program === 'node' ? node : program, ...words.map((word) => `'${word}'`)].join(' ');
    const { stdout, stderr, exitCode } = await bash.execute({ command }, { toolCallId: 'x', messages: [] });
    const read = async (path: string): Promise<string | undefined> => {
      const found = await bash.execute({ command: `cat '${path}'` }, { toolCallId: 'y', messages: [] });
      return found.exitCode === 0 ? found.stdout : undefined;
    };
    return { printed: stdout + stderr, exitCode, read };
  };
  return {
    'bash-tool': (script) => runIn(script, {}),
    'bash-tool, all on': (script, { url }) => {
      const env = script.needs === 'key' ? { env: { API_KEY: KEY } } : {};
      const network =
        script.needs === 'host' ? { network: { allowedUrlPrefixes: [url], denyPrivateRanges: false } } : {};
      const sandbox = new Bash({ cwd: '/workspace', python: true, javascript: true, ...env, ...network });
      return runIn(script, { sandbox }, 'js-exec');
    },
  };
}

function readEntry(dir: string): string {
  const { exports, main }: { exports?: Record<string, unknown>; main?: string } = JSON.parse(
    readFileSync(join(dir, 'package.json'), 'utf8'),
  );
  const entry = exports?.['.'];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const named = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)['import'] : entry;
  const found = typeof named === 'object' && named !== null ? Object.values(named).at(-1) : named;
  return typeof found === 'string' ? found : (main ?? 'index.js');
}
