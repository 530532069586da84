import { compareText } from '../../model/order.ts';
import { sha256Of, type FileContent } from '../digest.ts';
import { SKILL_FILE } from '../skill-file.ts';
import { writeTarGz } from './write-tar.ts';
import { writeZip } from './write-zip.ts';

/** `skill` is a zip archive, as claude.ai takes it. */
export const ARCHIVE_FORMATS = ['skill', 'tar.gz'] as const;

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

export interface Archive {
  readonly bytes: Buffer;
  /** The number of bytes. */
  readonly size: number;
  /** `sha256:…` of the bytes. */
  readonly digest: string;
}

/**
 * Packs the files of a skill, with its SKILL.md at the root and first. Equal files give equal bytes on every machine, in every
 * time zone and with every version of Node. The paths are used as they are: judge them first.
 */
export function packFiles(files: readonly FileContent[], format: ArchiveFormat): Archive {
  const sorted = files.toSorted((a, b) => rank(a) - rank(b) || compareText(nfc(a), nfc(b)));
  const bytes = format === 'skill' ? writeZip(sorted) : writeTarGz(sorted);
  return { bytes, size: bytes.length, digest: sha256Of(bytes) };
}

function rank({ path }: FileContent): number {
  return path === SKILL_FILE ? 0 : 1;
}

function nfc({ path }: FileContent): string {
  return path.normalize('NFC');
}
