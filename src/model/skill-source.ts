import type { SkillFolder } from './folder.ts';
import type { Outcome } from './outcome.ts';

/** The content of a file. Of a stream, no more than the limit is read. */
export type SourceContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** A file of a skill that a source lists. */
export interface ListedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** `sha256:` and 64 hex digits. Other bytes are refused. */
  readonly digest?: string | undefined;
  readonly size?: number | undefined;
  readonly executable?: boolean | undefined;
}

/** A skill that a source lists. */
export interface SourceSkill {
  /** Unique in its source; the skill's name, if its SKILL.md has none. */
  readonly id: string;
  /** Every file, `SKILL.md` included: paths, or more about them. */
  readonly files: readonly (string | ListedFile)[];
  /** Changes with the skill. While it stays the same, the files are not read again. */
  readonly stamp?: string | undefined;
  /**
   * Every field of its SKILL.md, if the source knows them. Nothing of the skill is then read before it is used; a SKILL.md with other
   * fields is refused.
   */
  readonly frontmatter?: Readonly<Record<string, unknown>> | undefined;
}

/** A skill that a source has but cannot give. It is reported as broken. */
export interface UnavailableSkill {
  readonly id: string;
  /** Why, for people. */
  readonly problem: string;
}

/**
 * A place with skills that is not a folder: memory, a database, a server. It may fail, throw or be slow: its skills then are missing
 * or broken, with a diagnostic, and no other skill is affected. `signal` ends a call that takes too long.
 */
export interface SkillSource {
  /** Part of the skill's `source`, `source:<id>`, and of its place in messages. Letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** Every skill, in any order. */
  list(signal: AbortSignal): MaybePromise<readonly (SourceSkill | UnavailableSkill)[]>;
  /** The content of a listed file. */
  read(skill: string, path: string, signal: AbortSignal): MaybePromise<SourceContent>;
  /** Calls `onChange` when something may have changed. Returns how to stop. */
  watch?(onChange: () => void): () => void;
  /** A text that changes with anything in the source. Cheap: it is asked for before each use of the skills. */
  stamp?(signal: AbortSignal): MaybePromise<string>;
}

type MaybePromise<T> = T | Promise<T>;

/** A source, with how far the program trusts it. */
export interface GivenSource {
  readonly source: SkillSource;
  /** Its skills may run their scripts and toolsets, whatever they are: for what a program ships. */
  readonly trusted?: boolean | undefined;
  /** How long a call of the source may take, in milliseconds; 10,000 by default. Reading all of it may take six times as long. */
  readonly timeoutMs?: number | undefined;
}

export function toGivenSource(given: SkillSource | GivenSource): GivenSource {
  return 'source' in given ? given : { source: given };
}

/** The files of a skill of a source, as they were read. */
export interface SourceFolder extends SkillFolder {
  /** Reads the files, if that has not been done. Until then, `read` fails. */
  fetch(): Promise<Outcome>;
  /** False before `fetch`. */
  readonly isFetched: boolean;
  /** A text that changes with the files. */
  stamp(): string;
}

/** The folders of a source's skills by their ids, as of the last scan. */
export type SourceFolders = ReadonlyMap<string, SourceFolder>;

const PREFIX = 'source:';

/** The `source` of the skills of a source. */
export function sourceName({ id }: Pick<SkillSource, 'id'>): string {
  return `${PREFIX}${id}`;
}

/** Has the skill no folder on disk? */
export function isFromSource({ source }: { readonly source: string }): boolean {
  return source.startsWith(PREFIX);
}
