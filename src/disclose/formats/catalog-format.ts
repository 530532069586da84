/** A skill as a catalog shows it. */
export interface CatalogEntry {
  readonly name: string;
  /** The description or part of it: one line without hidden characters. */
  readonly text: string;
  /** Absolute path of the SKILL.md, or its `skill://` URL. */
  readonly location: string;
}

/** Text before, between and after the items of a list. */
export interface Frame {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

/** How much of all skills a list has. */
export interface ListExtent {
  readonly all: number;
  /** Named, with or without a description. */
  readonly shown: number;
  /** Named without a description. */
  readonly named: number;
}

/**
 * How a catalog is written. The text is a plain sequence of pieces, so the cost of each is known before the text is
 * written. A piece must escape text from skills, so that it cannot pass for another piece.
 */
export interface CatalogFormat {
  /** Shows the brief description instead of the full one. */
  readonly isBrief: boolean;
  /** Around the skills with a description. */
  readonly entries: Frame;
  readonly entry: (entry: CatalogEntry) => string;
  /** Tells the model what to do with the list; comes before the first skill. It also counts the skills that are missing. */
  readonly guide?: (extent: ListExtent) => string;
  /** Around the skills shown by name only. */
  readonly names: Frame;
  readonly name: (name: string) => string;
  /** Says how many skills are not named, and how to find them. */
  readonly more: (count: number) => string;
  readonly end: string;
  /** Adds a note of ours to a finished catalog. */
  readonly addNote: (catalog: string, note: string) => string;
}

/** The parts of a catalog, each skill already written. */
export interface CatalogPieces {
  readonly entries: readonly string[];
  readonly names: readonly string[];
  /** How many skills are not named. */
  readonly omitted: number;
}

export function renderPieces({ entries, names, omitted }: CatalogPieces, format: CatalogFormat): string {
  const shown = entries.length + names.length;
  const { open, between, close } = format.entries;
  const guide = format.guide?.({ all: shown + omitted, shown, named: names.length }) ?? '';
  const described = frame(entries, { open: `${open}${guide}`, between, close });
  const named = names.length === 0 ? '' : frame(names, format.names);
  return `${described}${named}${omitted === 0 ? '' : format.more(omitted)}${format.end}`;
}

function frame(items: readonly string[], { open, between, close }: Frame): string {
  return `${open}${items.join(between)}${close}`;
}

/** `… 9,412 more; find them with search_skills` */
export function countMore(count: number): string {
  return `… ${String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} more; find them with search_skills`;
}

export function addParagraph(catalog: string, note: string): string {
  return `${catalog}\n\n${note}`;
}
