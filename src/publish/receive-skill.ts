import type { Audit } from '../audit/audit-files.ts';
import { auditContents } from '../audit/audit-repository.ts';
import { refuseSecrets } from '../audit/policy.ts';
import { judgeTree, MAX_PLUGIN_BYTES, MAX_PLUGIN_FILES } from '../install/staging/judge-tree.ts';
import { MAX_PLUGIN_FILE_BYTES } from '../model/limits.ts';
import { listSome } from '../model/list-some.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { openFilesFolder } from '../parse/archives/files-folder.ts';
import { openArchive, type OpenArchive } from '../parse/archives/open-archive.ts';
import { packFiles, type Archive } from '../parse/archives/pack-files.ts';
import type { FileContent } from '../parse/digest.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { validateFolder } from '../parse/strict/validate.ts';
import { findVersion, judgeContents, type GivingOptions, type SkillContents } from './given-skill.ts';

/** A skill that others sent, judged by everything that installing one would be judged by. */
export interface ReceivedSkill extends SkillContents {
  /** Undefined if the skill does not say. */
  readonly version: string | undefined;
  readonly audit: Audit;
  /** Flaws that do not keep it from being used. */
  readonly warnings: readonly string[];
  /** The same files, packed anew: its bytes depend on the files alone. */
  readonly archive: Archive;
}

const PACKED_BYTES = MAX_PLUGIN_BYTES;

/**
 * Reads an archive (`.skill`, `.zip` or `.tar.gz`) in memory. Trusts nothing that it says of itself, and writes nothing. Fails if
 * it contains secrets whose rules are not allowed.
 */
export async function receiveSkill(
  bytes: Uint8Array,
  { allow = [] }: Pick<GivingOptions, 'allow'> = {},
): Promise<Outcome<ReceivedSkill>> {
  const opened = openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    packedBytes: PACKED_BYTES,
    unpackedBytes: MAX_PLUGIN_BYTES,
    entries: 2 * MAX_PLUGIN_FILES,
  });
  if (!opened.ok) return opened;
  const contents = readContents(opened.archive);
  if (!contents.ok) return contents;
  const judged = judgeContents('the skill', contents.files);
  if (!judged.ok) return judged;
  const audit = await auditContents(contents.files);
  const refused = refuseSecrets(judged.skill.name, audit.findings, allow);
  if (refused !== undefined) return refused;
  const { warnings } = validateFolder(openFilesFolder(judged.skill.name, contents.files));
  return {
    ...judged,
    version: findVersion(judged.skill),
    audit,
    warnings: warnings.map(({ message }) => message),
    archive: packFiles(contents.files, 'tar.gz'),
  };
}

/** The files, without the one folder that some programs put around them. */
function readContents(archive: OpenArchive): Outcome<{ readonly files: readonly FileContent[] }> {
  const folder = findWrapper(archive);
  const { files: judged, faults } = judgeTree(
    archive.entries.map((entry) => ({ ...entry, id: entry.path })),
    folder,
  );
  if (faults.length > 0) {
    const reasons = faults.map(({ path, reason }) => (path === '' ? reason : `${JSON.stringify(path)} ${reason}`));
    return fail('PATH_REFUSED', `the archive is not used: ${listSome(reasons, { most: 5, separator: '; ' })}`);
  }
  const files: FileContent[] = [];
  for (const { path, id, executable } of judged) {
    const read = archive.read(id, MAX_PLUGIN_FILE_BYTES);
    if (!read.ok) return read;
    files.push({ path, executable, bytes: read.bytes });
  }
  return { ok: true, files };
}

function findWrapper({ entries }: OpenArchive): string {
  const tops = new Set(entries.map(({ path }) => path.split('/', 1)[0] ?? ''));
  const [top = ''] = tops;
  return tops.size === 1 && entries.some(({ path }) => path === `${top}/${SKILL_FILE}`) ? top : '';
}
