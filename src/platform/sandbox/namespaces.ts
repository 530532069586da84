import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { once } from '../../model/once.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import { isInside } from '../files/files.ts';
import type { ProcessResult } from '../process/run-process.ts';
import {
  foldersOf,
  visiblePaths,
  refuseUnseen,
  runPlan,
  workDirOf,
  type Job,
  type Plan,
  type Probe,
  type SandboxBackend,
  type SandboxPromises,
} from './backend.ts';
import { openToOtherUser } from './other-user.ts';
import { pickUser } from './picked-user.ts';
import { countOthers, withLimits } from './resource-limits.ts';
import {
  ALLOW_NAMESPACES,
  buildView,
  ETC_FILES,
  MEMORY_FOLDER_BYTES,
  readSystemView,
  SCRIPT_USER,
  type SandboxTools,
  type ScriptFolders,
  type SystemView,
  type ViewStep,
} from './system-view.ts';
import { tryCommand } from './try-command.ts';

const PROMISES: SandboxPromises = { skillAtOwnPath: true, filesClosed: true, networkClosed: true, processesEnd: true };

/**
 * The same containment as by bubblewrap, with the programs of util-linux, which every distribution has. It cannot filter system
 * calls. Root starts it as another user, if `otherUser` works and that user can reach everything.
 */
export function openNamespaces(tools: SandboxTools, otherUser: SandboxBackend, trialMs: number): SandboxBackend {
  const startsAsOther = once(async () => (await otherUser.probe()).works);
  const find = once(async () => tryNamespaces(tools, (await startsAsOther()) ? pickUser() : undefined, trialMs));
  return {
    isolation: 'namespaces',
    summary: 'in namespaces of their own, without a system call filter',
    async probe() {
      const trial = await find();
      return trial.works ? { works: true, promises: PROMISES } : trial;
    },
    async plan(job) {
      const trial = await find();
      return trial.works
        ? planNamespaces(trial, job, startsAsOther)
        : fail('SANDBOX_UNAVAILABLE', trial.reason, trial.next);
    },
    async run(plan, options) {
      // The first signal would end both the namespace and the script.
      const { result } = await runPlan(plan, { ...options, graceMs: 0 });
      // `unshare` of util-linux 2.38 ends with 1 where it was meant to end by the signal of its child.
      if (result.ended !== 'exited') return { ok: true, result: { ...result, exitCode: null, signal: 'SIGKILL' } };
      const complaint = isSetupFailure(result) ? result.stderr : readWhole(plan.files.descriptors[0]);
      return complaint === ''
        ? { ok: true, result }
        : fail('SANDBOX_UNAVAILABLE', `the namespaces could not be set up: ${complaint.trim()}`);
    },
    close: () => Promise.resolve(),
  };
}

/** A script that imitates this harms only itself. */
function isSetupFailure({ exitCode, stdout, stderr }: ProcessResult): boolean {
  return exitCode === SETUP_FAILED && stdout === '' && stderr.trimEnd().endsWith(SETUP_MESSAGE);
}

/** The text of an open file, from its start. */
function readWhole(descriptor: number | undefined): string {
  if (descriptor === undefined) return '';
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  readSync(descriptor, bytes, 0, bytes.length, 0);
  return bytes.toString();
}

const SETUP_FAILED = 125;
const SETUP_MESSAGE = 'sandbox: not set up';

type Helpers = { readonly [Name in 'sh' | 'unshare' | 'setpriv' | 'mount' | 'umount' | 'pivotRoot']: string };
type Trial =
  | { readonly works: true; readonly helpers: Helpers; readonly view: SystemView }
  | Extract<Probe, { readonly works: false }>;

async function tryNamespaces(tools: SandboxTools, user: number | undefined, trialMs: number): Promise<Trial> {
  const { sh, unshare, setpriv, mount, umount, pivotRoot } = tools;
  if (
    process.platform !== 'linux' ||
    sh === undefined ||
    unshare === undefined ||
    setpriv === undefined ||
    mount === undefined ||
    umount === undefined ||
    pivotRoot === undefined
  )
    return {
      works: false,
      reason: 'the programs of util-linux are missing',
      next: { ask: 'user', to: 'Install util-linux.' },
    };
  const helpers = { sh, unshare, setpriv, mount, umount, pivotRoot };
  const view = readSystemView();
  const folders = { skillDir: '/usr', skillContent: '/usr', writable: [], kept: [], toolPaths: [], network: false };
  const command = buildNamespaces({ helpers, view }, { ...folders, workDir: '/usr', command: [sh, '-c', ':'] });
  const problem = await tryCommand(command, { user, timeoutMs: trialMs });
  if (problem === undefined) return { works: true, helpers, view };
  return { works: false, reason: `user namespaces do not work here: ${problem}`, next: ALLOW_NAMESPACES };
}

