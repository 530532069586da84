import { listVisible } from '../catalog/view.ts';
import { listSome } from '../model/list-some.ts';
import type { Skill } from '../model/skill.ts';
import { toCatalogEntry } from './catalog-entry.ts';
import { fitCatalog } from './fit-catalog.ts';
import type { CatalogEntry, CatalogFormat } from './formats/catalog-format.ts';
import { markdownFormat, plainIndexFormat } from './formats/markdown.ts';

/** The catalog at a certain time. As long as its text stays in the prompt unchanged, the provider's cache works. */
export interface CatalogSnapshot {
  /** Equal for equal snapshots. */
  readonly id: string;
  /** The catalog as the model was shown it. */
  readonly text: string;
  /** Every skill a model may use, whether or not the text has room for it. */
  readonly entries: readonly CatalogEntry[];
}

/** The changes between two snapshots, by name. */
export interface CatalogDelta {
  readonly added: readonly string[];
  /** The description or the file differs. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The changes, written for a model; empty if there are none. */
  readonly text: string;
}

export function takeSnapshot(skills: readonly Skill[], text: string): CatalogSnapshot {
  const entries = listVisible(skills).map((skill) => toCatalogEntry(skill));
  // Lazy: few prompts are kept.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const id = createHash('sha256').update(JSON.stringify({ text, entries })).digest('hex').slice(0, ID_LENGTH);
  return { id, text, entries };
}

const ID_LENGTH = 16;

export function compareSnapshots(before: CatalogSnapshot, after: CatalogSnapshot): CatalogDelta {
  const known = new Map(before.entries.map((entry) => [entry.name, entry]));
  const present = new Set(after.entries.map(({ name }) => name));
  const added = after.entries.filter(({ name }) => !known.has(name));
  const changed = after.entries.filter((entry) => isDifferent(entry, known.get(entry.name)));
  const removed = before.entries.filter(({ name }) => !present.has(name));
  const parts = [
    renderPart(added, withHeading('New:')),
    renderPart(changed, withHeading('Changed:')),
    removed.length === 0
      ? ''
      : `Gone: ${listSome(
          removed.map(({ name }) => markdownFormat.name(name)),
          { most: MOST_REMOVED },
        )}.`,
  ].filter((part) => part !== '');
  return {
    added: added.map(({ name }) => name),
    changed: changed.map(({ name }) => name),
    removed: removed.map(({ name }) => name),
    text: parts.length === 0 ? '' : ['The list of skills changed.', ...parts].join('\n\n'),
  };
}

function isDifferent(entry: CatalogEntry, previous: CatalogEntry | undefined): boolean {
  return previous !== undefined && (previous.text !== entry.text || previous.location !== entry.location);
}

function withHeading(open: string): CatalogFormat {
  return { ...plainIndexFormat, more: markdownFormat.more, entries: { open, between: '', close: '' } };
}

/** More names are only counted. */
const MOST_REMOVED = 50;

/** In characters; thousands of changes are not listed one by one. */
const PART_LENGTH = 3_900;

function renderPart(entries: readonly CatalogEntry[], format: CatalogFormat): string {
  return fitCatalog({ entries, order: [...entries.keys()], front: 0 }, format, PART_LENGTH).render();
}
