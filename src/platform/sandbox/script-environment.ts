import { delimiter } from 'node:path';

import { fail, type Failure, type Outcome } from '../../model/outcome.ts';

export interface ScriptPlaces {
  readonly skillDir: string;
  /** Where the script works. */
  readonly workDir: string;
  /** For caches and temporary files of programs. */
  readonly home: string;
  /** Folders of commands, before the system's own. */
  readonly commandDirs: readonly string[];
}

export type Variables = Readonly<Record<string, string>>;

export const SYSTEM_COMMAND_DIRS: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/** Builds the whole environment of a script: a few variables of ours, and those the caller passes. */
export function buildScriptEnvironment(
  { skillDir, workDir, home, commandDirs }: ScriptPlaces,
  passed: Variables = {},
): Outcome<{ readonly variables: Variables }> {
  for (const [name, value] of Object.entries(passed)) {
    const refusal = refuseVariable(name, value);
    if (refusal !== undefined) return refusal;
  }
  const variables = {
    LANG: 'C.UTF-8',
    // Bytecode would pass for files that the script wrote.
    PYTHONDONTWRITEBYTECODE: '1',
    ...windowsVariables(),
    ...passed,
    PATH: [...commandDirs, ...systemDirs()].join(delimiter),
    HOME: home,
    TMPDIR: home,
    SKILL_DIR: skillDir,
    SKILL_OUTPUT_DIR: workDir,
  };
  return { ok: true, variables };
}

function refuseVariable(name: string, value: string): Failure | undefined {
  const refuse = (reason: string): Failure => fail('SCRIPT_FAILED', `the variable ${JSON.stringify(name)} ${reason}`);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return refuse('has an invalid name: use letters, digits and _');
  if (OURS.has(name)) return refuse('is set by Skillplane and cannot be passed');
  if (LOADS_CODE.test(name)) return refuse('can make programs run other code and is not passed to scripts');
  return value.includes('\0') ? refuse('contains a NUL character') : undefined;
}

const OURS = new Set(['PATH', 'HOME', 'TMPDIR', 'SKILL_DIR', 'SKILL_OUTPUT_DIR']);

/**
 * Variables that make loaders, shells, interpreters and git run code. They are refused because the sandbox's own helpers
 * get the same environment before the sandbox is closed.
 */
const LOADS_CODE = new RegExp(
  `^(?:${[
    'LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*',
    'ENV|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|IFS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|ZDOTDIR',
    'NODE_(?:OPTIONS|PATH|REPL_.*|CHANNEL_.*|V8_COVERAGE|ICU_DATA|EXTRA_CA_CERTS|COMPILE_CACHE)|npm_config_.*',
    'PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|EXECUTABLE|USERBASE|PLATLIBDIR|PYCACHEPREFIX|WARNINGS)',
    'PERL5.*|PERLLIB|RUBYOPT|RUBYLIB|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_INI_SCAN_DIR',
    'JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|CLASSPATH',
    'GIT_(?!AUTHOR_|COMMITTER_).*|LESSOPEN|LESSCLOSE',
  ].join('|')})$`,
  process.platform === 'win32' ? 'i' : '',
);

function systemDirs(): readonly string[] {
  return process.platform === 'win32' ? [`${windowsRoot()}\\System32`, windowsRoot()] : SYSTEM_COMMAND_DIRS;
}

/** Windows starts no program without it. */
function windowsVariables(): Variables {
  return process.platform === 'win32' ? { SystemRoot: windowsRoot() } : {};
}

function windowsRoot(): string {
  return process.env['SystemRoot'] ?? 'C:\\Windows';
}
