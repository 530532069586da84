import { describe, expect, test } from 'vitest';

import { buildSystemCallFilter } from './seccomp.ts';

interface Call {
  readonly architecture: number;
  readonly call: number;
  readonly args?: readonly number[];
}

/** Runs a filter as the kernel does, as far as ours goes. */
function judge(program: Buffer, { architecture, call, args = [] }: Call): number {
  const data = new Map([
    [0, call],
    [4, architecture],
    ...Array.from({ length: 6 }, (_, at) => [16 + 8 * at, args[at] ?? 0] as const),
  ]);
  let value = 0;
  for (let at = 0; ; at += 1) {
    const [code, ifSo, ifNot, operand] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
      program.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return operand;
    if (code === 0x20) value = data.get(operand) ?? Number.NaN;
    else if (code === 0x54) value &= operand;
    else if (code === 0x15) at += value === operand ? ifSo : ifNot;
    else if (code === 0x35) at += value >= operand ? ifSo : ifNot;
    else if (code === 0x45) at += (value & operand) === 0 ? ifNot : ifSo;
    else throw new Error(`no such instruction: ${code}`);
  }
}

const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;
const NEW_USER = 0x1000_0000;

describe.each([
  [
    'x64',
    0xc000003e,
    {
      read: 0,
      clone: 56,
      clone3: 435,
      ptrace: 101,
      unshare: 272,
      ioUring: 425,
      openat: 257,
      fchmodat: 268,
      socket: 41,
      socketpair: 53,
    },
  ],
  [
    'arm64',
    0xc00000b7,
    {
      read: 63,
      clone: 220,
      clone3: 435,
      ptrace: 117,
      unshare: 97,
      ioUring: 425,
      openat: 56,
      fchmodat: 53,
      socket: 198,
      socketpair: 199,
    },
  ],
])('the system call filter for %s', (name, architecture, calls) => {
  const program = buildSystemCallFilter(name, { network: false }) ?? Buffer.alloc(0);
  const ask = (call: number, ...args: readonly number[]): number => judge(program, { architecture, call, args });

  test('allows what ordinary programs do', () => {
    expect(ask(calls.read)).toBe(ALLOW);
    expect(ask(9_999)).toBe(ALLOW);
    expect(ask(calls.clone, 0x11)).toBe(ALLOW);
  });

  test('refuses a new user namespace, however it is asked for', () => {
    expect(ask(calls.clone, NEW_USER | 0x11)).toBe(EPERM);
    expect(ask(calls.unshare)).toBe(EPERM);
    expect(ask(calls.clone3)).toBe(ENOSYS);
  });

  test('refuses what only debuggers and exploits do', () => {
    expect(ask(calls.ptrace)).toBe(EPERM);
    expect(ask(calls.ioUring)).toBe(EPERM);
  });

  test('refuses setuid and setgid, for files that exist and for new ones', () => {
    const [path, create] = [0, 0o101];
    expect([0o755, 0o1777].map((mode) => ask(calls.fchmodat, 0, path, mode))).toEqual([ALLOW, ALLOW]);
    expect([0o4755, 0o2755].map((mode) => ask(calls.fchmodat, 0, path, mode))).toEqual([EPERM, EPERM]);
    expect([0o4755, 0o2755].map((mode) => ask(calls.openat, 0, path, create, mode))).toEqual([EPERM, EPERM]);
    expect(ask(calls.openat, 0, path, 0o20_200_002, 0o4755)).toBe(EPERM);
    expect(ask(calls.openat, 0, path, create, 0o755)).toBe(ALLOW);
    // Without creating, there is no mode.
    expect(ask(calls.openat, 0, path, 0, 0o4755)).toBe(ALLOW);
    expect(ask(437)).toBe(ENOSYS);
  });

  test('allows internet, unix and interface-listing sockets, and no others', () => {
    const [unix, inet, netlink, inet6, vsock] = [1, 2, 16, 10, 40];
    expect([unix, inet, netlink, inet6].map((family) => ask(calls.socket, family))).toEqual(Array(4).fill(ALLOW));
    const others = Array.from({ length: 50 }, (_, family) => family).filter(
      (family) => ![unix, inet, netlink, inet6].includes(family),
    );
    expect(others).toContain(vsock);
    expect(new Set(others.map((family) => ask(calls.socket, family)))).toEqual(new Set([EAFNOSUPPORT]));
    // Its firewall and its audit.
    expect([12, 9].map((protocol) => ask(calls.socket, netlink, 3, protocol))).toEqual([EAFNOSUPPORT, EAFNOSUPPORT]);
    expect(ask(calls.socketpair, unix, 2)).toBe(ALLOW);
  });

  test('with a shared network, refuses unix sockets except connected pairs', () => {
    const shared = buildSystemCallFilter(name, { network: true }) ?? Buffer.alloc(0);
    const askShared = (call: number, ...args: readonly number[]): number => judge(shared, { architecture, call, args });
    expect([2, 10, 16].map((family) => askShared(calls.socket, family))).toEqual([ALLOW, ALLOW, ALLOW]);
    expect(askShared(calls.socket, 1)).toBe(EAFNOSUPPORT);
    const [stream, packet, flags] = [1, 5, 0o2_004_000];
    expect([stream, packet | flags].map((type) => askShared(calls.socketpair, 1, type))).toEqual([ALLOW, ALLOW]);
    expect([2, 2 | flags].map((type) => askShared(calls.socketpair, 1, type))).toEqual([EAFNOSUPPORT, EAFNOSUPPORT]);
  });

  test('refuses calls of another architecture, whose numbers mean other things', () => {
    expect(judge(program, { architecture: 0x40000003, call: calls.read })).toBe(ENOSYS);
    expect(ask(0x4000_0000 + calls.ptrace)).toBe(ENOSYS);
  });
});

test('there is no system call filter for a processor whose system calls are not known', () => {
  expect(buildSystemCallFilter('s390x', { network: false })).toBeUndefined();
});
