import { MAX_SKILL_FILE_BYTES } from '../../model/limits.ts';
import type { Environment } from '../environment.ts';
import { temporaryFolder } from '../process/programs.ts';
import { runProcess } from '../process/run-process.ts';
import { buildGitEnvironment } from './git-environment.ts';

/** Runs git with these arguments and returns its output; undefined if it fails, or says more than a SKILL.md may have. */
export type LocalGit = (args: readonly string[]) => Promise<string | undefined>;

const TIMEOUT_MS = 10_000;

/** Git in a repository of this machine, without the user's configuration. */
export function openLocalGit(environment: Environment, root: string): LocalGit {
  const home = temporaryFolder();
  const env = buildGitEnvironment({
    environment,
    protocol: 'file',
    home,
    secretSettings: [],
    useGitCredentials: false,
  });
  const options = { cwd: root, env, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_SKILL_FILE_BYTES };
  return async (args) => {
    const { exitCode, stdout } = await runProcess(['git', ...args], options);
    return exitCode === 0 ? stdout : undefined;
  };
}
