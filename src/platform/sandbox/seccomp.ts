/**
 * System calls that no script needs and that reach deep into the kernel without privileges; they fail with EPERM. `clone`
 * fails only if it asks for a user namespace, calls that set the mode of a file only if they ask for setuid or setgid, and
 * `socket` only if it asks for another family than those of ordinary programs.
 * A filter cannot see what `clone3` and `openat2` ask for, so they fail with ENOSYS, and the C libraries then use
 * `clone` and `openat`.
 */
interface SystemCalls {
  /** AUDIT_ARCH_* of <linux/audit.h>. */
  readonly architecture: number;
  readonly clone: number;
  readonly unseen: readonly number[];
  readonly refused: readonly number[];
  /** Each call with the position of its mode. */
  readonly modes: Readonly<Record<number, number>>;
  /** Calls that open files: the position of their flags, which the mode follows. */
  readonly opens: Readonly<Record<number, number>>;
  readonly socket: number;
  readonly socketpair: number;
}

const TABLE: Readonly<Record<string, SystemCalls>> = {
  x64: {
    architecture: 0xc000003e,
    clone: 56,
    // clone3, openat2
    unseen: [435, 437],
    // ptrace, add_key, request_key, keyctl, unshare, perf_event_open, setns, process_vm_readv, process_vm_writev,
    // kcmp, bpf, userfaultfd, io_uring_setup, io_uring_enter, io_uring_register, pidfd_getfd
    refused: [101, 248, 249, 250, 272, 298, 308, 310, 311, 312, 321, 323, 425, 426, 427, 438],
    // mkdir, creat, chmod, fchmod, mknod, mkdirat, mknodat, fchmodat, fchmodat2
    modes: { 83: 1, 85: 1, 90: 1, 91: 1, 133: 1, 258: 2, 259: 2, 268: 2, 452: 2 },
    // open, openat
    opens: { 2: 1, 257: 2 },
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    architecture: 0xc00000b7,
    clone: 220,
    unseen: [435, 437],
    refused: [117, 217, 218, 219, 97, 241, 268, 270, 271, 272, 280, 282, 425, 426, 427, 438],
    // mknodat, mkdirat, fchmod, fchmodat, fchmodat2
    modes: { 33: 2, 34: 2, 52: 1, 53: 2, 452: 2 },
    // openat
    opens: { 56: 2 },
    socket: 198,
    socketpair: 199,
  },
};

const CLONE_NEWUSER = 0x1000_0000;
/** S_ISUID and S_ISGID. */
const SPECIAL_BITS = 0o6000;
/** O_CREAT and O_TMPFILE: without them the mode means nothing. */
const CREATES = 0o20_000_100;
/** The x32 calls of a 64-bit x86 kernel: other numbers for the same calls. */
const X32_CALLS = 0x4000_0000;

/** AF_INET and AF_INET6; AF_NETLINK, of which only the protocol that lists interfaces (0) is allowed; AF_UNIX. */
const INTERNET = [2, 10];
const NETLINK = 16;
const UNIX = 1;
const DATAGRAM = 2;
/** The type of a socket without its flags. */
const SOCKET_TYPE = 0xf;

const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;

/** Offsets in `struct seccomp_data`. */
const CALL = 0;
const ARCHITECTURE = 4;
/** The lower half, which holds all bits that matter here. */
const argumentOffset = (position: number): number => 16 + 8 * position;

export interface FilterOptions {
  /**
   * Does the script share our network? Then it also shares the abstract sockets of our session, which a filter cannot tell
   * from others, so it may use no unix sockets but connected pairs.
   */
  readonly network: boolean;
}

