import type { Outcome } from '../../model/outcome.ts';
import { fail } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isBelow } from '../files/files.ts';
import { buildBubblewrap, withOpenFolders, type Bubblewrap, type SandboxFiles } from './bubblewrap.ts';
import { copyForUser, findClosedFolder, isOpenToOthers, pickUser } from './other-user.ts';
import { countOthers, withLimits, type ResourceLimits } from './resource-limits.ts';
import { DROP_RIGHTS, SETPRIV, UNSHARE, type Isolation, type LimitsAbility, type Sandbox } from './sandbox.ts';
import type { ScratchFolder } from './scratch-folder.ts';
import { isInSystemView } from './system-view.ts';

/** A file or folder that a script may read. */
export interface ScriptInput {
  /** Where the script sees it. */
  readonly path: string;
  readonly realPath: string;
}

/** One script to run. */
export interface Job {
  readonly command: readonly string[];
  readonly skillDir: string;
  /** The folder that it sees there. */
  readonly skillContent: string;
  readonly scratch: ScratchFolder;
  readonly toolPaths: readonly string[];
  readonly inputs: readonly ScriptInput[];
  readonly network: boolean;
  readonly timeoutMs: number;
  readonly limits: ResourceLimits;
}

/** How to start a job. */
export interface Launch {
  readonly isolation: Isolation;
  readonly command: readonly string[];
  readonly user: number | undefined;
  readonly files: Pick<SandboxFiles, 'descriptors' | 'close'>;
  /** True if all its processes are in a pid namespace and end with it. */
  readonly hasOwnProcesses: boolean;
  /** The weaknesses of this isolation here. */
  readonly notes: readonly string[];
  /** See `ScriptRun`. */
  readonly visible: readonly string[];
}

const EVERYTHING: Launch['visible'] = ['/'];
const NO_FILES: Launch['files'] = { descriptors: [], close: () => undefined };

export function planPlain({ command }: Job): Launch {
  return {
    isolation: 'none',
    command,
    user: undefined,
    files: NO_FILES,
    hasOwnProcesses: false,
    visible: EVERYTHING,
    notes: ['the sandbox is switched off', OUTLIVES],
  };
}

/**
 * Plans a clean environment, a process group and resource limits; where the kernel allows it, also its own processes and
 * network. The file system stays open: the script reads and writes what its user may. Without a user namespace, a script
 * that runs as our own user can even read our environment in `/proc`; bubblewrap prevents that.
 */
export async function planLimits(sandbox: Sandbox, job: Job, reason: string): Promise<Launch> {
  const { sh } = sandbox.tools;
  const user = await chooseUser(sandbox, job);
  const staysRoot = sandbox.isRoot && user === undefined;
  const ability = await sandbox.limits();
  // Root cannot create a user namespace without capabilities, and with them would keep them in it.
  const { setpriv, unshare, dropsRights } = staysRoot ? { ...ability, unshare: undefined } : ability;
  const hasOwnProcesses = unshare !== undefined;
  const others = countOthers(user ?? process.getuid?.(), hasOwnProcesses);
  const options = { ...job, staysFirst: hasOwnProcesses, others };
  const used = { job, staysRoot, isOurUser: !sandbox.isRoot, hasLimits: sh !== undefined };
  return {
    isolation: 'limits',
    command: [
      setpriv === undefined ? [] : [setpriv, ...SETPRIV, ...(staysRoot && dropsRights ? DROP_RIGHTS : []), '--'],
      unshare === undefined ? [] : [unshare, ...UNSHARE, ...(job.network ? [] : ['--net']), '--'],
      sh === undefined ? job.command : withLimits(job.command, { ...options, shell: sh }),
    ].flat(),
    user,
    files: NO_FILES,
    hasOwnProcesses,
    visible: EVERYTHING,
    notes: [reason, ...noteLimits({ setpriv, unshare, dropsRights }, used)],
  };
}

async function chooseUser(sandbox: Sandbox, job: Job): Promise<number | undefined> {
  const user = pickUser();
  const isPossible = (await sandbox.startsAsOther()) && isReachableByOthers(job) && job.scratch.giveTo(user);
  return isPossible ? user : undefined;
}

interface LimitsUsed {
  readonly job: Job;
  readonly staysRoot: boolean;
  readonly isOurUser: boolean;
  readonly hasLimits: boolean;
}

function noteLimits({ unshare, dropsRights }: LimitsAbility, used: LimitsUsed): readonly string[] {
  const hasNamespaces = unshare !== undefined;
  const weaknesses: readonly (readonly [boolean, string])[] = [
    [true, 'the script reads and writes whatever its user may'],
    [!hasNamespaces && used.isOurUser, 'the script can read the environment of this program'],
    [!hasNamespaces && !used.job.network, 'the network is open'],
    [used.staysRoot, dropsRights ? 'the script runs as root' : 'the script has all rights of root'],
    [!used.hasLimits, 'there are no resource limits on this system'],
    [used.staysRoot || process.platform !== 'linux', 'the number of its processes is not limited'],
    [!hasNamespaces, OUTLIVES],
  ];
  return weaknesses.flatMap(([isSo, note]) => (isSo ? [note] : []));
}

