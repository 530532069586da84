/** The catalog as a model reads it. */

/** A skill in the catalog. `kind` says how much of it is shown. */
export interface ModelSegment {
  readonly name: string;
  readonly kind: 'described' | 'shortened' | 'named' | 'omitted';
  /** About four characters each. */
  readonly tokens: number;
  /** Why it is shown less than whole, if a host says so. */
  readonly because: string | null;
}

export interface ModelView {
  /** In the order of the text; skills that are left out come last. */
  readonly segments: readonly ModelSegment[];
  /** The text that the model reads; for a host, its list as the rules of the host make it. */
  readonly text: string;
  readonly tokens: number;
  /** In tokens; null if there is no limit. */
  readonly budget: number | null;
  /** The parts of the limit, if a host says so. */
  readonly because: string | null;
}