/** A filter program for `bwrap --seccomp`; undefined for an unknown architecture. */
export function buildSystemCallFilter(architecture: string, { network }: FilterOptions): Buffer | undefined {
  const calls = TABLE[architecture];
  if (calls === undefined) return undefined;
  const rules: readonly Rule[] = [
    { call: calls.clone, verdict: refuseBit(CLONE_NEWUSER, 0) },
    ...calls.unseen.map((call) => ({ call, verdict: [answer(ENOSYS)] })),
    ...byPosition(calls.modes, (position) => refuseBit(SPECIAL_BITS, position)),
    ...byPosition(calls.opens, (flags) => [
      load(argumentOffset(flags)),
      jump('anyBit', CREATES, [1, 0]),
      answer(ALLOW),
      ...refuseBit(SPECIAL_BITS, flags + 1),
    ]),
    ...calls.refused.map((call) => ({ call, verdict: [answer(EPERM)] })),
    { call: calls.socket, verdict: judgeFamily(network ? INTERNET : [UNIX, ...INTERNET]) },
    { call: calls.socketpair, verdict: network ? refuseDatagrams() : [answer(ALLOW)] },
  ];
  return Buffer.concat([
    load(ARCHITECTURE),
    jump('equal', calls.architecture, [1, 0]),
    answer(ENOSYS),
    load(CALL),
    jump('atLeast', X32_CALLS, [0, 1]),
    answer(ENOSYS),
    ...search(rules.toSorted((a, b) => a.call - b.call)),
  ]);
}

interface Rule {
  readonly call: number;
  readonly verdict: readonly Buffer[];
}

/** A binary search, because the kernel runs the filter on every call. */
function search(rules: readonly Rule[]): readonly Buffer[] {
  const middle = rules[Math.floor(rules.length / 2)];
  if (middle === undefined) return [answer(ALLOW)];
  if (rules.length === 1)
    return [jump('equal', middle.call, [0, middle.verdict.length]), ...middle.verdict, answer(ALLOW)];
  const below = search(rules.filter(({ call }) => call < middle.call));
  const rest = search(rules.filter(({ call }) => call >= middle.call));
  return [jump('atLeast', middle.call, [below.length, 0]), ...below, ...rest];
}

function byPosition(calls: SystemCalls['modes'], judge: (position: number) => readonly Buffer[]): readonly Rule[] {
  return Object.entries(calls).map(([call, position]) => ({ call: Number(call), verdict: judge(position) }));
}

/** Refuses a call whose argument at this position has one of these bits. */
function refuseBit(bits: number, position: number): readonly Buffer[] {
  return [load(argumentOffset(position)), jump('anyBit', bits, [0, 1]), answer(EPERM), answer(ALLOW)];
}

function judgeFamily(families: readonly number[]): readonly Buffer[] {
  return [
    load(argumentOffset(0)),
    ...families.flatMap((family) => [jump('equal', family, [0, 1]), answer(ALLOW)]),
    jump('equal', NETLINK, [0, 3]),
    load(argumentOffset(2)),
    jump('equal', 0, [0, 1]),
    answer(ALLOW),
    answer(EAFNOSUPPORT),
  ];
}

/** A pair of datagram sockets can be connected anew, to a socket of the session; other pairs cannot. */
function refuseDatagrams(): readonly Buffer[] {
  const isDatagram = jump('equal', DATAGRAM, [0, 1]);
  return [load(argumentOffset(1)), keepBits(SOCKET_TYPE), isDatagram, answer(EAFNOSUPPORT), answer(ALLOW)];
}

/** Classic BPF: BPF_JMP with BPF_K. */
const JUMPS = { equal: 0x15, atLeast: 0x35, anyBit: 0x45 } as const;

/** `skip`: how many instructions to skip if the condition holds, and if not. */
function jump(kind: keyof typeof JUMPS, value: number, skip: readonly [number, number]): Buffer {
  return instruction(JUMPS[kind], value, skip);
}

function load(offset: number): Buffer {
  return instruction(0x20, offset);
}

/** BPF_ALU with BPF_AND. */
function keepBits(bits: number): Buffer {
  return instruction(0x54, bits);
}

function answer(value: number): Buffer {
  return instruction(0x06, value);
}

/** `struct sock_filter`; the architectures of the table are little-endian. */
function instruction(code: number, value: number, [ifSo, ifNot]: readonly [number, number] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifSo, 2);
  bytes.writeUInt8(ifNot, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
