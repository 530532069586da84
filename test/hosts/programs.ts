import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Hosts whose programs are in the npm registry. */
export type ProgramId = 'claude-code' | 'codex' | 'copilot' | 'gemini' | 'opencode';

interface Package {
  readonly name: string;
  readonly version: string;
  /** The words that start it, below `node_modules`. Binaries come in packages of their own and need no script. */
  readonly start: readonly string[];
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** The versions in which the facts of `src/hosts/` were seen. */
export const PROGRAMS: Readonly<Record<ProgramId, Package>> = {
  'claude-code': {
    name: '@anthropic-ai/claude-code',
    version: '2.1.325',
    start: [`@anthropic-ai/claude-code-${PLATFORM}/claude`],
  },
  codex: { name: '@openai/codex', version: '0.166.0', start: ['.bin/codex'] },
  copilot: { name: '@github/copilot', version: '1.0.102', start: ['.bin/copilot'] },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', start: ['.bin/gemini'] },
  opencode: { name: 'opencode-ai', version: '1.18.33', start: [`opencode-${PLATFORM}/bin/opencode`] },
};

export const PROGRAM_IDS = Object.keys(PROGRAMS) as readonly ProgramId[];

/** Installs the programs, without their scripts, unless the folder has them. About 1.4 GB. */
export async function installPrograms(folder: string): Promise<void> {
  const isThere = ({ start: [path = ''] }: Package): boolean => existsSync(join(folder, 'node_modules', path));
  if (Object.values(PROGRAMS).every(isThere)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const wanted = Object.values(PROGRAMS).map(({ name, version }) => `${name}@${version}`);
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...wanted];
  await promisify(execFile)('npm', words, { cwd: folder, timeout: 600_000 });
}

/** The words that start a program. */
export function startOf(id: ProgramId, folder: string): readonly string[] {
  return PROGRAMS[id].start.map((path) => join(folder, 'node_modules', path));
}
