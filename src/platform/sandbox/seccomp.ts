/**
 * System calls that no script needs and that reach deep into the kernel without privileges; they fail with EPERM. `clone`
 * fails only if it asks for a user namespace. A filter cannot see what `clone3` asks for, so it fails with ENOSYS, and
 * the C libraries then use `clone`.
 */
interface SystemCalls {
  /** AUDIT_ARCH_* of <linux/audit.h>. */
  readonly architecture: number;
  readonly clone: number;
  readonly clone3: number;
  readonly refused: readonly number[];
}

const TABLE: Readonly<Record<string, SystemCalls>> = {
  x64: {
    architecture: 0xc000003e,
    clone: 56,
    clone3: 435,
    // ptrace, add_key, request_key, keyctl, unshare, perf_event_open, setns, process_vm_readv, process_vm_writev,
    // kcmp, bpf, userfaultfd, io_uring_setup, io_uring_enter, io_uring_register, pidfd_getfd
    refused: [101, 248, 249, 250, 272, 298, 308, 310, 311, 312, 321, 323, 425, 426, 427, 438],
  },
  arm64: {
    architecture: 0xc00000b7,
    clone: 220,
    clone3: 435,
    refused: [117, 217, 218, 219, 97, 241, 268, 270, 271, 272, 280, 282, 425, 426, 427, 438],
  },
};

const CLONE_NEWUSER = 0x1000_0000;
/** The x32 calls of a 64-bit x86 kernel: other numbers for the same calls. */
const X32_CALLS = 0x4000_0000;

const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;

/** Offsets in `struct seccomp_data`. */
const CALL = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

/** A filter program for `bwrap --seccomp`; undefined for an unknown architecture. */
export function buildSystemCallFilter(architecture: string): Buffer | undefined {
  const calls = TABLE[architecture];
  if (calls === undefined) return undefined;
  const rules: readonly Rule[] = [
    { call: calls.clone, verdict: refuseBit(CLONE_NEWUSER) },
    { call: calls.clone3, verdict: [answer(ENOSYS)] },
    ...calls.refused.map((call) => ({ call, verdict: [answer(EPERM)] })),
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

/** Refuses a call whose first argument has this bit. */
function refuseBit(bit: number): readonly Buffer[] {
  return [load(FIRST_ARGUMENT), jump('anyBit', bit, [0, 1]), answer(EPERM), answer(ALLOW)];
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
