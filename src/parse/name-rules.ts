import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { once } from '../model/once.ts';
import { countCodePoints } from './code-points.ts';

/**
 * Checks a skill's name against the Agent Skills specification and lists every fault, in the order of its reference tool.
 * Letters of any script are allowed. The name is normalized to NFKC first; lengths are in code points.
 */
export function findNameFaults(name: string): readonly string[] {
  if (PLAIN_NAME.test(name) && name.length <= MAX_NAME_LENGTH && !isReserved(name)) return [];
  const normal = name.trim().normalize('NFKC');
  const faults: string[] = [];
  const length = countCodePoints(normal);
  if (length > MAX_NAME_LENGTH) {
    faults.push(`the name exceeds the ${MAX_NAME_LENGTH} character limit (${length} characters)`);
  }
  if (normal !== normal.toLowerCase()) faults.push(`the name "${normal}" must be lowercase`);
  if (normal.startsWith('-') || normal.endsWith('-')) faults.push('the name cannot start or end with a hyphen');
  if (normal.includes('--')) faults.push('the name cannot contain consecutive hyphens');
  if (!allowed().test(normal)) {
    faults.push(`the name "${normal}" contains invalid characters: only letters, digits and hyphens are allowed`);
  }
  if (isReserved(normal)) faults.push(`the name "${normal}" is reserved on Windows, where it names a device`);
  return faults;
}

/** Names of devices on Windows. */
function isReserved(name: string): boolean {
  return name.length <= 4 && RESERVED.test(name);
}

const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])$/i;

/** Whether a skill's folder may have this name: it is valid and already normalized. */
export function isFolderName(name: string): boolean {
  return name !== '' && name === name.trim().normalize('NFKC') && findNameFaults(name).length === 0;
}

export function isSameName(left: string, right: string): boolean {
  return left === right || left.trim().normalize('NFKC') === right.normalize('NFKC');
}

/** Lowercase ASCII letters, digits and single hyphens: such a name is its own `foldName`. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}

/** Folds case and Unicode form, because people and many file systems do not distinguish them. */
export function foldName(name: string): string {
  return isPlainName(name) ? name : name.normalize('NFKC').toLowerCase();
}

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** As `isalnum` in the reference tool: letters and every kind of number, but no marks. */
const allowed = once(() => /^[\p{L}\p{N}-]*$/u);