async function planNamespaces(
  { helpers, view }: Extract<Trial, { readonly works: true }>,
  job: Job,
  startsAsOther: () => Promise<boolean>,
): Promise<Outcome<{ readonly plan: Plan }>> {
  const refusal = refuseUnseen(job);
  if (refusal !== undefined) return refusal;
  const access = await openToOtherUser(job, { startsAsOther, canOpen: () => Promise.resolve(false) });
  if (!access.ok) return access;
  const { user, skillContent, notes } = access;
  const others = countOthers(user ?? process.getuid?.(), true);
  const command = withLimits(job.command, { ...job, shell: helpers.sh, staysFirst: true, others });
  const inside = { ...foldersOf({ ...job, skillContent }), command, workDir: workDirOf(job), stderr: 4 };
  const file = join(job.scratch.root, 'unshare');
  const ownStderr = openSync(file, 'w+', 0o600);
  // The open file is enough, and nothing is left beside the results.
  unlinkSync(file);
  const plan: Plan = {
    isolation: 'namespaces',
    promises: PROMISES,
    // `unshare` of util-linux 2.38 complains about a child that was killed: its words are not the script's.
    command: [helpers.sh, '-c', 'exec 4>&2 2>&3 3>&-; exec "$@"', 'sh', ...buildNamespaces({ helpers, view }, inside)],
    cwd: '/',
    user,
    files: { descriptors: [ownStderr], close: () => closeSync(ownStderr) },
    notes: [
      ...notes,
      'system calls are not filtered',
      ...(job.network ? ['sockets of your session that have no path can be reached'] : []),
    ],
    visible: visiblePaths(job),
  };
  return { ok: true, plan };
}

interface NamespaceJob extends ScriptFolders {
  /** Becomes the first process of the namespace. */
  readonly command: readonly string[];
  /** Where it starts. */
  readonly workDir: string;
  /** The descriptor of the script's stderr, if it is not that of `unshare`, too. */
  readonly stderr?: number;
}

/**
 * Builds a command that runs in its own namespaces, without capabilities. A shell that is root of a user namespace builds the file
 * system and then enters a second user namespace, which has no rights over the first one; a third one cannot be made. Start
 * it with a clean environment, which the script can read.
 */
function buildNamespaces(
  { helpers, view }: { readonly helpers: Helpers; readonly view: SystemView },
  job: NamespaceJob,
): readonly string[] {
  const { sh, unshare, setpriv } = helpers;
  const setup = [sh, '-c', buildSetup(helpers, view, job), 'sh', ...job.command];
  return [
    [setpriv, '--no-new-privs', '--pdeathsig=KILL', '--'],
    [
      unshare,
      '--user',
      '--map-root-user',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '--ipc',
      '--uts',
      '--cgroup',
      '--',
    ],
    // A network that is made later belongs to this root, who may switch its loopback on.
    job.network ? [] : [unshare, '--net', '--'],
    setup,
  ].flat();
}

/** The new root is built here: no script needs what is there. */
const ROOT = '/sys';

