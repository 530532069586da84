import { join } from 'node:path';

import { readConfig } from '../config/read-config.ts';
import { MAX_RESOURCE_BYTES, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { compareLooseVersions } from '../parse/semver.ts';
import { changeSkillText, replaceBody } from '../parse/skill-text.ts';
import { readEnvironment, type EnvironmentOptions } from '../platform/environment.ts';
import { isTaken } from '../platform/files/files.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { resolveSources } from '../sources/resolve.ts';
import { SkillStore } from './store.ts';

/** `kept`: the existing skill is the user's own, or was written by a newer version. */
export type UpgradeAction = 'created' | 'upgraded' | 'unchanged' | 'kept';

export interface UpgradeOptions {
  /** The bundled skill's directory. */
  readonly from: string;
  /** The copy's directory among the user's skills. */
  readonly to: string;
  readonly version?: string;
}

export interface Upgrade {
  readonly action: UpgradeAction;
  /** Where the replaced instructions are kept, if they differ from the new ones: the user may have edited them. */
  readonly keptAs?: string | undefined;
}

/** A copy of a bundled skill in the user's directory. */
export interface BundledCopy {
  readonly name: string;
  /** The bundled skill's directory. */
  readonly from: string;
  /** The copy's directory. */
  readonly to: string;
  /** The version of Skillplane that wrote the copy. */
  readonly before: string;
  /** This version. */
  readonly after: string;
  readonly isOutdated: boolean;
}

/** Finds the user's copies of bundled skills. Reads only the two folders that can hold them. */
export async function findBundledCopies(options: EnvironmentOptions = {}): Promise<readonly BundledCopy[]> {
  const environment = readEnvironment(options);
  const { config } = readConfig(environment);
  const roots = resolveSources(config, environment).roots.filter(({ id }) => id === 'user' || id === 'bundled');
  const { skills, shadowed } = await new SkillStore({ environment, roots }).loadAll();
  return listBundledCopies([...skills, ...shadowed]);
}

/** Lists the user's copies of bundled skills. Takes every copy of every skill, shadowed ones included. */
export function listBundledCopies(copies: readonly Skill[]): readonly BundledCopy[] {
  const bundled = new Map(copies.filter(({ source }) => source === 'bundled').map((skill) => [skill.id, skill.dir]));
  return copies.flatMap(({ id, name, dir: to, source, producerVersion: before }) => {
    const from = bundled.get(id);
    if (source !== 'user' || from === undefined || before === undefined) return [];
    return [{ name, from, to, before, after: VERSION, isOutdated: compareLooseVersions(before, VERSION) < 0 }];
  });
}

/**
 * Copies a bundled skill to a user's folder, or updates the copy, which records the version that wrote it
 * (`producer_version`). A newer version replaces instructions and files and keeps the user's frontmatter; changed
 * instructions are saved next to the new ones. A skill without a recorded version belongs to the user and is never
 * changed.
 */
export function upgradeBundledSkill({ from, to, version = VERSION }: UpgradeOptions): Outcome<Upgrade> {
  const bundled = readText(from);
  if (!bundled.ok) return bundled;
  const copy = readText(to);
  if (!copy.ok && copy.code !== 'RESOURCE_NOT_FOUND') return copy;
  const fields = new Map([['producer_version', version]]);
  if (!copy.ok) return write({ from, to, text: changeSkillText(bundled.text, { fields }) }, 'created');
  const parsed = parseSkill(copy.text, { dir: to });
  if (!parsed.ok) return fail('PARSE_FAILED', parsed.message);
  const { producerVersion } = parsed.skill;
  if (producerVersion === version) return { ok: true, action: 'unchanged' };
  if (producerVersion === undefined || compareLooseVersions(producerVersion, version) > 0)
    return { ok: true, action: 'kept' };
  const head = changeSkillText(copy.text, { fields });
  if (!head.ok) return head;
  const text = replaceBody(head.text, bundled.text);
  if (text === head.text) return write({ from, to, text: { ok: true, text } }, 'upgraded');
  const kept = replaceFile(freePath(to, producerVersion), copy.text);
  if (!kept.ok) return kept;
  const written = write({ from, to, text: { ok: true, text } }, 'upgraded');
  return written.ok ? { ...written, keptAs: kept.path } : written;
}

/** An unused file name next to SKILL.md; loaders read only SKILL.md. */
function freePath(dir: string, version: string): string {
  const start = join(dir, `SKILL.${version.replaceAll(/[^\w.+-]/g, '_').slice(0, 40)}`);
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${start}.md` : `${start}-${number}.md`;
    if (!isTaken(path)) return path;
  }
}

function readText(dir: string): Outcome<{ readonly text: string }> {
  const folder = openSkillFolder(dir);
  const content = folder.read('SKILL.md', MAX_SKILL_FILE_BYTES);
  if (!content.ok) return fail(content.code, `${join(dir, 'SKILL.md')}: ${content.message}`);
  return { ok: true, text: new TextDecoder().decode(content.bytes) };
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly text: Outcome<{ readonly text: string }>;
}

/** Writes SKILL.md last, so that the instructions never refer to files that do not exist yet. */
function write({ from, to, text }: Copying, action: UpgradeAction): Outcome<Upgrade> {
  if (!text.ok) return text;
  const folder = openSkillFolder(from);
  for (const { path, executable } of folder.files().files.filter((file) => file.path !== 'SKILL.md')) {
    const content = folder.read(path, MAX_RESOURCE_BYTES);
    if (!content.ok) return fail(content.code, `${join(from, path)}: ${content.message}`);
    const written = replaceFile(join(to, path), content.bytes, { mode: executable ? 0o755 : 0o644 });
    if (!written.ok) return written;
  }
  const written = replaceFile(join(to, 'SKILL.md'), text.text);
  return written.ok ? { ok: true, action } : written;
}
