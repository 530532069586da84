import { basename, join } from 'node:path';

import { listResources } from '../activate/resources.ts';
import { formatSkillUrl } from '../activate/skill-url.ts';
import { openLocated, type LocatedSkill } from '../catalog/locate.ts';
import { MAX_RESOURCE_BYTES, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { sha256Of } from '../parse/digest.ts';
import { readTypedFrontmatter, type TypedFields } from '../parse/strict/strict-fields.ts';
import { findFieldFault, findSizeFault } from './publishing-rules.ts';
import { openStampCache } from './stamp-cache.ts';

/** One file of a published skill. */
export interface PublishedFile {
  /** The instructions are always `SKILL.md` here, whatever the case of the name on disk. */
  readonly path: string;
  readonly uri: string;
  readonly size: number;
}

export interface DigestedFile {
  readonly uri: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  readonly size: number;
}

/** A skill as the Skills extension of MCP (SEP-2640) carries it. */
export interface PublishedSkill {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  /** Every field, typed as in the file. */
  readonly frontmatter: TypedFields;
  /** Every file, SKILL.md included, sorted by URI. */
  readonly resources: readonly DigestedFile[];
}

/** Publishes skills as they are on disk now. Unchanged files are not read again. */
export interface SkillPublisher {
  /** Fails with the reason if the extension cannot carry the skill. */
  publish(skill: Skill): Outcome<PublishedSkill>;
  /** The reason why the extension cannot carry the skill, or undefined. Faster than `publish`: computes no digests. */
  findFault(skill: Skill): string | undefined;
  /** Its files, SKILL.md first, then by path; empty if the skill is gone. */
  files(skill: Skill): readonly PublishedFile[];
}

export const MANIFEST_NAME = 'SKILL.md';

/** `locate` finds the folder of a skill that may be used. */
export function openPublisher(locate: (skill: Skill) => Outcome<LocatedSkill>): SkillPublisher {
  const frontmatters = openStampCache<Outcome<{ readonly fields: TypedFields }>>();
  const digests = openStampCache<Outcome<Omit<DigestedFile, 'uri'>>>();

  const survey = (skill: Skill): Outcome<Survey> => {
    const located = locate(skill);
    if (!located.ok) return fail(located.code, 'it cannot be read');
    const file = join(located.realDir, basename(skill.file));
    const read = frontmatters.get(file, () => readFields(located));
    if (!read.ok) return fail(read.code, `${MANIFEST_NAME}: ${read.message}`);
    const files = listFiles(located);
    const fault = findFieldFault(skill.name, read.fields) ?? findSizeFault(files);
    return fault === undefined ? { ok: true, located, files, fields: read.fields } : fail('STORE_FAILED', fault);
  };

  return {
    publish(skill) {
      const surveyed = survey(skill);
      if (!surveyed.ok) return surveyed;
      const { located, files, fields } = surveyed;
      const resources: DigestedFile[] = [];
      for (const { path, uri } of files) {
        const onDisk = pathOnDisk(skill, path);
        const digested = digests.get(join(located.realDir, onDisk), () => digestFile(located, onDisk));
        if (!digested.ok) return fail(digested.code, `${path}: ${digested.message}`);
        resources.push({ uri, digest: digested.digest, size: digested.size });
      }
      resources.sort((a, b) => compareText(a.uri, b.uri));
      return { ok: true, uri: formatSkillUrl(skill.name, MANIFEST_NAME), frontmatter: fields, resources };
    },
    findFault(skill) {
      const surveyed = survey(skill);
      return surveyed.ok ? undefined : surveyed.message;
    },
    files(skill) {
      const located = locate(skill);
      return located.ok ? listFiles(located) : [];
    },
  };
}

interface Survey {
  readonly located: LocatedSkill;
  readonly files: readonly PublishedFile[];
  readonly fields: TypedFields;
}

/** The path of a published file inside its skill on disk. */
export function pathOnDisk({ file }: Skill, path: string): string {
  return path === MANIFEST_NAME ? basename(file) : path;
}

function listFiles(located: LocatedSkill): readonly PublishedFile[] {
  const { skill } = located;
  const manifest = openLocated(located).read(basename(skill.file), MAX_SKILL_FILE_BYTES);
  if (!manifest.ok) return [];
  const others = listResources(located).resources.map(({ path, url, size }) => ({ path, uri: url, size }));
  const uri = formatSkillUrl(skill.name, MANIFEST_NAME);
  return [{ path: MANIFEST_NAME, uri, size: manifest.bytes.length }, ...others];
}

function readFields(located: LocatedSkill): Outcome<{ readonly fields: TypedFields }> {
  const read = openLocated(located).read(basename(located.skill.file), MAX_SKILL_FILE_BYTES);
  return read.ok ? readTypedFrontmatter(read.bytes) : read;
}

function digestFile(located: LocatedSkill, path: string): Outcome<Omit<DigestedFile, 'uri'>> {
  const read = openLocated(located).read(path, MAX_RESOURCE_BYTES);
  if (!read.ok) return read;
  return { ok: true, digest: sha256Of(read.bytes), size: read.bytes.length };
}
