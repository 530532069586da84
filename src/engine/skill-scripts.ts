import type { SkillLoader } from '../activate/loader.ts';
import type { ScriptOptions } from '../activate/run-script.ts';
import { listScripts } from '../activate/scripts.ts';
import type { Trust } from '../catalog/trust.ts';
import type { ConfigReading } from '../config/read-config.ts';
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
   * Runs a script of a trusted skill within limits, in the best isolation this machine offers. If the script started,
   * a failure carries everything that a success does. Its files stay in `outputDir` until `dispose` is called.
   */
  run(name: string, script: string, call?: RunOptions): Promise<ScriptOutcome>;
  /** Releases what running scripts holds open. */
  close(): Promise<void>;
}

export interface RunOptions extends ScriptOptions {
  readonly args?: readonly string[] | undefined;
}

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
  readonly close: () => Promise<void>;
}

export function openSandboxLater(): LazySandbox {
  let opened: Sandbox | undefined;
  return {
    async open() {
      const { openSandbox } = await import('../platform/sandbox/sandbox.ts');
      return (opened ??= openSandbox());
    },
    async close() {
      await opened?.[Symbol.asyncDispose]();
      opened = undefined;
    },
  };
}

export function openSkillScripts({ environment, config, loader, trust, usage, sandbox }: ScriptParts): SkillScripts {
  const project = projectDirectories(environment.cwd).at(-1) ?? environment.cwd;
  return {
    list(name) {
      const located = loader.locate(name);
      return located.ok ? { ok: true, scripts: listScripts(located) } : located;
    },
    async run(name, script, { args = [], ...options } = {}) {
      const located = loader.locate(name);
      if (!located.ok) return located;
      const { sandbox: policy, scriptTimeout: timeoutMs } = config().config;
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
        },
      );
      const hasRun = outcome.ok || 'exitCode' in outcome;
      const { name: skill } = located.skill;
      if (hasRun) await usage.record([{ skill, kind: 'ran', outcome: outcome.ok ? 'ok' : 'failed' }]);
      return outcome;
    },
    close: () => sandbox.close(),
  };
}
