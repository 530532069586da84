import { basename } from 'node:path';

import type { FolderEntry, RefusedEntry } from '../model/folder.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { UNPACK_LIMITS } from './archives/unpack.ts';
import { openMentions, type AuditedScript, type MentionedNames } from './inventory.ts';
import { examineFileWhole, type AuditedFile } from './reading/examine-file-whole.ts';
import { openExaminer } from './reading/examiner.ts';
import { findInterpreter } from './reading/script-language.ts';
import { openReport, type AuditFinding, type AuditReport, type UnlistedFindings } from './report.ts';
import { ARCHIVES, FILES } from './rules/files.ts';

/** The contents of a skill, and the findings to look at before trusting it. Advice: finding nothing proves nothing. */
export interface Audit extends MentionedNames {
  /** The worst first. */
  readonly findings: readonly AuditFinding[];
  readonly unlisted: readonly UnlistedFindings[];
  /** Sorted by path. */
  readonly files: readonly FolderEntry[];
  readonly scripts: readonly AuditedScript[];
  /** Modules that the skill declares as toolsets. */
  readonly toolsets: readonly string[];
}

export interface AuditedFiles {
  readonly files: readonly AuditedFile[];
  /** Entries that cannot be read, with the reason. */
  readonly refused: readonly RefusedEntry[];
}

/** Reads every file to its end; runs nothing. */
export async function auditFiles({ files, refused }: AuditedFiles): Promise<Audit> {
  const report = openReport();
  const mentions = openMentions();
  const budget = { entries: UNPACK_LIMITS.entries, bytes: UNPACK_LIMITS.totalBytes };
  const examiner = openExaminer({ report, mentions, budget });
  for (const entry of refused) reportRefused(entry, report);
  const scripts: AuditedScript[] = [];
  const toolsets = new Set<string>();
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  for (const file of sorted) {
    const start = await examineFileWhole(file, { examiner, report });
    scripts.push(...describeScript(file, start.toString('utf8', 0, 256)));
    for (const toolset of listToolsets(file.path, start)) toolsets.add(toolset);
  }
  const listed = sorted.map(({ path, size, executable }) => ({ path, size, executable }));
  return {
    ...report.close(),
    ...mentions.close(),
    files: listed,
    scripts,
    toolsets: [...toolsets].sort(compareText),
  };
}

function reportRefused({ path, reason }: RefusedEntry, report: AuditReport): void {
  const isSpecial = /^is (?:a link|a submodule|not a regular file)\b/.test(reason);
  const severity = reason === 'is left to git' ? 'info' : undefined;
  const place = { file: path === '' ? '.' : path };
  report.add(isSpecial ? FILES.special : ARCHIVES.unread, place, { excerpt: `${path} ${reason}`.trim(), severity });
}

/** A script, if the file's location, executable bit, first line or extension says so. */
function describeScript({ path, executable }: FolderEntry, head: string): readonly AuditedScript[] {
  const interpreter = findInterpreter(path, head);
  const isScript = executable || interpreter !== undefined || /(?:^|\/)scripts\//.test(path);
  return isScript ? [{ path, interpreter }] : [];
}

function listToolsets(path: string, bytes: Buffer): readonly string[] {
  if (basename(path).toLowerCase() !== 'skill.md' || bytes.length > MAX_SKILL_FILE_BYTES) return [];
  const parsed = parseSkill(bytes, { dir: '/skill', file: path });
  return parsed.ok ? parsed.skill.toolsets : [];
}
