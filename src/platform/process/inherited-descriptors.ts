import { readdirSync, readFileSync } from 'node:fs';

import { attempt } from '../errors.ts';

/** O_CLOEXEC in the flags that Linux shows. */
const CLOSES_ON_EXEC = 0o2_000_000;

/**
 * Descriptors of files and sockets that our own parent left open, and that every process we start would inherit. Those
 * that Node opens are not among them, nor the lowest ones up to the first gap: Node handles these at its start.
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
