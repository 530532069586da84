import { BlockList, isIPv6 } from 'node:net';

import { once } from '../../model/once.ts';

/** Who can be behind an IP address: anyone, this machine, its network, or nothing that a name should lead to. */
export type AddressClass = 'public' | 'loopback' | 'private' | 'reserved';

/** The class of an IPv4 or IPv6 address; an IPv4-mapped address has the class of its IPv4 address. */
export function classifyAddress(address: string): AddressClass {
  const plain = address.split('%', 1)[0] ?? '';
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
  const family = isIPv6(mapped) ? 'ipv6' : 'ipv4';
  for (const [name, list] of lists()) if (list.check(mapped, family)) return name;
  return 'public';
}

const RANGES: readonly (readonly [AddressClass, string, number])[] = [
  ['loopback', '127.0.0.0', 8],
  ['loopback', '::1', 128],
  ['private', '10.0.0.0', 8],
  ['private', '172.16.0.0', 12],
  ['private', '192.168.0.0', 16],
  ['private', '100.64.0.0', 10],
  ['private', 'fc00::', 7],
  // Link-local: the data of cloud machines is served there.
  ['reserved', '169.254.0.0', 16],
  ['reserved', 'fe80::', 10],
  ['reserved', 'fec0::', 10],
  ['reserved', '0.0.0.0', 8],
  ['reserved', '192.0.0.0', 24],
  ['reserved', '192.0.2.0', 24],
  ['reserved', '198.18.0.0', 15],
  ['reserved', '198.51.100.0', 24],
  ['reserved', '203.0.113.0', 24],
  ['reserved', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
  ['reserved', '::', 128],
  ['reserved', '64:ff9b::', 96],
  ['reserved', '64:ff9b:1::', 48],
  ['reserved', '2001:db8::', 32],
  ['reserved', '2002::', 16],
  ['reserved', 'ff00::', 8],
];

const lists = once((): ReadonlyMap<AddressClass, BlockList> => {
  const made = new Map<AddressClass, BlockList>();
  for (const [name, start, bits] of RANGES) {
    const list = made.get(name) ?? new BlockList();
    list.addSubnet(start, bits, isIPv6(start) ? 'ipv6' : 'ipv4');
    made.set(name, list);
  }
  return made;
});
