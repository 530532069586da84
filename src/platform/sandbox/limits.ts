import { once } from '../../model/once.ts';
import {
  NO_FILES,
  runPlan,
  workDirOf,
  type Job,
  type Plan,
  type SandboxBackend,
  type SandboxPromises,
} from './backend.ts';
import { countOthers, withLimits } from './resource-limits.ts';
import type { SandboxTools } from './system-view.ts';
import { tryCommand } from './try-command.ts';

/**
 * A clean environment, a process group and resource limits; where the kernel allows it, also separate processes and
 * network. The file system stays open: the script reads and writes what its user may. Without a user namespace, a
 * script that runs as our own user can even signal our processes.
 */
export function openLimits(tools: SandboxTools): SandboxBackend {
  // Root cannot create a user namespace without capabilities, and with them would keep them in it.
  const helpers = once(() => findHelpers(isRoot() ? { ...tools, unshare: undefined } : tools));
  return {
    isolation: 'limits',
    summary: 'without a sandbox, with time and output limits only',
    probe: async () => ({ works: true, promises: promisesOf(await helpers()) }),
    plan: async (job) => ({ ok: true, plan: planLimits(job, await helpers()) }),
    run: runPlan,
    close: () => Promise.resolve(),
  };
}

export function isRoot(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** The programs that work here, by their paths. */
export interface Helpers {
  readonly sh: string | undefined;
  /** Gives a script its own processes, network and `/proc`. */
  readonly unshare: string | undefined;
  /** Prevents new privileges, as by `sudo`, and ends the script with us. */
  readonly setpriv: string | undefined;
  /** Can `setpriv` take root's capabilities from a process that stays root's? */
  readonly dropsRights: boolean;
}

/** Tries the helpers as the given user, by default as our own. */
export async function findHelpers({ sh, unshare, setpriv }: SandboxTools, user?: number): Promise<Helpers> {
  if (process.platform !== 'linux' || sh === undefined)
    return { sh, unshare: undefined, setpriv: undefined, dropsRights: false };
  const works = async (program: string | undefined, args: readonly string[]): Promise<boolean> =>
    program !== undefined && (await tryCommand([program, ...args, '--', sh, '-c', ':'], { user })) === undefined;
  return {
    sh,
    unshare: (await works(unshare, [...UNSHARE, '--net'])) ? unshare : undefined,
    setpriv: (await works(setpriv, SETPRIV)) ? setpriv : undefined,
    dropsRights: isRoot() && user === undefined && (await works(setpriv, [...SETPRIV, ...DROP_RIGHTS])),
  };
}

const SETPRIV: readonly string[] = ['--no-new-privs', '--pdeathsig=KILL'];
const DROP_RIGHTS: readonly string[] = ['--bounding-set=-all', '--inh-caps=-all'];
const UNSHARE: readonly string[] = [
  '--user',
  '--map-current-user',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--ipc',
];

export function promisesOf({ unshare }: Helpers): SandboxPromises {
  const hasNamespaces = unshare !== undefined;
  return { skillAtOwnPath: false, filesClosed: false, networkClosed: hasNamespaces, processesEnd: hasNamespaces };
}

/** Plans a job with these helpers, as the given user or as our own. */
export function planLimits(job: Job, helpers: Helpers, user?: number): Plan {
  const { sh, unshare, setpriv, dropsRights } = helpers;
  const hasNamespaces = unshare !== undefined;
  const others = countOthers(user ?? process.getuid?.(), hasNamespaces);
  return {
    isolation: 'limits',
    promises: promisesOf(helpers),
    command: [
      setpriv === undefined ? [] : [setpriv, ...SETPRIV, ...(dropsRights ? DROP_RIGHTS : []), '--'],
      unshare === undefined ? [] : [unshare, ...UNSHARE, ...(job.network ? [] : ['--net']), '--'],
      sh === undefined
        ? job.command
        : withLimits(job.command, { ...job, shell: sh, staysFirst: hasNamespaces, others }),
    ].flat(),
    cwd: workDirOf(job),
    user,
    files: NO_FILES,
    notes: findWeaknesses(job, helpers, user),
    visible: ['/'],
  };
}

export const OUTLIVES = 'a process that leaves its process group can outlive the script';

function findWeaknesses({ network }: Job, { sh, unshare, dropsRights }: Helpers, user?: number): readonly string[] {
  const hasNamespaces = unshare !== undefined;
  const staysRoot = isRoot() && user === undefined;
  const weaknesses: readonly (readonly [boolean, string])[] = [
    [true, 'the script could read and write all your files'],
    [!hasNamespaces && !isRoot(), 'the script could read the environment of this program'],
    [!hasNamespaces && !network, 'the network is open'],
    [staysRoot, dropsRights ? 'the script runs as root' : 'the script has all permissions of root'],
    [sh === undefined, 'this system has no resource limits'],
    [staysRoot || process.platform !== 'linux', 'the number of its processes is not limited'],
    [!hasNamespaces, OUTLIVES],
  ];
  return weaknesses.flatMap(([isSo, note]) => (isSo ? [note] : []));
}
