import { shortenEntry } from './catalog-entry.ts';
import { renderPieces, type CatalogEntry, type CatalogFormat, type ListExtent } from './formats/catalog-format.ts';

/** How much of a skill a catalog shows. */
export type Depth = 'whole' | 'shortened' | 'named' | 'omitted';

/** The level of a skill is the length its description may have. 0 means the name only, -1 nothing. */
export const NAMED = 0;
const OMITTED = -1;

interface Line {
  readonly level: number;
  readonly piece: string;
}

const NOTHING: Line = { level: OMITTED, piece: '' };

/**
 * A catalog under construction that tracks the length of its text. It starts empty. `extent` is its maximum final
 * extent, which decides the text before the list.
 */
export class CatalogSheet {
  readonly #entries: readonly CatalogEntry[];
  readonly #format: CatalogFormat;
  readonly #guideLength: number;
  readonly #lines: Line[];
  #described = 0;
  #named = 0;
  #pieces = 0;

  constructor(entries: readonly CatalogEntry[], format: CatalogFormat, extent: Omit<ListExtent, 'all'>) {
    this.#entries = entries;
    this.#format = format;
    this.#guideLength = format.guide?.({ ...extent, all: entries.length }).length ?? 0;
    this.#lines = entries.map(() => NOTHING);
  }

  /** Raises skills to a level one by one, until the text would exceed `limit`. Returns whether all were raised. */
  raise(positions: readonly number[], level: number, limit: number): boolean {
    return positions.every((at) => {
      const before = this.#lines[at];
      const entry = this.#entries[at];
      if (before === undefined || entry === undefined || before.level >= level) return true;
      this.#put(at, this.#write(entry, level));
      if (this.#length() <= limit) return true;
      this.#put(at, before);
      return false;
    });
  }

  /** The text; empty if it names no skill. */
  render(): string {
    const entries = this.#lines.filter(({ level }) => level > NAMED).map(({ piece }) => piece);
    const names = this.#lines.filter(({ level }) => level === NAMED).map(({ piece }) => piece);
    const shown = entries.length + names.length;
    if (shown === 0) return '';
    return renderPieces({ entries, names, omitted: this.#lines.length - shown }, this.#format);
  }

  depths(): readonly Depth[] {
    return this.#lines.map(({ level }, at) => {
      if (level === OMITTED) return 'omitted';
      if (level === NAMED) return 'named';
      return (this.#entries[at]?.text.length ?? 0) > level ? 'shortened' : 'whole';
    });
  }

  /** How many characters of the text are about each skill, without what stands around the lists. */
  lengths(): readonly number[] {
    return this.#lines.map(({ piece }) => piece.length);
  }

  #write(entry: CatalogEntry, level: number): Line {
    if (level === NAMED) return { level, piece: this.#format.name(entry.name) };
    return { level, piece: this.#format.entry(shortenEntry(entry, level)) };
  }

  #put(at: number, line: Line): void {
    this.#count(this.#lines[at] ?? NOTHING, -1);
    this.#count(line, 1);
    this.#lines[at] = line;
  }

  #count({ level, piece }: Line, sign: 1 | -1): void {
    this.#pieces += sign * piece.length;
    if (level > NAMED) this.#described += sign;
    if (level === NAMED) this.#named += sign;
  }

  /** The length of the text without the line about missing skills. */
  #length(): number {
    const { entries, names, end } = this.#format;
    const entriesFrame = frameLength(entries, this.#described);
    const namesFrame = this.#named === 0 ? 0 : frameLength(names, this.#named);
    return this.#pieces + this.#guideLength + entriesFrame + namesFrame + end.length;
  }
}

function frameLength({ open, between, close }: CatalogFormat['entries'], count: number): number {
  return open.length + close.length + between.length * Math.max(0, count - 1);
}
