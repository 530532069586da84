import { join } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import type { FoundRule } from '../audit/report.ts';
import type { LocatedSkill } from '../catalog/locate.ts';
import type { AuditLimit } from '../model/config.ts';
import type { Outcome } from '../model/outcome.ts';
import type { FileStamp, Skill } from '../model/skill.ts';
import { VERSION } from '../model/version.ts';
import { digestFolder, sha256Of } from '../parse/digest.ts';
import { parseJsonSafely } from '../platform/files/cache-file.ts';
import { readOwnText, writeWhole } from '../platform/files/files.ts';
import { stampSettledFolder } from '../platform/files/folder-stamp.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** The findings of a skill that are as bad as a limit, or worse. */
export interface AuditVerdict {
  readonly findings: readonly FoundRule[];
  /** The state of the folder; undefined if nothing was found, or if the folder has no digest. */
  readonly digest?: string | undefined;
}

/** Audits skills, and knows the verdicts as long as their folders stay the same, those of earlier processes included. */
export interface AuditVerdicts {
  /** The verdict on a skill as its folder is now. Audits it only if the verdict is not known. */
  judge(located: LocatedSkill, limit: AuditLimit): Promise<Outcome<AuditVerdict>>;
  /** Audits a skill in any case. */
  audit(located: LocatedSkill, limit: AuditLimit): Promise<Outcome<{ readonly audit: Audit } & AuditVerdict>>;
  /** The known verdict on a skill, if its SKILL.md is still the same. Touches no file of the skill. */
  recall(skill: Skill, limit: AuditLimit): AuditVerdict | undefined;
  /** Writes new verdicts, if there are any, for other processes. */
  save(): void;
}

export function openAuditVerdicts(agentHome: string): AuditVerdicts {
  const file = join(agentHome, 'cache', 'audits.json');
  const fresh = new Map<string, Row>();
  let read: Map<string, Row> | undefined;
  const find = (dir: string, limit: AuditLimit): Row | undefined => {
    const row = fresh.get(dir) ?? (read ??= readRows(file)).get(dir);
    return row?.limit === limit ? row : undefined;
  };
  const audit: AuditVerdicts['audit'] = async ({ skill, realDir }, limit) => {
    const stamp = stampOf(realDir);
    // Lazy: most processes audit no skill.
    const [{ auditFolder }, { listGrave }] = await Promise.all([
      import('../audit/audit-folder.ts'),
      import('../audit/policy.ts'),
    ]);
    const audited = await auditFolder(realDir);
    if (!audited.ok) return audited;
    const findings = listGrave(audited.audit.findings, limit);
    const verdict = { findings, digest: findings.length === 0 ? undefined : digestOf(realDir) };
    // A folder that changed meanwhile may have been audited in no state that it ever had.
    if (stamp !== undefined && stamp === stampOf(realDir))
      fresh.set(skill.dir, { dir: skill.dir, limit, stamp, manifest: keyOf(skill.stamp), ...verdict });
    return { ok: true, audit: audited.audit, ...verdict };
  };
  return {
    audit,
    async judge(located, limit) {
      const row = find(located.skill.dir, limit);
      return row !== undefined && row.stamp === stampOf(located.realDir) ? { ok: true, ...row } : audit(located, limit);
    },
    recall({ dir, stamp }, limit) {
      const [row, manifest] = [find(dir, limit), keyOf(stamp)];
      return manifest !== undefined && row?.manifest === manifest ? row : undefined;
    },
    save() {
      if (fresh.size === 0) return;
      // Another process may have saved verdicts of its own meanwhile.
      const rows = [...readRows(file), ...fresh];
      writeWhole(file, JSON.stringify({ version: VERSION, rows: [...new Map(rows).values()].slice(-MAX_ROWS) }));
      read = undefined;
      fresh.clear();
    },
  };
}

/** A verdict and the state of the folder that it is about. */
interface Row extends AuditVerdict {
  readonly dir: string;
  readonly limit: AuditLimit;
  /** Changes with anything in the folder. */
  readonly stamp: string;
  /** Changes with the SKILL.md; undefined if that had changed just now. */
  readonly manifest?: string | undefined;
}

const MAX_ROWS = 5_000;

function readRows(file: string): Map<string, Row> {
  const text = readOwnText(file);
  const content = text.ok && text.text !== undefined ? parseJsonSafely(text.text) : undefined;
  if (typeof content !== 'object' || content === null || !('version' in content && 'rows' in content)) return new Map();
  if (content.version !== VERSION || !Array.isArray(content.rows)) return new Map();
  // This version of the file wrote the rows, so they have this type.
  return new Map(content.rows.map((row: Row) => [row.dir, row]));
}

/** Undefined for a folder that changed just now. */
function stampOf(dir: string): string | undefined {
  const stamp = stampSettledFolder(dir);
  return stamp === undefined ? undefined : sha256Of(stamp);
}

/** Undefined for a stamp that equals no other. */
function keyOf({ mtimeMs, ctimeMs, size, ino }: FileStamp): string | undefined {
  return Number.isNaN(ctimeMs) ? undefined : `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

function digestOf(dir: string): string | undefined {
  const digested = digestFolder(openSkillFolder(dir));
  return digested.ok ? digested.digest : undefined;
}
