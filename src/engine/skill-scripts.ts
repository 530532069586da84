import type { SkillLoader } from '../activate/loader.ts';
import type { ScriptOptions } from '../activate/run-script.ts';
import { listScripts } from '../activate/scripts.ts';
import { fetchLocated } from '../catalog/locate.ts';
import type { Trust } from '../catalog/trust.ts';
import type { ConfigReading } from '../config/read-config.ts';
import {
  stringOrBytes,
  checkCall,
  either,
  aNumber,
  aBoolean,
  aFunction,
  anObject,
  optionsOf,
  aString,
  strings,
} from '../model/check-arguments.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Environment } from '../platform/environment.ts';
import { projectDirectories } from '../platform/project.ts';
import type { ScriptOutcome } from '../platform/sandbox/run-sandboxed.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Usage } from '../usage/usage.ts';

/** Runs scripts of skills. */
export interface SkillScripts {
  /** Paths of a skill's scripts, relative to the skill. */
  list(name: string): Outcome<{ readonly scripts: readonly string[] }>;
  /**
   * Runs a script of a trusted skill with limits, in the best isolation available. If the script started, a failure has
   * every field of a success. It works in a copy of its skill, next to its inputs, or in the `workspace`. The result
   * lists the files it wrote; `saveTo` copies them. The copy is deleted by `dispose` or with the engine.
   */
  run(name: string, script: string, call?: RunOptions): Promise<ScriptOutcome>;
  /** Files in the working directory that arguments name, and that a script would not see because they are not among its inputs. */
  findUngiven(args: readonly string[], inputs: readonly string[]): Promise<readonly string[]>;
  /** Releases what running scripts holds open. */
  close(): Promise<void>;
}

export interface RunOptions extends ScriptOptions {
  /** Did a person start it, and not a model? It counts as theirs in the history of use; false. */
  readonly byPerson?: boolean | undefined;
  readonly args?: readonly string[] | undefined;
}

const RUN_OPTIONS = optionsOf<RunOptions>({
  byPerson: aBoolean,
  args: strings,
  env: either('names of variables, or their values by name', strings, anObject),
  network: either('true or a list of hosts', aBoolean, strings),
  signal: anObject,
  input: either('a string, bytes or a stream', stringOrBytes, anObject),
  onOutput: aFunction,
  limits: anObject,
  timeoutMs: aNumber,
  inputs: strings,
  workspace: aString,
  cwd: aString,
  maxOutputBytes: aNumber,
});

export interface ScriptParts {
  readonly environment: Environment;
  readonly config: () => ConfigReading;
  readonly loader: SkillLoader;
  readonly trust: Trust;
  readonly usage: Usage;
  readonly sandbox: LazySandbox;
}

/** The sandbox, shared by all views of an engine. Opened when needed: most processes run no script. */
export interface LazySandbox {
  readonly open: () => Promise<Sandbox>;
  /** How to remove the folders of runs that are not disposed of. */
  readonly folders: Set<() => void>;
  readonly close: () => Promise<void>;
}

export function openSandboxLater(): LazySandbox {
  let opened: Sandbox | undefined;
  const folders = new Set<() => void>();
  return {
    folders,
    async open() {
      const { openSandbox } = await import('../platform/sandbox/sandbox.ts');
      return (opened ??= openSandbox());
    },
    async close() {
      for (const dispose of folders) dispose();
      folders.clear();
      await opened?.[Symbol.asyncDispose]();
      opened = undefined;
    },
  };
}

/** Keeps how to remove the folder of a run until that is done; of its output, nothing. */
function keepFolder(folders: Set<() => void>, remove: () => void): () => void {
  const dispose = (): void => {
    remove();
    folders.delete(dispose);
  };
  folders.add(dispose);
  return dispose;
}

export function openSkillScripts({ environment, config, loader, trust, usage, sandbox }: ScriptParts): SkillScripts {
  const project = projectDirectories(environment.cwd).at(-1) ?? environment.cwd;
  return {
    list(name) {
      checkCall('list(name)', { name: [name, aString] });
      const located = loader.locate(name);
      return located.ok ? { ok: true, scripts: listScripts(located) } : located;
    },
    async run(name, script, call = {}) {
      const given = { name: [name, aString], script: [script, aString], options: [call, RUN_OPTIONS] } as const;
      checkCall('run(name, script, options?)', given);
      const { args = [], byPerson = false, ...options } = call;
      const located = loader.locate(name);
      if (!located.ok) return located;
      const fetched = await fetchLocated(located);
      if (!fetched.ok) return fetched;
      const { sandbox: policy, scriptTimeout: timeoutMs, privateHosts } = config().config;
      // Lazy: callers that run no script should not pay for this.
      const { runScript } = await import('../activate/run-script.ts');
      const { openProgramFinder, temporaryFolder } = await import('../platform/process/programs.ts');
      const outcome = await runScript(
        located,
        { ...options, script, args },
        {
          prepare: (skill, copyDir) => trust.prepare(skill, copyDir),
          programs: openProgramFinder(environment, [located.realDir, environment.cwd, project]),
          sandbox: await sandbox.open(),
          policy,
          timeoutMs,
          scratchParent: temporaryFolder(),
          cwd: environment.cwd,
          home: environment.home,
          variables: environment.variables,
          privateHosts,
        },
      );
      if (!('dispose' in outcome)) return outcome;
      const { name: skill } = located.skill;
      await usage.record([{ skill, kind: byPerson ? 'invoked' : 'ran', outcome: outcome.ok ? 'ok' : 'failed' }]);
      // Without files the folder is gone already.
      if (outcome.files.length === 0 && !outcome.filesCut) return outcome;
      return { ...outcome, dispose: keepFolder(sandbox.folders, outcome.dispose) };
    },
    async findUngiven(args, inputs) {
      const { findUngiven } = await import('../activate/script-inputs.ts');
      return findUngiven(args, inputs, environment.cwd);
    },
    close: () => sandbox.close(),
  };
}
