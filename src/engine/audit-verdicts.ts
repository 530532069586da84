import { join } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import type { FoundRule } from '../audit/report.ts';
import { fetchLocated, openJudged, type LocatedSkill } from '../catalog/locate.ts';
import type { AuditLimit } from '../model/config.ts';
import { parseJson } from '../model/json.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { digestFolder, sha256Of } from '../parse/digest.ts';
import { readOwnText } from '../platform/files/files.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { stampSettledFolder } from '../platform/files/stamp.ts';

/** The findings of a skill that are as bad as a limit, or worse. */
export interface AuditVerdict {
  readonly findings: readonly FoundRule[];
  /** Grave findings below the limit; undefined if there are none. */
  readonly noted?: readonly FoundRule[] | undefined;
  /** The state of the folder; undefined if nothing was found, or if the folder has no digest. */
  readonly digest?: string | undefined;
}

/** Audits skills, and knows the verdicts as long as their folders stay the same, those of earlier processes included. */
export interface AuditVerdicts {
  /** The verdict on a skill as its folder is now. Audits it only if the verdict is not known. */
  verdictOn(located: LocatedSkill, limit: AuditLimit): Promise<Outcome<AuditVerdict>>;
  /** Audits a skill in any case. */
  audit(located: LocatedSkill, limit: AuditLimit): Promise<Outcome<{ readonly audit: Audit } & AuditVerdict>>;
  /** The known verdict on a skill, if its SKILL.md is still the same. Touches no file of the skill. */
  knownVerdict(skill: Skill, limit: AuditLimit): AuditVerdict | undefined;
  /** Writes new verdicts, if there are any, for other processes. */
  save(): void;
}

export function openAuditVerdicts(agentHome: string): AuditVerdicts {
  const file = join(agentHome, 'cache', 'audits.json');
  let known: Known | undefined;
  const knownFor = (limit: AuditLimit): Known =>
    known?.limit === limit ? known : (known = { limit, rows: readRows(file, limit), fresh: new Map() });
  const audit: AuditVerdicts['audit'] = async (located, limit) => {
    const { skill, realDir, folder } = located;
    const fetched = await fetchLocated(located);
    if (!fetched.ok) return fetched;
    const stamp = stampOf(located);
    // Lazy: most processes audit no skill.
    const [{ auditFolder, auditSkillFolder }, { listGrave, listNoted }] = await Promise.all([
      import('../audit/audit-repository.ts'),
      import('../audit/policy.ts'),
    ]);
    const audited = await (folder === undefined ? auditFolder(realDir) : auditSkillFolder(folder));
    if (!audited.ok) return audited;
    const findings = listGrave(audited.audit.findings, limit);
    const noted = listNoted(audited.audit.findings, limit).slice(0, MAX_NOTED);
    const found = {
      ...(findings.length === 0 ? {} : { findings }),
      ...(noted.length === 0 ? {} : { noted }),
      ...(findings.length + noted.length === 0 ? {} : { digest: digestOf(located) }),
    };
    // If the folder changed during the audit, the result may fit no version of it.
    if (stamp !== undefined && stamp === stampOf(located)) {
      const row = { dir: skill.dir, stamp, changedMs: skill.stamp.ctimeMs, ...found };
      const { rows, fresh } = knownFor(limit);
      rows.set(row.dir, row);
      fresh.set(row.dir, row);
    }
    return { ok: true, audit: audited.audit, findings, noted: found.noted, digest: found.digest };
  };
  return {
    audit,
    async verdictOn(located, limit) {
      const fetched = await fetchLocated(located);
      if (!fetched.ok) return fetched;
      const row = knownFor(limit).rows.get(located.skill.dir);
      const isSame = row !== undefined && row.stamp === stampOf(located);
      return isSame ? { ok: true, ...toVerdict(row) } : audit(located, limit);
    },
    knownVerdict({ dir, stamp }, limit) {
      const row = knownFor(limit).rows.get(dir);
      // The time of a file that changed just now equals no other.
      return row?.changedMs === stamp.ctimeMs ? toVerdict(row) : undefined;
    },
    save() {
      if (known === undefined || known.fresh.size === 0) return;
      const { limit, fresh } = known;
      // Another process may have saved results since.
      const rows = [...new Map([...readRows(file, limit), ...fresh]).values()].slice(-MAX_ROWS);
      replaceFile(file, JSON.stringify({ version: VERSION, limit, rows }), { isPrivate: true });
      fresh.clear();
    },
  };
}

/** The verdicts for one limit. */
interface Known {
  readonly limit: AuditLimit;
  readonly rows: Map<string, Row>;
  /** Those that are not saved yet. */
  readonly fresh: Map<string, Row>;
}

/** A verdict and the state of the folder that it is about. Most skills have no findings. */
interface Row extends Partial<AuditVerdict> {
  readonly dir: string;
  /** Changes with anything in the folder. */
  readonly stamp: string;
  /** When the SKILL.md last changed. The system sets this time, so no program can restore it. */
  readonly changedMs: number;
}

function toVerdict({ findings = [], noted, digest }: Row): AuditVerdict {
  return { findings, noted, digest };
}

const MAX_NOTED = 20;

const MAX_ROWS = 5_000;

function readRows(file: string, limit: AuditLimit): Map<string, Row> {
  const text = readOwnText(file);
  const content = text.ok && text.text !== undefined ? parseJson(text.text) : undefined;
  if (typeof content !== 'object' || content === null || !('version' in content && 'limit' in content))
    return new Map();
  const isOurs = content.version === VERSION && content.limit === limit;
  if (!isOurs || !('rows' in content) || !Array.isArray(content.rows)) return new Map();
  // This version wrote the rows, so they have this type.
  return new Map(content.rows.map((row: Row) => [row.dir, row]));
}

/** Undefined for a folder that changed just now. */
function stampOf({ realDir, folder }: LocatedSkill): string | undefined {
  const stamp = folder === undefined ? stampSettledFolder(realDir) : folder.stamp();
  return stamp === undefined ? undefined : sha256Of(stamp);
}

function digestOf(located: LocatedSkill): string | undefined {
  const digested = digestFolder(openJudged(located));
  return digested.ok ? digested.digest : undefined;
}
