import { join } from 'node:path';

import { listDirectory, realPath, type DirectoryEntry } from '../../platform/files/files.ts';
import type { Reason } from './host-skill.ts';

/** How a host searches a folder. */
export interface WalkRules {
  /** In how many levels of folders a skill may lie: 1 is `<root>/<skill>/SKILL.md`. */
  readonly depth: number;
  /** May the root itself hold a SKILL.md? */
  readonly takesRoot?: boolean;
  /** Does it look below a folder that is a skill? */
  readonly entersSkills?: boolean;
  /** Does it enter folders whose names begin with a dot? */
  readonly entersHidden?: boolean;
  /** Names of folders that it passes over. */
  readonly skips?: ReadonlySet<string>;
  /** Links to folders are followed unless this is false. */
  readonly followsLinks?: boolean;
  /** So is a SKILL.md that is a link itself. */
  readonly followsFileLinks?: boolean;
}

/** A skill's file in a host's folder. */
export interface WalkedSkill {
  readonly dir: string;
  readonly file: string;
  readonly realFile: string;
  /** Set if the host passes over it. */
  readonly loss?: Reason | undefined;
}

/** How much deeper than the host we look for skills that it misses, and how much in all. */
const DEEPER = 3;
const MOST_FOLDERS = 5_000;

/** Every skill below a root by the rules of a host, in the order of names, and those that it misses. */
export function walkSkills(root: string, rules: WalkRules): readonly WalkedSkill[] {
  const walk = new Walk(rules);
  const real = realPath(root);
  if (real !== undefined) walk.enter({ path: root, real, level: 0, ancestors: [] });
  return walk.found;
}

interface Folder {
  readonly path: string;
  readonly real: string;
  readonly level: number;
  /** Real paths of the folders above, to leave circles of links. */
  readonly ancestors: readonly string[];
}

class Walk {
  readonly found: WalkedSkill[] = [];
  readonly #rules: WalkRules;
  #folders = 0;

  constructor(rules: WalkRules) {
    this.#rules = rules;
  }

  enter(folder: Folder): void {
    this.#folders += 1;
    if (this.#folders > MOST_FOLDERS || folder.ancestors.includes(folder.real)) return;
    const listing = listDirectory(folder.real);
    if (listing.state !== 'listed') return;
    const { depth, takesRoot = false, entersSkills = false } = this.#rules;
    const isSkill = (folder.level > 0 || takesRoot) && this.#take(folder, listing.entries);
    const reach = isSkill && folder.level > 0 ? depth : depth + DEEPER;
    if ((isSkill && !entersSkills) || folder.level >= reach) return;
    for (const entry of listing.entries) this.#visit(folder, entry);
  }

  #visit(folder: Folder, { name, kind }: DirectoryEntry): void {
    const { entersHidden = false, skips, followsLinks = true } = this.#rules;
    if (kind !== 'directory' && kind !== 'link') return;
    if ((name.startsWith('.') && !entersHidden) || skips?.has(name) === true) return;
    const path = join(folder.path, name);
    const real = kind === 'directory' ? join(folder.real, name) : realPath(path);
    const level = folder.level + 1;
    if (kind === 'link' && (real === undefined || !followsLinks)) {
      if (level <= this.#rules.depth) this.#report(path, real === undefined ? DANGLING : LINKED);
      return;
    }
    if (real !== undefined) this.enter({ path, real, level, ancestors: [...folder.ancestors, folder.real] });
  }

  #take({ path, real, level }: Folder, entries: readonly DirectoryEntry[]): boolean {
    const isNamed = ({ name, kind }: DirectoryEntry): boolean =>
      kind !== 'directory' && name.toLowerCase() === 'skill.md';
    const entry = entries.find((each) => isNamed(each) && each.name === 'SKILL.md') ?? entries.find(isNamed);
    if (entry === undefined) return false;
    const file = join(path, entry.name);
    const realFile = entry.kind === 'link' ? realPath(file) : join(real, entry.name);
    const { followsFileLinks = true } = this.#rules;
    const loss = entry.kind === 'link' && !followsFileLinks ? LINKED_FILE : this.#missed(entry, level);
    this.found.push({ dir: path, file, realFile: realFile ?? file, loss: realFile === undefined ? DANGLING : loss });
    return true;
  }

  #missed({ name }: DirectoryEntry, level: number): Reason | undefined {
    const { depth } = this.#rules;
    const misnamed = findMisnaming(name);
    if (misnamed !== undefined) return misnamed;
    if (level <= depth) return undefined;
    const searched = depth === 1 ? 'only one is searched' : `only ${depth} are searched`;
    return {
      because: `it lies ${level} levels below the folder of skills, and ${searched}`,
      next: { advice: 'Move its folder up.' },
    };
  }

  #report(path: string, loss: Reason): void {
    const file = join(path, 'SKILL.md');
    this.found.push({ dir: path, file, realFile: realPath(file) ?? file, loss });
  }
}

/** Hosts find only `SKILL.md`, in this spelling. */
export function findMisnaming(name: string): Reason | undefined {
  if (name === 'SKILL.md') return undefined;
  return { because: `its file is called ${name}`, next: { advice: `Rename ${name} to SKILL.md.` } };
}

const DANGLING: Reason = {
  because: 'its link leads nowhere',
  next: { advice: 'Remove the link, or restore what it leads to.' },
};
const LINKED_FILE: Reason = {
  because: 'its file is a link, and those are passed over',
  next: { advice: 'Link the folder of the skill instead.' },
};
const LINKED: Reason = { because: 'links are not followed there', next: { advice: 'Put the folder itself there.' } };
