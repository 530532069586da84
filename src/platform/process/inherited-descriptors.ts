import { readdirSync, readFileSync } from 'node:fs';

import { attempt } from '../errors.ts';

/** O_CLOEXEC as Linux shows it. */
const CLOSES_ON_EXEC = 0o2_000_000;

/**
 * Files and sockets that our own parent left open and that every process we start would inherit, unasked. What Node
 * opens is not among them, nor the lowest ones up to the first gap: of those Node takes care when it starts.
 */
export function findInheritedDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  const names = attempt(() => readdirSync('/proc/self/fdinfo'));
  if (!names.ok) return [];
  return names.value.map(Number).filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
}

function isPassedOn(descriptor: number): boolean {
  const info = attempt(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
  const flags = info.ok ? /^flags:\s*([0-7]+)/m.exec(info.value)?.[1] : undefined;
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
}
