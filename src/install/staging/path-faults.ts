import { findInvisible } from '../../parse/invisible.ts';
import { findPathFault } from '../../platform/files/inside.ts';

export const MAX_PATH_BYTES = 4_096;
const MAX_SEGMENT_BYTES = 255;
/** As many as the digest of a skill covers. */
const MAX_SEGMENTS = 32;

/** Why a path out of a repository is not written on any system; undefined for a sane one. */
export function findTreePathFault(path: string): string | undefined {
  const fault = findPathFault(path);
  if (fault !== undefined) return `the path ${fault}`;
  if (path.includes('\uFFFD')) return 'the path is not valid UTF-8';
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(path) || findInvisible(path, 1).length > 0)
    return 'the path holds a character that cannot be seen';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`;
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return `it is nested deeper than ${MAX_SEGMENTS} levels`;
  return segments.map(findSegmentFault).find((text) => text !== undefined);
}

function findSegmentFault(segment: string): string | undefined {
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `a name is longer than ${MAX_SEGMENT_BYTES} bytes`;
  if (isGitFolder(segment)) return 'a name stands for the folder .git';
  if (segment.includes(':')) return 'a name holds ":", which Windows takes for something else';
  if (/[. ]$/.test(segment)) return 'a name ends with a dot or a blank, which Windows leaves out';
  if (RESERVED.test(segment)) return 'a name is reserved by Windows';
  return undefined;
}

/** Devices of Windows, whatever ending they have. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i;

/** In every spelling that some file system takes for it: HFS+ overlooks characters, NTFS endings, and has short names. */
function isGitFolder(segment: string): boolean {
  const seen = segment.replaceAll(OVERLOOKED, '').normalize('NFKC').toLowerCase();
  return /^(?:\.git|git~\d+)[. ]*(?::|$)/.test(seen);
}

const OVERLOOKED = /[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;

/** Equal for paths that some file system takes for one. */
export function foldPath(path: string): string {
  return path.replaceAll(OVERLOOKED, '').normalize('NFKC').toUpperCase().toLowerCase();
}
