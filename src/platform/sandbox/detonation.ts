import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseJson } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';
import type { Program } from '../process/programs.ts';
import type { ProcessResult } from '../process/run-process.ts';
import type { Isolation, Job } from './backend.ts';
import { record, type NetworkEvent, type RecorderOptions } from './recorder.ts';
import { DEFAULT_LIMITS } from './resource-limits.ts';
import type { Sandbox } from './sandbox.ts';
import { makeScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { buildScriptEnvironment, type Variables } from './script-environment.ts';
import { isExecutable } from './system-view.ts';

export interface DetonationRequest {
  /** The real path of a program, and its arguments. */
  readonly command: readonly string[];
  readonly toolPaths: readonly string[];
  /** The real path of the skill, which stays as it is. */
  readonly skillDir: string;
  /** Texts by their path in the home of the script. */
  readonly home: Readonly<Record<string, string>>;
  /** Texts by their path in its working folder. */
  readonly work: Readonly<Record<string, string>>;
  readonly env: Variables;
  readonly input: string;
  /** Ports that answer in addition to the usual ones. */
  readonly ports: readonly number[];
  readonly node: Program;
  /** The answer to a download. */
  readonly program: string;
  /** The parent of the folders of this run. */
  readonly tmpDir: string;
  readonly timeoutMs: number;
}

/** Everything that a script did, as far as it could be seen. */
export interface Detonation {
  readonly isolation: Isolation;
  readonly ended: ProcessResult['ended'];
  readonly exitCode: number | null;
  readonly output: string;
  readonly network: readonly NetworkEvent[];
  /** The planted files of the home that were read; undefined if this file system does not tell. */
  readonly read: readonly string[] | undefined;
  /** The planted files of the home that have another content now, and new files, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** The commands that were started, without the interpreter itself; undefined without strace. */
  readonly started: readonly string[] | undefined;
  /** Addresses that it tried to reach without an answer. */
  readonly unanswered: readonly string[];
  /** Whole sentences about everything that could not be seen. */
  readonly blind: readonly string[];
}

const USUAL_PORTS = [
  21, 22, 25, 80, 443, 465, 587, 1337, 2525, 3000, 3333, 4443, 4444, 5000, 5555, 8000, 8080, 8443, 8888, 9000, 9001,
  9999,
];
const MAX_OUTPUT = 256 * 1024;
const MAX_LOG = 8 * 1024 * 1024;
const MAX_WRITTEN = 200;

/**
 * Runs a skill's program in the strongest sandbox, in a separate network where a recorder answers everything. Refused
 * if the sandbox cannot close files and network. Nothing leaves the machine.
 */
export async function detonate(sandbox: Sandbox, request: DetonationRequest): Promise<Outcome<Detonation>> {
  const chosen = await sandbox.choose('require');
  if (!chosen.ok) return chosen;
  const { backend, promises } = chosen;
  const tools = findTools();
  if (!promises.networkClosed || !promises.processesEnd || tools === undefined)
    return fail(
      'SANDBOX_UNAVAILABLE',
      'scripts are only run where a sandbox closes files and network, which needs util-linux',
    );
  const made = makeScratchFolder(request.tmpDir);
  if (!made.ok) return made;
  const scratch: ScratchFolder = made;
  try {
    const planted = plant(scratch, request);
    const certificates = makeAuthority(scratch.root, tools.openssl);
    const job: Job = {
      command: request.command,
      skillDir: request.skillDir,
      skillContent: request.skillDir,
      scratch,
      toolPaths: [...request.toolPaths, ...request.node.toolPaths],
      workspace: undefined,
      network: true,
      timeoutMs: request.timeoutMs,
      limits: DEFAULT_LIMITS,
    };
    const environment = buildScriptEnvironment(
      {
        skillDir: request.skillDir,
        workDir: scratch.dir,
        home: scratch.home,
        commandDirs: [dirname(request.command[0] ?? '')],
      },
      { ...request.env, ...CERTIFICATE_VARIABLES },
    );
    if (!environment.ok) return environment;
    const planned = await backend.plan(job);
    if (!planned.ok) return planned;
    const { plan } = planned;
    const paths = pathsIn(scratch.root);
    const recorder: RecorderOptions = {
      log: paths.log,
      ready: paths.ready,
      ended: paths.ended,
      complete: paths.complete,
      ports: [...new Set([...USUAL_PORTS, ...request.ports])],
      openssl: certificates === undefined ? undefined : tools.openssl,
      certificates: scratch.root,
      program: request.program,
      maxBytes: MAX_LOG,
      lifetimeMs: request.timeoutMs + 10_000,
    };
    try {
      const command = withRecordedNetwork(plan.command, {
        tools,
        recorder,
        node: request.node.path,
        paths,
        certificates,
      });
      const ran = await backend.run(
        { ...plan, command },
        {
          env: environment.variables,
          timeoutMs: request.timeoutMs,
          maxOutputBytes: MAX_OUTPUT,
          input: request.input,
          withheld: sandbox.withheld(),
        },
      );
      if (!ran.ok) return ran;
      if (!existsSync(paths.ready))
        return fail(
          'SANDBOX_UNAVAILABLE',
          `the recorded network could not be set up: ${ran.result.stderr.trim().slice(0, 200)}`,
        );
      const { ended, exitCode, stdout, stderr } = ran.result;
      const trace = tools.strace === undefined ? undefined : readTrace(paths.trace);
      return {
        ok: true,
        isolation: plan.isolation,
        ended,
        exitCode,
        output: `${stdout}${stderr}`,
        network: readEvents(paths.log),
        read: planted.canTell ? planted.listRead() : undefined,
        written: planted.listWritten(),
        started: trace?.started,
        unanswered: trace?.unanswered ?? [],
        blind: [
          ...(tools.strace === undefined
            ? ['strace is not installed, so the programs that were started are not known.']
            : []),
          ...(planted.canTell
            ? []
            : ['This file system keeps no access times, so files that were only read are not known.']),
          ...(certificates === undefined
            ? ['openssl is not installed, so the content of secure connections is not known.']
            : []),
          ...(tools.ip === undefined
            ? ['ip is not installed, so connections to bare addresses are not answered.']
            : []),
        ],
      };
    } finally {
      plan.files.close();
    }
  } finally {
    scratch.dispose();
  }
}

interface Tools {
  readonly sh: string;
  readonly unshare: string;
  readonly mount: string;
  readonly umount: string;
  readonly ip: string | undefined;
  readonly strace: string | undefined;
  readonly openssl: string | undefined;
}

const HELPER_DIRS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function findTools(): Tools | undefined {
  const find = (name: string): string | undefined => HELPER_DIRS.map((dir) => join(dir, name)).find(isExecutable);
  const [sh, unshare, mount, umount] = ['sh', 'unshare', 'mount', 'umount'].map(find);
  if (sh === undefined || unshare === undefined || mount === undefined || umount === undefined) return undefined;
  return { sh, unshare, mount, umount, ip: find('ip'), strace: find('strace'), openssl: find('openssl') };
}

interface Paths {
  readonly log: string;
  readonly ready: string;
  readonly ended: string;
  readonly complete: string;
  readonly trace: string;
  readonly resolver: string;
}

function pathsIn(root: string): Paths {
  return {
    log: join(root, 'log'),
    ready: join(root, 'ready'),
    ended: join(root, 'ended'),
    complete: join(root, 'complete'),
    trace: join(root, 'trace'),
    resolver: join(root, 'resolver'),
  };
}

/** Python and curl read these; Node.js reads the system's certificates if it is told to. */
const CERTIFICATE_VARIABLES: Variables = {
  NODE_USE_SYSTEM_CA: '1',
  SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
  REQUESTS_CA_BUNDLE: '/etc/ssl/certs/ca-certificates.crt',
  CURL_CA_BUNDLE: '/etc/ssl/certs/ca-certificates.crt',
};
const SYSTEM_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Makes an authority that lives as long as the run; undefined without openssl. */
function makeAuthority(root: string, openssl: string | undefined): string | undefined {
  if (openssl === undefined) return undefined;
  const cert = join(root, 'ca.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', join(root, 'ca.key')];
  const args = ['req', '-x509', ...key, '-out', cert, '-days', '2', '-subj', '/CN=Skillplane audit'];
  const made = spawnSync(openssl, args, { timeout: 10_000, stdio: 'ignore' });
  return made.status === 0 ? cert : undefined;
}

interface Recording {
  readonly tools: Tools;
  readonly recorder: RecorderOptions;
  readonly node: string;
  readonly paths: Paths;
  readonly certificates: string | undefined;
}

/**
 * Starts a sandbox in a network that has nothing but the recorder, which runs outside of the sandbox: a script cannot reach its files
 * or stop it. Every address leads to it.
 */
function withRecordedNetwork(
  command: readonly string[],
  { tools, recorder, node, paths, certificates }: Recording,
): readonly string[] {
  const { sh, unshare, mount, umount, ip, strace } = tools;
  const source = `(${record.toString()})(${JSON.stringify(recorder)})`;
  const setup = `
set -e
${mount} -t sysfs sysfs /sys
echo 0x9 > /sys/class/net/lo/flags
${umount} /sys
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
${ip === undefined ? '' : `${ip} route add local default dev lo`}
echo nameserver 127.0.0.1 > ${quote(paths.resolver)}
[ ! -e /etc/resolv.conf ] || ${mount} --bind ${quote(paths.resolver)} /etc/resolv.conf
${certificates === undefined ? '' : `[ ! -e ${SYSTEM_CERTIFICATES} ] || ${mount} --bind ${quote(certificates)} ${SYSTEM_CERTIFICATES}`}
( ${quote(node)} -e ${quote(source)} $$ < /dev/null > /dev/null 2>&1 & )
tries=0
while [ ! -e ${quote(paths.ready)} ] && [ $tries -lt 500 ]; do sleep 0.02; tries=$((tries + 1)); done
set +e
"$@"
code=$?
: > ${quote(paths.ended)}
tries=0
while [ ! -e ${quote(paths.complete)} ] && [ $tries -lt 100 ]; do sleep 0.02; tries=$((tries + 1)); done
exit $code
`;
  const traced =
    strace === undefined
      ? []
      : [strace, '-f', '-qq', '-s', '256', '-e', 'trace=execve,connect', '-o', paths.trace, '--'];
  return [
    unshare,
    '--user',
    '--map-root-user',
    '--mount',
    '--',
    unshare,
    '--net',
    '--',
    sh,
    '-c',
    setup,
    'sh',
    ...traced,
    ...command,
  ];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

interface Planted {
  /** Whether this file system notes when a file is read. */
  readonly canTell: boolean;
  listRead(): readonly string[];
  listWritten(): Readonly<Record<string, string>>;
}

/** Long ago, the access before the change: file systems that save work then note the next access. */
const [ACCESSED, CHANGED] = [new Date('2020-01-01'), new Date('2020-01-02')];

function plant({ home, dir, root }: ScratchFolder, request: DetonationRequest): Planted {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, ACCESSED, CHANGED);
  };
  for (const [path, text] of Object.entries(request.home)) write(join(home, path), text);
  for (const [path, text] of Object.entries(request.work)) write(join(dir, path), text);
  const probe = join(root, 'probe');
  write(probe, 'x');
  readFileSync(probe);
  const wasRead = (path: string): boolean => {
    const stats = attempt(() => statSync(path));
    return stats.ok && stats.value.atimeMs > CHANGED.getTime();
  };
  const planted = Object.keys(request.home);
  return {
    canTell: wasRead(probe),
    listRead: () => planted.filter((path) => wasRead(join(home, path))),
    listWritten: () => {
      const changed = planted.flatMap((path) => {
        const text = attempt(() => readFileSync(join(home, path), 'utf8'));
        return text.ok && text.value !== request.home[path] ? [[path, text.value.slice(0, MAX_TEXT)] as const] : [];
      });
      return Object.fromEntries([...changed, ...listNew(home, planted)]);
    },
  };
}

