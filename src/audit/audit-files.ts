import { basename } from 'node:path';

import type { FolderEntry, RefusedEntry, SkillFolder } from '../model/folder.ts';
import { MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { UNPACK_LIMITS } from '../parse/archives/unpack.ts';
import { findNamedFileFaults } from '../parse/named-files.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { LEFT_TO_GIT } from '../platform/repository/folder-repository.ts';
import { openMentions, type AuditedScript, type MentionedNames } from './inventory.ts';
import { examineFileWhole, MAX_EXAMINED_BYTES, type AuditedFile } from './reading/examine-file-whole.ts';
import { MAX_COMMANDS } from './reading/examine-text.ts';
import { openExaminer } from './reading/examiner.ts';
import { findInterpreter } from './reading/script-language.ts';
import { isNamedDocument } from './reading/text-regions.ts';
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
  /** The skill in the SKILL.md of the folder itself, if the caller has parsed it already. */
  readonly skill?: SkillDefinition | undefined;
  /** Larger files are read in parts, and larger archives are not unpacked; 64 MiB by default. */
  readonly maxWholeBytes?: number | undefined;
}

/** Reads every file to its end; runs nothing. */
export async function auditFiles({
  files,
  refused,
  skill,
  maxWholeBytes = MAX_EXAMINED_BYTES,
}: AuditedFiles): Promise<Audit> {
  const report = openReport();
  const mentions = openMentions();
  const budget = { entries: UNPACK_LIMITS.entries, bytes: UNPACK_LIMITS.totalBytes, commands: MAX_COMMANDS };
  const examiner = openExaminer({ report, mentions, budget });
  for (const entry of refused) reportRefused(entry, report);
  const scripts: AuditedScript[] = [];
  const manifests: Manifest[] = [];
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  for (const file of sorted) {
    const isRun = file.executable;
    const start = await examineFileWhole(file, { examiner, report, maxWholeBytes, isRun });
    scripts.push(...describeScript(file, start.toString('utf8', 0, 256)));
    manifests.push(...readManifests(file.path, start, skill));
  }
  // A document that another file runs is examined again, as code.
  for (const file of sorted)
    if (isNamedDocument(file.path) && mentions.isRun(file.path))
      await examineFileWhole(file, { examiner, report, maxWholeBytes, isRun: true });
  const listed = sorted.map(({ path, size, executable }) => ({ path, size, executable }));
  for (const manifest of manifests) reportNamedFiles(manifest, { files: listed, refused }, report);
  return {
    ...report.close(),
    ...mentions.close(),
    files: listed,
    scripts,
    toolsets: [...new Set(manifests.flatMap(({ skill }) => skill.toolsets))].sort(compareText),
  };
}

function reportRefused({ path, reason }: RefusedEntry, report: AuditReport): void {
  const isSpecial = /^is (?:a link|a submodule|not a regular file)\b/.test(reason);
  const severity = reason === LEFT_TO_GIT ? 'info' : undefined;
  const place = { file: path === '' ? '.' : path };
  report.add(isSpecial ? FILES.special : ARCHIVES.unread, place, { excerpt: `${path} ${reason}`.trim(), severity });
}

/** A script, if the file's location, executable bit, first line or extension says so. */
function describeScript({ path, executable }: FolderEntry, head: string): readonly AuditedScript[] {
  const interpreter = findInterpreter(path, head);
  const isScript = executable || interpreter !== undefined || /(?:^|\/)scripts\//.test(path);
  return isScript ? [{ path, interpreter }] : [];
}

/** A SKILL.md of the folder; a folder that holds many skills has several. */
interface Manifest {
  readonly path: string;
  readonly text: string;
  readonly skill: SkillDefinition;
}

function readManifests(path: string, bytes: Buffer, known: SkillDefinition | undefined): readonly Manifest[] {
  if (known !== undefined && path === known.file) return [{ path, text: bytes.toString(), skill: known }];
  if (basename(path).toLowerCase() !== 'skill.md' || bytes.length > MAX_SKILL_FILE_BYTES) return [];
  const parsed = parseSkill(bytes, { dir: '/skill', file: path });
  return parsed.ok ? [{ path, text: bytes.toString(), skill: parsed.skill }] : [];
}

function reportNamedFiles({ path, text, skill }: Manifest, all: FolderListing, report: AuditReport): void {
  const folder = path.slice(0, -basename(path).length);
  const inside = <T extends { readonly path: string }>(entries: readonly T[]): readonly T[] =>
    entries.flatMap((entry) =>
      entry.path.startsWith(folder) ? [{ ...entry, path: entry.path.slice(folder.length) }] : [],
    );
  const files = (): FolderListing => ({ files: inside(all.files), refused: inside(all.refused) });
  for (const { field, name, line, isRefused } of findNamedFileFaults(skill, { text, files }))
    report.add(isRefused ? FILES.outside : FILES.unresolved, { file: path }, { line, excerpt: `${field}: ${name}` });
}

type FolderListing = ReturnType<SkillFolder['files']>;
