import { basename } from 'node:path';

import { failBroken, isBroken } from '../catalog/broken.ts';
import type { SkillLoaderOptions } from '../catalog/discover.ts';
import { fetchLocated, locateSkill, openLocated, type LocatedSkill } from '../catalog/locate.ts';
import { SkillStore } from '../catalog/store.ts';
import { checkCall, aBoolean, optionsOf, skillsOr, aString } from '../model/check-arguments.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { asBuffer } from '../parse/decode.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { listResources, readResource, type ResourceContent, type ResourceList } from './resources.ts';
import { parseSkillUrl } from './skill-url.ts';

/** How a loader finds its skills and their folders. */
export interface SkillAccess {
  /** Called before each load. */
  readonly prepare?: () => Promise<unknown>;
  /** Finds a skill by name or id, in any state. */
  readonly find: (name: string) => Outcome<{ readonly skill: Skill }>;
  /** Finds the real path of the skill's folder, or says why it must not be read. */
  readonly locate: (skill: Skill) => Outcome<LocatedSkill>;
  /** Called with each loaded skill before it is returned. */
  readonly record?: (skill: Skill) => Promise<void>;
}

const LOAD_OPTIONS = optionsOf<SkillLoaderOptions>({ includeDisabled: aBoolean, includeUnavailable: aBoolean });
const OVER = skillsOr('a SkillStore or a list of skills');

/** A skill with its current instructions. */
export interface LoadedSkill extends ResourceList {
  /** As the file is now; name, source and state are those of the last scan. */
  readonly skill: Skill;
  /** The instructions: the file without its frontmatter. */
  readonly body: string;
  /** The whole file. */
  readonly raw: string;
  /** Estimated tokens of the body: characters / 4, rounded up. */
  readonly tokens: number;
}

export type LoadFailureCode = 'SKILL_NOT_FOUND' | 'PARSE_FAILED' | 'STORE_FAILED';

export type SkillLoadOutcome = ({ readonly ok: true } & LoadedSkill) | (Failure & { readonly code: LoadFailureCode });

/** Reads the instructions and files of skills. Reads are never cached, and every skill folder is treated as hostile. */
export class SkillLoader {
  readonly #options: SkillAccess;

  constructor(options: SkillAccess) {
    this.#options = options;
  }

  /** A loader over a store or a list of skills. `load` scans for skills if the store has not done so. */
  static over(given: SkillStore | readonly Skill[]): SkillLoader {
    if (!(given instanceof SkillStore)) checkCall('SkillLoader.over(skills)', { skills: [given, OVER] });
    const store = given instanceof SkillStore ? given : SkillStore.over(given);
    const { userId } = store.environment;
    return new SkillLoader({
      prepare: async () => (store.isLoaded ? undefined : store.loadAll()),
      find: (name) => (store.isLoaded ? store.find(name) : NOT_LOADED),
      locate: (skill) => locateSkill(skill, { roots: store.catalog().roots, userId }),
    });
  }

  /** A skill's whole SKILL.md, and a list of its other files. */
  async load(id: string, options: SkillLoaderOptions = {}): Promise<SkillLoadOutcome> {
    checkCall('load(name, options?)', { name: [id, aString], options: [options, LOAD_OPTIONS] });
    await this.#options.prepare?.();
    const located = this.locate(id, options);
    if (!located.ok) return toLoadFailure(located);
    const fetched = await fetchLocated(located);
    if (!fetched.ok) return toLoadFailure(fetched);
    const read = readInstructions(located);
    if (!read.ok) return toLoadFailure(read);
    await this.#options.record?.(read.skill);
    return { ...read, ...listResources(located) };
  }

  /** Every file of a skill but its SKILL.md. */
  resources(id: string, options: SkillLoaderOptions = {}): Outcome<ResourceList> {
    checkCall('resources(name, options?)', { name: [id, aString], options: [options, LOAD_OPTIONS] });
    const located = this.locate(id, options);
    return located.ok ? { ok: true, ...listResources(located) } : located;
  }

  /** One file of a skill, by its path relative to the skill. */
  readResource(id: string, path: string, options: SkillLoaderOptions = {}): Outcome<ResourceContent> {
    const given = { name: [id, aString], path: [path, aString], options: [options, LOAD_OPTIONS] } as const;
    checkCall('readResource(name, path, options?)', given);
    const located = this.locate(id, options);
    return located.ok ? readResource(located, path) : located;
  }

  /** The file that a `skill://` URL names. The skill's name must be spelled exactly. */
  readUrl(url: string, options: SkillLoaderOptions = {}): Outcome<ResourceContent> {
    checkCall('readUrl(url, options?)', { url: [url, aString], options: [options, LOAD_OPTIONS] });
    const parsed = parseSkillUrl(url);
    if (!parsed.ok) return parsed;
    const located = this.locate(parsed.name, options);
    if (!located.ok) return located;
    const { name, file } = located.skill;
    if (name !== parsed.name)
      return fail('SKILL_NOT_FOUND', `no skill called "${parsed.name}", but there is "${name}"`);
    const read = readResource(located, parsed.path ?? basename(file));
    return read.ok ? { ...read, url } : read;
  }

  /** The real path of a skill that may be used; a broken one never may. */
  locate(id: string, options: SkillLoaderOptions = {}): Outcome<LocatedSkill> {
    const found = this.#options.find(id);
    if (!found.ok) return found;
    const { skill } = found;
    if (isBroken(skill)) return failBroken(skill);
    const isAllowed =
      (skill.enabled || options.includeDisabled === true) && (skill.available || options.includeUnavailable === true);
    if (!isAllowed) return fail('SKILL_NOT_FOUND', `cannot load "${skill.name}": ${skill.reasons.join('; ')}`);
    return this.#options.locate(skill);
  }
}

const NOT_LOADED = fail('STORE_FAILED', 'the store has not scanned for skills yet', {
  advice: 'Call `loadAll` on it first.',
});

function readInstructions(located: LocatedSkill): Outcome<Omit<LoadedSkill, keyof ResourceList>> {
  const { skill } = located;
  const { name, dir, file } = skill;
  const content = openLocated(located).read(basename(file), MAX_SKILL_FILE_BYTES);
  if (!content.ok) return { ...content, message: `${file}: ${content.message}` };
  const parsed = parseSkill(content.bytes, { dir, file });
  if (!parsed.ok) return failBroken({ ...skill, diagnostics: parsed.diagnostics });
  // The name changes only with the next scan, because precedence decides who gets a name.
  const fresh = { ...skill, ...parsed.skill, name, stamp: content.stamp ?? skill.stamp };
  return { ok: true, skill: fresh, body: parsed.body, raw: asBuffer(content.bytes).toString(), tokens: fresh.tokens };
}

function toLoadFailure(failure: Failure): Failure & { readonly code: LoadFailureCode } {
  const { code } = failure;
  if (code === 'PARSE_FAILED') return { ...failure, code };
  const isMissing = code === 'SKILL_NOT_FOUND' || code === 'RESOURCE_NOT_FOUND';
  return { ...failure, code: isMissing ? 'SKILL_NOT_FOUND' : 'STORE_FAILED' };
}