function buildSetup(
  { mount, umount, pivotRoot, unshare, setpriv }: Helpers,
  view: SystemView,
  job: NamespaceJob,
): string {
  const steps = buildView(view, job);
  const memory = steps.filter(({ kind }) => kind === 'memory');
  const mounted = steps.filter(({ kind }) => kind !== 'memory' && kind !== 'link');
  const folders = mounted.map((step) => ('path' in step && !isDirectory(step.path) ? dirname(step.at) : step.at));
  const files = mounted.flatMap((step) => ('path' in step && !isDirectory(step.path) ? [step.at] : []));
  const links = steps.filter((step) => step.kind === 'link');
  const cache = view.libraryCache;
  const mounts = readMounts();
  return `
${job.stderr === undefined ? '' : `exec 2>&${job.stderr} ${job.stderr}>&-`}
set -e
trap 'echo ${SETUP_MESSAGE} >&2; exit ${SETUP_FAILED}' EXIT
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount_all() { ${quote(mount)} --all --fstab ${ROOT}/.mounts; rm ${ROOT}/.mounts; }
${job.network ? '' : `${quote(mount)} -t sysfs sysfs ${ROOT}; echo 0x9 > ${ROOT}/class/net/lo/flags; ${quote(umount)} ${ROOT}`}
{ hostname skill || :; } 2> /dev/null
${quote(mount)} -t tmpfs -o mode=755,size=16m skill ${ROOT}
mkdir -p ${words(['/etc', '/.old', ...memory.map(({ at }) => at)].map(below))}
cat > ${ROOT}/.mounts <<'END'
${memory.map(({ at }) => fstabLine('tmpfs', below(at), 'tmpfs', `size=${MEMORY_FOLDER_BYTES},mode=1777,nosuid,nodev`)).join('\n')}
END
mount_all
mkdir -p ${words([...folders, ...links.map(({ at }) => dirname(at))].map(below))}
for file in ${words(files.map(below))}; do : > "$file"; done
${links.map(({ at, target }) => `ln -s ${words([target, below(at)])}`).join('\n')}
${Object.entries(ETC_FILES)
  .map(([name, text]) => `[ -e ${ROOT}/etc/${name} ] || printf %s ${quote(text)} > ${ROOT}/etc/${name}`)
  .join('\n')}
${cache === undefined ? '' : `cp ${words([cache, below(cache)])}`}
cat > ${ROOT}/.mounts <<'END'
${mounted.flatMap((step) => renderMount(step, mounts)).join('\n')}
END
mount_all
cd ${ROOT}
${quote(pivotRoot)} . .old
${quote(umount)} -l /.old
rmdir /.old
echo 1 > /proc/sys/user/max_user_namespaces
${quote(mount)} -o remount,bind,ro /
cd ${quote(job.workDir)}
trap - EXIT
PATH=$path
unset OLDPWD path
exec ${words([unshare, '--user', `--map-user=${SCRIPT_USER}`, `--map-group=${SCRIPT_USER}`, '--keep-caps', '--'])} ${words(
    [
      setpriv,
      '--no-new-privs',
      '--pdeathsig=KILL',
      '--ambient-caps=-all',
      '--inh-caps=-all',
      '--bounding-set=-all',
      '--',
    ],
  )} "$@"
`;
}

function below(path: string): string {
  return `${ROOT}${path}`;
}

function isDirectory(path: string): boolean {
  const stats = attempt(() => statSync(path));
  return stats.ok && stats.value.isDirectory();
}

/** One word for any POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function words(all: readonly string[]): string {
  return [...new Set(all)].map(quote).join(' ');
}

function fstabLine(...[source, target, type, options]: readonly [string, string, string, string]): string {
  const escape = (text: string): string =>
    text.replaceAll(/[\s\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `${escape(source)} ${escape(target)} ${type} ${options} 0 0`;
}

function renderMount(step: ViewStep, mounts: readonly MountPoint[]): readonly string[] {
  if (step.kind === 'processes') return [fstabLine('proc', below(step.at), 'proc', 'nosuid,nodev,noexec')];
  if (step.kind === 'device') return [fstabLine(step.path, below(step.at), 'none', 'bind')];
  if (step.kind === 'write') return [fstabLine(step.path, below(step.at), 'none', 'rbind')];
  if (step.kind !== 'read') return [];
  // Each file system in it needs a mount of its own, since only the top one becomes read-only.
  const inner = mounts.filter(({ at }) => at !== step.path && isInside(at, step.path)).map(({ at }) => at);
  return [step.path, ...new Set(inner)].map((path) =>
    fstabLine(path, below(`${step.at}${path.slice(step.path.length)}`), 'none', readOnly(path, mounts)),
  );
}

/** A user namespace may not take `noexec` from a file system that has it. */
function readOnly(path: string, mounts: readonly MountPoint[]): string {
  const mount = mounts.findLast(({ at }) => isInside(path, at));
  return `rbind,ro,nosuid,nodev${mount?.isNoExec === true ? ',noexec' : ''}`;
}

interface MountPoint {
  readonly at: string;
  readonly isNoExec: boolean;
}

/** The file systems of this machine, outer ones first; see proc(5). */
function readMounts(): readonly MountPoint[] {
  const text = attempt(() => readFileSync('/proc/self/mountinfo', 'utf8'));
  const lines = text.ok ? text.value.split('\n') : [];
  return lines
    .map((line) => line.split(' '))
    .flatMap(([, , , , at, options]) =>
      at === undefined || options === undefined
        ? []
        : [{ at: unescapeOctal(at), isNoExec: options.split(',').includes('noexec') }],
    )
    .toSorted((a, b) => a.at.length - b.at.length);
}

function unescapeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}