const OUTLIVES = 'a process that leaves its process group can outlive the script';

/** See bubblewrap.ts for what this prevents. */
export async function planBubblewrap(
  sandbox: Sandbox,
  bubblewrap: Bubblewrap,
  job: Job,
): Promise<Outcome<{ readonly launch: Launch }>> {
  const [program = ''] = job.command;
  const shown = [job.skillDir, ...job.toolPaths];
  const isVisible = isInSystemView(program) || shown.some((path) => program === path || isBelow(program, path));
  if (!isVisible) return fail('SCRIPT_FAILED', `${program} is outside the system, the skill and the toolPaths`);
  const access = sandbox.isRoot ? await openToOtherUser(sandbox, job) : ({ ok: true, ...OURSELVES } as const);
  if (!access.ok) return access;
  const { user, skillContent = job.skillContent, wrap, notes } = access;
  const opened = attempt(() => bubblewrap.content.open(job));
  if (!opened.ok) return fail('STORE_FAILED', `the sandbox could not be prepared: ${opened.message}`);
  const others = countOthers(user ?? process.getuid?.(), true);
  const command = withLimits(job.command, {
    ...job,
    shell: sandbox.tools.sh ?? '/bin/sh',
    staysFirst: true,
    others,
  });
  const inside = { ...job, command, skillContent, outputDir: job.scratch.dir };
  return {
    ok: true,
    launch: {
      isolation: 'bwrap',
      command: wrap(buildBubblewrap(bubblewrap, inside, opened.value)),
      user: wrap === asItIs ? user : undefined,
      files: opened.value,
      hasOwnProcesses: true,
      notes: bubblewrap.hasFilter ? notes : [...notes, NO_FILTER],
      visible: [...job.toolPaths, ...job.inputs.map(({ path }) => path)].filter((path) => !isInSystemView(path)),
    },
  };
}

const NO_FILTER = 'system calls are not filtered on this processor';

interface Access {
  /** Undefined: our own user. */
  readonly user: number | undefined;
  readonly skillContent: string | undefined;
  readonly wrap: (command: readonly string[]) => readonly string[];
  readonly notes: readonly string[];
}

const asItIs: Access['wrap'] = (command) => command;
const OURSELVES: Access = { user: undefined, skillContent: undefined, wrap: asItIs, notes: [] };

/** The kernel does not limit root's processes, so root starts scripts as another user, who must see enough. */
async function openToOtherUser(sandbox: Sandbox, job: Job): Promise<Outcome<Access>> {
  const isOpen = isOpenToOthers(job.skillContent);
  const closed = closedFolders(neededPaths(isOpen ? job : { ...job, skillContent: job.scratch.sideDir }));
  const opener = closed.size === 0 ? undefined : await sandbox.opener();
  const isReachable = closed.size === 0 || opener !== undefined;
  const user = pickUser();
  const isReadable = isReachable && areInputsOpen(job);
  if (!(await sandbox.startsAsOther()) || !isReadable || !job.scratch.giveTo(user))
    return { ok: true, ...OURSELVES, notes: ['the number of its processes is not limited'] };
  const skillContent = isOpen ? undefined : job.scratch.sideDir;
  const copied = skillContent === undefined ? { ok: true as const } : copyForUser(job.skillContent, skillContent, user);
  if (!copied.ok) return copied;
  const doors = { user, closed: [...new Set(closed.values())], needed: [...closed.keys()] };
  const wrap: Access['wrap'] =
    opener === undefined ? asItIs : (command) => withOpenFolders(command, { ...opener, ...doors });
  return { ok: true, user, skillContent, wrap, notes: [] };
}

function isReachableByOthers(job: Job): boolean {
  return closedFolders(neededPaths(job)).size === 0 && isOpenToOthers(job.skillContent) && areInputsOpen(job);
}

function areInputsOpen({ inputs }: Job): boolean {
  return inputs.every(({ realPath }) => isOpenToOthers(realPath));
}

function neededPaths({ skillContent, scratch, toolPaths, inputs }: Job): readonly string[] {
  const more = [...toolPaths, ...inputs.map(({ realPath }) => realPath)];
  const content = isBelow(skillContent, scratch.root) ? [] : [skillContent];
  return [...content, scratch.root, ...more.filter((path) => !isInSystemView(path))];
}

/** The paths that other users cannot reach, each with the folder that is closed to them. */
function closedFolders(paths: readonly string[]): ReadonlyMap<string, string> {
  const closed = new Map<string, string>();
  for (const path of paths) {
    const folder = findClosedFolder(path);
    if (folder !== undefined) closed.set(path, folder);
  }
  return closed;
}
