/** A skill as a catalog shows it. */
export interface CatalogEntry {
  readonly name: string;
  /** The description, or what is shown of it; one line in which nothing is hidden. */
  readonly text: string;
  /** Absolute path of the SKILL.md. */
  readonly location: string;
}

/** Text before, between and after the items of a list. */
export interface Frame {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

/**
 * How a catalog is written. The text is made of whole pieces one after the other, so that a budget knows what each of
 * them costs without writing the text. No piece lets text from a skill be taken for another piece.
 */
export interface CatalogFormat {
  /** Is a brief description enough? */
  readonly isBrief: boolean;
  /** Around the skills that are shown with a description. */
  readonly entries: Frame;
  readonly entry: (entry: CatalogEntry) => string;
  /** Around the skills of which there is only the name. */
  readonly names: Frame;
  readonly name: (name: string) => string;
  /** How many skills the text does not even name, and how to find them. */
  readonly more: (count: number) => string;
  readonly end: string;
}

/** What a catalog says, each skill written already. */
export interface CatalogPieces {
  readonly entries: readonly string[];
  readonly names: readonly string[];
  /** How many skills are not even named. */
  readonly omitted: number;
}

export function renderPieces({ entries, names, omitted }: CatalogPieces, format: CatalogFormat): string {
  const named = names.length === 0 ? '' : frame(names, format.names);
  return `${frame(entries, format.entries)}${named}${omitted === 0 ? '' : format.more(omitted)}${format.end}`;
}

function frame(items: readonly string[], { open, between, close }: Frame): string {
  return `${open}${items.join(between)}${close}`;
}

/** "… 9,412 more: search_skills" */
export function countMore(count: number): string {
  return `… ${String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} more: search_skills`;
}
