import {
  describeFinding,
  describeNext,
  isGrave,
  parseSemver,
  receiveSkill,
  type ReceivedSkill,
} from 'skillplane/internal';

import type { Identity } from '../access/roles.ts';
import type { Database } from '../database/database.ts';
import { refuse, type Result } from '../refusal.ts';
import { writeLog } from '../store/log.ts';
import { findScope, type Scope } from '../store/scopes.ts';
import { isStorable } from '../store/storable.ts';
import { saveVersion, type SkillKey, type VersionState } from '../store/versions.ts';
import { moveTag } from './move-tag.ts';

export interface PublishRequest extends SkillKey {
  readonly archive: Uint8Array;
  /** The version that the skill itself gives, unless one is given here. */
  readonly version?: string | undefined;
  /** Moves to the new version. Default: `latest`, if no newer version has it. */
  readonly tag?: string | undefined;
  /** Audit rules, separated by commas, whose secrets are none. */
  readonly allow?: string | undefined;
}

export interface Publication {
  readonly scope: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly state: VersionState;
  /** The same content had been published as this version before. */
  readonly unchanged: boolean;
  /** Why it waits for a person. */
  readonly waitsFor: readonly string[];
  readonly warnings: readonly string[];
}

/** Unpacks, judges, validates and audits what was sent, trusting nothing that it says of itself, and keeps it. */
export async function publishVersion(
  database: Database,
  identity: Identity,
  request: PublishRequest,
): Promise<Result<Publication>> {
  const { scope: scopeName, name } = request;
  const scope = await findScope(database, scopeName);
  if (scope === undefined)
    return refuse('NOT_FOUND', `there is no scope @${scopeName}`, { advice: 'An admin creates scopes.' });
  const received = await receiveSkill(request.archive, { allow: request.allow?.split(',') });
  if (!received.ok) {
    const { message, next } = received;
    return refuse('INVALID_SKILL', message, { advice: next && describeNext(next) });
  }
  if (received.skill.name !== name)
    return refuse('INVALID_SKILL', `the archive holds the skill "${received.skill.name}", not "${name}"`);
  if (!isStorable(received.skill))
    return refuse('INVALID_SKILL', 'the frontmatter has a NUL or half a character', {
      advice: 'Remove it from SKILL.md.',
    });
  const version = request.version ?? received.version;
  if (version === undefined)
    return refuse('INVALID_SKILL', 'the skill has no version', {
      advice: 'Give it `metadata: { version: 1.0.0 }`, or name one when you publish.',
    });
  if (parseSemver(version) === undefined || version.startsWith('v') || version.includes('+'))
    return refuse('INVALID_SKILL', `"${version}" is not a version`, {
      advice: 'Use three numbers, as in 1.4.0, or 1.4.0-beta.1 before a release.',
    });
  const waitsFor = listObstacles(scope, received);
  return keep(database, { request, identity, received, version, waitsFor });
}

/** Why a new version of the scope must wait for a person; empty if readers may see it at once. */
function listObstacles({ policy, failOn }: Scope, { audit }: ReceivedSkill): readonly string[] {
  if (policy === 'open') return [];
  if (policy === 'reviewed') return ['a reviewer other than its publisher'];
  const grave = audit.findings.filter((finding) => isGrave(finding, failOn));
  return grave.map(describeFinding);
}

interface Keeping {
  readonly request: PublishRequest;
  readonly identity: Identity;
  readonly received: ReceivedSkill;
  readonly version: string;
  readonly waitsFor: readonly string[];
}

async function keep(
  database: Database,
  { request, identity, received, version, waitsFor }: Keeping,
): Promise<Result<Publication>> {
  const { scope, name, tag } = request;
  const { digest, skill, contents: files, audit, archive, warnings } = received;
  const state = waitsFor.length > 0 ? 'waiting' : 'published';
  const { diagnostics: _, dir: __, file: ___, ...manifest } = skill;
  const answer = { scope, name, version, digest, warnings };
  return database.transaction(async (queries): Promise<Result<Publication>> => {
    const { existing } = await saveVersion(queries, {
      ...answer,
      description: skill.description,
      manifest,
      findings: audit.findings,
      state,
      publishedBy: identity.person,
      tag: tag ?? null,
      files,
      archiveBytes: archive.bytes,
    });
    if (existing !== undefined) {
      if (existing.digest === digest)
        return { ok: true, ...answer, state: existing.state, unchanged: true, waitsFor: [] };
      return refuse('CONFLICT', `@${scope}/${name}@${version} exists with other content, and versions never change`, {
        advice: 'Publish the change as a new version.',
      });
    }
    if (state === 'published') await moveTag(queries, { scope, name, version, tag: tag ?? null });
    await writeLog(queries, {
      actor: identity.person,
      action: 'publish',
      scope,
      skill: name,
      version,
      detail: { digest, state, ...(tag === undefined ? {} : { tag }) },
    });
    return { ok: true, ...answer, state, unchanged: false, waitsFor };
  });
}
