import type { SandboxPolicy } from '../../model/config.ts';
import { once } from '../../model/once.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { openPipeSupply, type PipeSupply } from '../process/pipes.ts';
import { findInheritedDescriptors } from '../process/run-process.ts';
import {
  NO_FILES,
  runPlan,
  workDirOf,
  type Plan,
  type Probe,
  type SandboxBackend,
  type SandboxPromises,
} from './backend.ts';
import { openBubblewrap } from './bubblewrap.ts';
import { openLimits, OUTLIVES } from './limits.ts';
import { openNamespaces } from './namespaces.ts';
import { openOtherUser } from './other-user.ts';
import { findSandboxTools, type SandboxTools } from './system-view.ts';
import { TRIAL_MS, tryCommand } from './try-command.ts';

/** The means of this machine to contain scripts. Each is tried once, on first use. */
export interface Sandbox {
  /** The strongest backend that works here and that the policy allows. */
  choose(policy?: SandboxPolicy): Promise<Outcome<ChosenBackend>>;
  readonly pipes: PipeSupply;
  /** Descriptors that scripts must not inherit. */
  withheld(): readonly number[];
  /** Closes its open files. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ChosenBackend {
  readonly backend: SandboxBackend;
  readonly promises: SandboxPromises;
  /** Why a stronger one is not used, and how to change that; undefined if this is the strongest. */
  readonly missing?: Pick<Extract<Probe, { readonly works: false }>, 'reason' | 'next'>;
}

export interface SandboxOptions {
  /** Instead of the system's. */
  readonly tools?: SandboxTools | undefined;
  /** How long to wait for bubblewrap when it is tried; 5 s by default. */
  readonly trialMs?: number;
}

export function openSandbox({ tools = findSandboxTools(), trialMs = TRIAL_MS }: SandboxOptions = {}): Sandbox {
  const limits = openLimits(tools);
  const otherUser = openOtherUser(tools, limits);
  // Strongest first.
  const backends: readonly SandboxBackend[] = [
    openBubblewrap(tools, otherUser, trialMs),
    openNamespaces(tools, otherUser, trialMs),
    otherUser,
    limits,
  ];
  const pipes = openPipeSupply(
    async (paths) =>
      tools.mkfifo !== undefined && (await tryCommand([tools.mkfifo, '-m', '666', ...paths])) === undefined,
  );
  return {
    async choose(policy = 'auto') {
      if (policy === 'off') return { ok: true, backend: NO_SANDBOX, promises: NOTHING };
      let missing: ChosenBackend['missing'];
      for (const backend of backends) {
        const probe = await backend.probe();
        if (!probe.works) missing ??= probe;
        else if (policy === 'auto' || probe.promises.filesClosed)
          return { ok: true, backend, promises: probe.promises, ...(missing === undefined ? {} : { missing }) };
      }
      const why = `cannot run scripts: your setting sandbox: require needs a sandbox, but ${missing?.reason}`;
      return fail('SANDBOX_UNAVAILABLE', why, missing?.next);
    },
    pipes,
    withheld: once(findInheritedDescriptors),
    async [Symbol.asyncDispose]() {
      pipes.close();
      for (const backend of backends) await backend.close();
    },
  };
}

const NOTHING: SandboxPromises = {
  skillAtOwnPath: false,
  filesClosed: false,
  networkClosed: false,
  processesEnd: false,
};

/** For the policy `off`: an ordinary process in a process group. */
const NO_SANDBOX: SandboxBackend = {
  isolation: 'none',
  summary: 'with all your permissions',
  probe: () => Promise.resolve({ works: true, promises: NOTHING }),
  plan(job) {
    const notes = ['the sandbox is turned off', OUTLIVES];
    const place = { cwd: workDirOf(job), user: undefined, files: NO_FILES, visible: ['/'] };
    const plan: Plan = { isolation: 'none', promises: NOTHING, command: job.command, notes, ...place };
    return Promise.resolve({ ok: true, plan });
  },
  run: runPlan,
  close: () => Promise.resolve(),
};
