/** Gives skills to others: archives, static sites, and the files that make a repository installable. */

/** Packs a skill, or files in memory, into an archive whose bytes depend on the files alone. */
export { pack, type PackedArchive, type PackOptions } from './publish/pack.ts';
export { ARCHIVE_FORMATS, packFiles, type Archive, type ArchiveFormat } from './parse/archives/pack-files.ts';
export type { FileContent } from './parse/digest.ts';
/** Says for each program and specification whether it takes a skill, and what it cuts and ignores. */
export { judgeForTargets, type JudgeOptions, type TargetVerdict } from './publish/targets/judge-for-targets.ts';
export type { Effect, TargetFinding } from './publish/targets/target.ts';
export { TARGET_IDS, type TargetId } from './model/target-id.ts';
/** Publishes skills as a site of plain files. */
export {
  publishSkills,
  type PublishedSite,
  type PublishOptions,
  type SitedSkill,
} from './publish/site/publish-site.ts';
/** The well-known index by which other programs find skills on a site. */
export { INDEX_FILE, renderIndex, type IndexEntry } from './publish/site/site-index.ts';
/** A team's hub: logging in, and publishing to it. */
export { listHubs, logIn, logOut, type HubLogin } from './publish/hub/log-in.ts';
/** Tells hubs how often their skills are used, if the user allows it. */
export { reportUse, type UseReport } from './publish/hub/report-use.ts';
export { isHubScope, publishToHub, type HubPublication, type HubPublishOptions } from './publish/hub/publish-to-hub.ts';
/** Unpacks, judges, validates and audits an archive that others sent; writes nothing. */
export { receiveSkill, type ReceivedSkill } from './publish/receive-skill.ts';
/** How two versions of a skill differ, line by line. */
export { listDifferences, type FileDifference } from './publish/list-differences.ts';
/** Versions and ranges by the rules of Semantic Versioning. */
export {
  compareSemver,
  isInRange,
  parseSemver,
  parseSemverRange,
  type SemanticVersion,
  type SemverRange,
} from './parse/semver.ts';
/** Writes the files that make a repository of skills installable by other programs. */
export { emit, type EmitOptions, type EmittedManifests, type EmittedState } from './publish/emit/emit.ts';
export { EMIT_TARGETS, type EmitTarget } from './model/target-id.ts';