const MAX_TEXT = 20_000;
/** Files that programs start by themselves, and the trace of our own answer; others are of no interest. */
const WATCHED = [
  '.config/autostart',
  '.config/systemd/user',
  'Library/LaunchAgents',
  '.ran-download',
  '.zprofile',
  '.bash_profile',
  '.claude/settings.json',
  '.claude/CLAUDE.md',
];

function listNew(home: string, planted: readonly string[]): readonly (readonly [string, string])[] {
  return WATCHED.filter((path) => !planted.includes(path) && existsSync(join(home, path)))
    .slice(0, MAX_WRITTEN)
    .map((path) => {
      const text = attempt(() => readFileSync(join(home, path), 'utf8'));
      return [path, text.ok ? text.value.slice(0, MAX_TEXT) : ''] as const;
    });
}

function readEvents(log: string): readonly NetworkEvent[] {
  const text = attempt(() => readFileSync(log, 'utf8'));
  const lines = text.ok ? text.value.split('\n').filter((line) => line !== '') : [];
  // Our own recorder wrote them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return lines.flatMap((line) => (parseJson(line) as NetworkEvent | undefined) ?? []);
}

interface Trace {
  readonly started: readonly string[];
  readonly unanswered: readonly string[];
}

const STARTED = /execve\("([^"]{1,300})", \[((?:[^\]\\]|\\.){0,1000})\]?[^\n]*\) = 0/g;
const REFUSED =
  /connect\(\d+, \{sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("([\d.]+)"\)\}, \d+\) = -1 (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)/g;
const MAX_STARTED = 100;
/** The helpers of the sandbox itself. */
const OWN = /\/(?:bwrap|unshare|setpriv|prlimit|strace)$/;

function readTrace(path: string): Trace {
  const read = attempt(() => readFileSync(path, 'utf8'));
  const text = read.ok ? read.value.slice(0, MAX_LOG) : '';
  const started = [...text.matchAll(STARTED)].filter(([, program = '']) => !OWN.test(program));
  const refused = [...text.matchAll(REFUSED)].map(([, port = '', address = '']) => `${address}:${port}`);
  const commands = started.map(([, , args = '']) =>
    [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word).join(' '),
  );
  return { started: [...new Set(commands)].slice(0, MAX_STARTED), unanswered: [...new Set(refused)] };
}
