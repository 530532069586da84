import { basename, posix } from 'node:path';

import type { FolderEntry, RefusedEntry, SkillFolder } from '../model/folder.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import type { Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { UNPACK_LIMITS } from '../parse/archives/unpack.ts';
import { findNamedFileFaults } from '../parse/named-files.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { MAX_STATEMENTS } from './flow/follow-values.ts';
import { openMentions, type AuditedScript, type MentionedNames } from './inventory.ts';
import { MAX_COMMANDS } from './reading/examine-text.ts';
import { openExaminer, type Examine } from './reading/examiner.ts';
import { findInterpreter } from './reading/script-language.ts';
import { isNamedDocument } from './reading/text-regions.ts';
import { openReport, type AuditFinding, type AuditReport, type UnlistedFindings } from './report.ts';
import { ARCHIVES, FILES } from './rules/files.ts';
import type { AuditSeverity } from './rules/rule.ts';

/** The contents of a skill, and the findings to look at before trusting it. A clean result is not proof of safety. */
export interface Audit extends MentionedNames {
  /** The number of findings of each severity, unlisted ones included. */
  readonly counts: Readonly<Record<AuditSeverity, number>>;
  /** The worst first. */
  readonly findings: readonly AuditFinding[];
  readonly unlisted: readonly UnlistedFindings[];
  /** Sorted by path. */
  readonly files: readonly FolderEntry[];
  readonly scripts: readonly AuditedScript[];
  /** Modules that the skill declares as toolsets. */
  readonly toolsets: readonly string[];
}

/** A file to audit, on disk or in a repository. */
export interface AuditedFile extends FolderEntry {
  read(maxBytes: number): Promise<Outcome<{ readonly bytes: Uint8Array }>>;
}

export interface AuditedFiles {
  readonly files: readonly AuditedFile[];
  /** Entries that cannot be read, with the reason. */
  readonly refused: readonly RefusedEntry[];
  /** The skill in the SKILL.md of the folder itself, if the caller has parsed it already. */
  readonly skill?: SkillDefinition | undefined;
}

/** Reads every file that could be installed to its end; runs nothing. */
export async function auditFiles({ files, refused, skill }: AuditedFiles): Promise<Audit> {
  const report = openReport();
  const sorted = files.toSorted((a, b) => compareText(a.path, b.path));
  const documents = sorted.filter(({ path }) => isNamedDocument(path));
  const mentions = openMentions(documents.map(({ path }) => path));
  const budget = {
    entries: UNPACK_LIMITS.entries,
    bytes: UNPACK_LIMITS.totalBytes,
    commands: MAX_COMMANDS,
    statements: MAX_STATEMENTS,
  };
  const examine = openExaminer({ report, mentions, budget });
  for (const entry of refused) reportRefused(entry, report);
  const scripts: AuditedScript[] = [];
  const manifests: Manifest[] = [];
  for (const file of sorted) {
    const bytes = await examineFile(file, { examine, report, isRun: file.executable });
    scripts.push(...describeScript(file, bytes.toString('utf8', 0, 256)));
    manifests.push(...readManifests(file.path, bytes, skill));
  }
  // A document that another file runs is examined again, as code.
  const declared = new Set(
    manifests.flatMap(({ path, skill: { scripts: named = [] } }) =>
      named.map((script) => posix.join(posix.dirname(path), script)),
    ),
  );
  for (const file of documents)
    if (mentions.isRun(file.path) || declared.has(file.path)) await examineFile(file, { examine, report, isRun: true });
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

interface Examining {
  readonly examine: Examine;
  readonly report: AuditReport;
  /** The file is run, whatever its name says. */
  readonly isRun: boolean;
}

/** Examines a file from its first byte to its last, and returns its content; nothing if it could not be read. */
async function examineFile(file: AuditedFile, { examine, report, isRun }: Examining): Promise<Buffer> {
  const place = { file: file.path };
  if (file.size > MAX_PLUGIN_FILE_BYTES) {
    const severity = file.executable || RUNNABLE.test(file.path) ? undefined : 'high';
    const excerpt = `its ${file.size} bytes are more than can be installed, and were not read`;
    report.add(ARCHIVES.tooMuch, place, { excerpt, severity });
    return NOTHING;
  }
  const whole = await file.read(MAX_PLUGIN_FILE_BYTES);
  if (!whole.ok) {
    report.add(ARCHIVES.unread, place, { excerpt: `its ${file.size} bytes were not read: ${whole.message}` });
    return NOTHING;
  }
  const bytes = Buffer.from(whole.bytes.buffer, whole.bytes.byteOffset, whole.bytes.byteLength);
  examine({ place, bytes, depth: 0, isRun });
  return bytes;
}

const NOTHING = Buffer.alloc(0);
/** Names of files that are run, unpacked or read by models; data is often large. */
const RUNNABLE =
  /\.(?:sh|bash|zsh|fish|py|pyw|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|ps1|bat|cmd|md|mdx|txt|rst|html?|zip|tgz|gz|tar|7z|rar|exe|dll|so|jar|app)$|(?:^|\/)[^./]+$/i;

function reportRefused({ path, kind, reason }: RefusedEntry, report: AuditReport): void {
  const isSpecial = kind === 'link' || kind === 'submodule' || kind === 'special';
  const severity = kind === 'git' ? 'info' : undefined;
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
