/** Gives skills to others: archives, static sites, and the files that make a repository installable. */

/** Packs a skill, or files in memory, into an archive whose bytes depend on the files alone. */
export { pack, type PackedArchive, type PackOptions } from './publish/pack.ts';
export { ARCHIVE_FORMATS, packFiles, type Archive, type ArchiveFormat } from './parse/archives/pack-files.ts';
export type { FileContent } from './parse/digest.ts';
/** Says for each program and specification whether it takes a skill, and what it cuts and ignores. */
export { judgeForTargets, type JudgeOptions, type TargetVerdict } from './publish/targets/judge-for-targets.ts';
export { TARGET_IDS, type Effect, type TargetFinding, type TargetId } from './publish/targets/target.ts';
