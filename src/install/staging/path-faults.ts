import { findPathFault } from '../../model/path-fault.ts';
import { findInvisible } from '../../parse/invisible.ts';

export const MAX_PATH_BYTES = 4_096;
const MAX_SEGMENT_BYTES = 255;
/** The digest of a skill covers as many. */
const MAX_SEGMENTS = 32;

/** Why a path from a repository must not be written; undefined for a path that is fine on every system. */
export function findTreePathFault(path: string): string | undefined {
  const fault = findPathFault(path);
  if (fault !== undefined) return `the path ${fault}`;
  if (path.includes('\uFFFD')) return 'the path is not valid UTF-8';
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(path) || findInvisible(path, 1).length > 0)
    return 'the path contains an invisible character';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `the path is longer than ${MAX_PATH_BYTES} bytes`;
  const segments = path.split('/');
  if (segments.length > MAX_SEGMENTS) return `it is nested deeper than ${MAX_SEGMENTS} levels`;
  return segments.map(findSegmentFault).find((text) => text !== undefined);
}

function findSegmentFault(segment: string): string | undefined {
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `a name is longer than ${MAX_SEGMENT_BYTES} bytes`;
  if (isGitFolder(segment)) return 'a name means the folder .git on some systems';
  if (segment.includes(':')) return 'a name contains ":", which has another meaning on Windows';
  if (/[. ]$/.test(segment)) return 'a name ends with a dot or a space, which Windows removes';
  if (RESERVED.test(segment)) return 'a name is reserved on Windows';
  return undefined;
}

/** Device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i;

/** Covers every spelling that a file system reads as `.git`: HFS+ ignores some characters, NTFS ignores endings and has short names. */
function isGitFolder(segment: string): boolean {
  const seen = segment.replaceAll(IGNORED, '').normalize('NFKC').toLowerCase();
  return /^(?:\.git|git~\d+)[. ]*(?::|$)/.test(seen);
}

const IGNORED = /[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;

/** Equal for paths that some file system treats as the same. */
export function foldPath(path: string): string {
  return path.replaceAll(IGNORED, '').normalize('NFKC').toUpperCase().toLowerCase();
}
