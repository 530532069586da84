import { sep } from 'node:path';

import { DEFAULT_DOMAIN, DEFAULT_VERSION, listDefaults } from '../model/skill-defaults.ts';
import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import {
  FLAG_BITS,
  NO_DIAGNOSTICS,
  NO_TRIGGERS,
  NONE,
  NOTHING,
  TEXT_PLACE,
  unpackBrief,
  unpackDiagnostics,
  unpackSkill,
  unpackTags,
  type CachedPlace,
  type PackedRest,
} from './packed-skill.ts';
import { USABLE, type Placement } from './placement.ts';

/** The rows of a cache file, of which only what is asked for is decoded. */
export interface SkillRows {
  textOf(row: number, nth: number): string | undefined;
  tokensOf(row: number): number;
  briefLengthOf(row: number): number;
  flagsOf(row: number): number;
  stampOf(row: number): FileStamp;
  restOf(row: number): PackedRest;
}

/** The record as plain data, which can be spread, printed and cloned. */
export function toPlainSkill(skill: Skill): Skill {
  return skill instanceof CachedSkill ? skill.toPlain() : skill;
}

/** A root as its skills know it. */
export interface RootPlace {
  readonly path: string;
  readonly origin: Placement;
}

/** A folder of a root. Without `fileName`, its file is `SKILL.md`. */
export interface FolderPlace {
  readonly root: RootPlace;
  readonly id: string;
  readonly fileName?: string | undefined;
}

export function placeOf({ root: { path, origin }, id, fileName = SKILL_FILE }: FolderPlace): CachedPlace {
  const dir = `${path}${sep}${id}`;
  return { id, dir, file: `${dir}${sep}${fileName}`, origin };
}

/**
 * A skill out of the cache. Each field is decoded when it is read and not kept, so that thousands of skills that are only
 * looked through cost next to nothing. It is no plain data: `toPlainSkill` makes that, before anyone outside sees it.
 */
export class CachedSkill implements Skill {
  readonly id: string;
  readonly #rows: SkillRows;
  readonly #row: number;
  readonly #root: RootPlace;
  readonly #fileName: string | undefined;
  #plain: Skill | undefined;

  constructor(rows: SkillRows, row: number, { root, id, fileName }: FolderPlace) {
    this.id = id;
    this.#rows = rows;
    this.#row = row;
    this.#root = root;
    this.#fileName = fileName;
  }

  /** Always the same record. */
  toPlain(): Skill {
    return (this.#plain ??= unpackSkill(
      {
        texts: Object.values(TEXT_PLACE).map((nth) => this.#text(nth)),
        tokens: this.tokens,
        briefLength: this.#rows.briefLengthOf(this.#row),
        flags: this.#rows.flagsOf(this.#row),
        rest: this.#rest(),
      },
      placeOf({ root: this.#root, id: this.id, fileName: this.#fileName }),
      this.stamp,
    ));
  }

  #text(nth: number): string | undefined {
    return this.#rows.textOf(this.#row, nth);
  }

  #has(flag: number): boolean {
    return (this.#rows.flagsOf(this.#row) & flag) !== 0;
  }

  #rest(): PackedRest {
    return this.#rows.restOf(this.#row);
  }

  get dir(): string {
    return `${this.#root.path}${sep}${this.id}`;
  }

  get file(): string {
    return `${this.#root.path}${sep}${this.id}${sep}${this.#fileName ?? SKILL_FILE}`;
  }

  get name(): string {
    return this.#text(TEXT_PLACE.name) ?? this.id;
  }

  get isNamed(): boolean {
    return !this.#has(FLAG_BITS.unnamed);
  }

  get title(): string {
    return this.#text(TEXT_PLACE.title) ?? this.name;
  }

  get description(): string {
    return this.#text(TEXT_PLACE.description) ?? '';
  }

  get brief(): string {
    return (
      this.#text(TEXT_PLACE.brief) ??
      unpackBrief(this.description, {
        briefLength: this.#rows.briefLengthOf(this.#row),
        flags: this.#rows.flagsOf(this.#row),
      })
    );
  }

  get tokens(): number {
    return this.#rows.tokensOf(this.#row);
  }

  get textDigest(): string | undefined {
    return this.#text(TEXT_PLACE.textDigest);
  }

  get version(): string {
    return this.#text(TEXT_PLACE.version) ?? DEFAULT_VERSION;
  }

  get domain(): string {
    return this.#text(TEXT_PLACE.domain) ?? DEFAULT_DOMAIN;
  }

  get defaults(): SkillDefinition['defaults'] {
    return listDefaults(this.#text(TEXT_PLACE.version), this.#text(TEXT_PLACE.domain));
  }

  get tags(): readonly string[] {
    return unpackTags(this.#text(TEXT_PLACE.tags)) ?? (this.#has(FLAG_BITS.oddTags) ? this.#rest().tags : NONE) ?? NONE;
  }

  get license(): string | undefined {
    return this.#text(TEXT_PLACE.license);
  }

  get compatibility(): string | undefined {
    return this.#text(TEXT_PLACE.compatibility);
  }

  get metadata(): Skill['metadata'] {
    return this.#rest().metadata ?? NOTHING;
  }

  get allowedTools(): readonly string[] {
    return this.#rest().allowedTools ?? NONE;
  }

  get triggers(): Skill['triggers'] {
    return this.#rest().triggers ?? NO_TRIGGERS;
  }

  get globs(): readonly string[] {
    return this.#rest().globs ?? NONE;
  }

  get pinned(): boolean {
    return this.#has(FLAG_BITS.pinned);
  }

  get hidden(): boolean {
    return this.#has(FLAG_BITS.hidden);
  }

  get userInvocable(): boolean {
    return !this.#has(FLAG_BITS.notInvocable);
  }

  get defaultEnabled(): boolean {
    return !this.#has(FLAG_BITS.offByDefault);
  }

  get toolsets(): readonly string[] {
    return this.#rest().toolsets ?? NONE;
  }

  get scripts(): readonly string[] | undefined {
    return this.#rest().scripts;
  }

  get requires(): readonly string[] {
    return (this.#has(FLAG_BITS.requires) ? this.#rest().requires : NONE) ?? NONE;
  }

  get creator(): string | undefined {
    return this.#text(TEXT_PLACE.creator);
  }

  get producerVersion(): string | undefined {
    return this.#text(TEXT_PLACE.producerVersion);
  }

  get extra(): Skill['extra'] {
    return this.#rest().extra ?? NOTHING;
  }

  get diagnostics(): Skill['diagnostics'] {
    const flaws = this.#has(FLAG_BITS.flawed) ? this.#rest().diagnostics : undefined;
    return flaws === undefined ? NO_DIAGNOSTICS : unpackDiagnostics(flaws, this.file);
  }

  get source(): string {
    return this.#root.origin.source;
  }

  get group(): string {
    return this.#root.origin.group;
  }

  get level(): Skill['level'] {
    return this.#root.origin.level;
  }

  get stamp(): FileStamp {
    return this.#rows.stampOf(this.#row);
  }

  get enabled(): boolean {
    return USABLE.enabled;
  }

  get available(): boolean {
    return USABLE.available;
  }

  get status(): Skill['status'] {
    return USABLE.status;
  }

  get reasons(): readonly string[] {
    return USABLE.reasons;
  }

  get unavailableReason(): string | undefined {
    return USABLE.unavailableReason;
  }

  get shadows(): Skill['shadows'] {
    return USABLE.shadows;
  }

  get shadowedBy(): string | undefined {
    return USABLE.shadowedBy;
  }
}
