import { MAX_NAME_LENGTH } from '../model/limits.ts';
import { countCodePoints } from './code-points.ts';

/**
 * What is wrong with a skill's name by the Agent Skills specification, in its reference tool's order; empty when
 * nothing is. Letters of any script count, compared after NFKC; lengths are code points.
 */
export function findNameFaults(name: string): readonly string[] {
  if (PLAIN_NAME.test(name) && name.length <= MAX_NAME_LENGTH) return [];
  const normal = name.trim().normalize('NFKC');
  const faults: string[] = [];
  const length = countCodePoints(normal);
  if (length > MAX_NAME_LENGTH) {
    faults.push(`the name exceeds the ${MAX_NAME_LENGTH} character limit (${length} characters)`);
  }
  if (normal !== normal.toLowerCase()) faults.push(`the name "${normal}" must be lowercase`);
  if (normal.startsWith('-') || normal.endsWith('-')) faults.push('the name cannot start or end with a hyphen');
  if (normal.includes('--')) faults.push('the name cannot contain consecutive hyphens');
  if (!ALLOWED.test(normal)) {
    faults.push(`the name "${normal}" contains invalid characters: only letters, digits and hyphens are allowed`);
  }
  return faults;
}

/** May the folder of a skill be called so? A name without fault, in the one form that is compared. */
export function isFolderName(name: string): boolean {
  return name !== '' && name === name.trim().normalize('NFKC') && findNameFaults(name).length === 0;
}

export function isSameName(left: string, right: string): boolean {
  return left === right || left.trim().normalize('NFKC') === right.normalize('NFKC');
}

/** Names that differ only by case or Unicode form are one name to people and to many file systems. */
export function foldName(name: string): string {
  return PLAIN_NAME.test(name) ? name : name.normalize('NFKC').toLowerCase();
}

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The reference tool's `isalnum`: letters, marks are out, every kind of number is in. */
const ALLOWED = /^[\p{L}\p{N}-]*$/u;
