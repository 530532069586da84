import type { Diagnostic } from '../model/diagnostic.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import { temporaryFolder } from '../platform/process/programs.ts';
import { SkillRegistry, type SkillSearchResult } from '../select/registry.ts';
import { placeSkill } from '../sources/place-skill.ts';

export interface RemoteSearch extends EnvironmentOptions {
  /** A name or a request in plain words; empty to list everything. */
  readonly query?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RemoteResults {
  /** The address that was looked into. */
  readonly from: string;
  /** How many skills it has. */
  readonly total: number;
  readonly results: readonly SkillSearchResult[];
  /** Entries that cannot be used, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Looks into an index, a package, an archive or a repository without installing anything. Of an index, only the index itself
 * is fetched. Names and descriptions are ranked as those of your own skills.
 */
export async function searchRemote(address: string, options: RemoteSearch = {}): Promise<Outcome<RemoteResults>> {
  const { query = '', limit = 10, signal } = options;
  // Lazy: searching your own skills needs no origins.
  const { resolveOrigin } = await import('../install/origins/origin-kinds.ts');
  const environment = readEnvironment(options);
  const resolved = await resolveOrigin(address, { environment, into: temporaryFolder(), signal });
  if (!resolved.ok) return resolved;
  await using opened = resolved.opened;
  const found = await opened.find();
  if (!found.ok) return found;
  const skills = found.skills.flatMap(({ name, description }) => toSkill(name, description));
  const results = SkillRegistry.over(skills, { readBody: () => '' }).search(query, {}, limit);
  const { diagnostics } = found;
  return { ok: true, from: opened.display, total: skills.length, results, diagnostics };
}

const REMOTE = { source: 'remote', group: 'Remote', level: 'user' } as const;

/** A record for the search, which needs a name and a description. */
function toSkill(name: string, description: string): readonly Skill[] {
  const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
  const parsed = parseSkill(Buffer.from(text), { dir: `/${name}`, file: 'SKILL.md' });
  return parsed.ok ? [placeSkill(parsed.skill, REMOTE)] : [];
}
