/** Something of ours in a settings file of another program. */
export type ForeignEntry = JsonEntry | TomlEntry;

/** A key of an object, or an item of a list, in a JSON file that may have comments. */
export interface JsonEntry {
  readonly kind: 'key' | 'item';
  /** The keys that lead to it: the last one is ours (`key`), or that of the list (`item`). */
  readonly at: readonly string[];
  readonly value: unknown;
}

/** Lines at the end of a TOML file, exactly as they were written, with the gap before them. */
export interface TomlEntry {
  readonly kind: 'lines';
  readonly text: string;
}

/** An object in a settings file, at `section` and `name`. Its keys among `ownKeys` become those of `entry`; others stay. */
export interface ObjectEdit {
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly ownKeys: readonly string[];
}
