/**
 * For the hub, which is built and released together with this package. Nothing here is promised: any of it may change or go with
 * any version. Programs use the other entry points.
 */

/** Serves HTTP with the limits that all our servers have, and built pages from memory. */
export { listenHttp, type HttpListener } from './platform/http/listen.ts';
export { LOOPBACK_HOSTS } from './platform/http/guard.ts';
export { PAGE_HEADERS, readPageFiles, servePage, type PageFiles } from './http/page-files.ts';
/** Searches skills that live in a database, with an index that is kept there. */
export { openPortableIndex, type PortableIndex } from './select/index/portable-index.ts';
export { placeSkill } from './sources/place-skill.ts';
/** Text of skills for models. */
export { renderInlinedSkill } from './disclose/formats/inlined-skill.ts';
export { harmlessLine } from './disclose/harmless.ts';
/** The next step after a failure in words. */
export { describeNext } from './model/next-step.ts';
/** Receives, compares and lists versions. */
export { receiveSkill, type ReceivedSkill } from './publish/receive-skill.ts';
export { listDifferences, type FileDifference } from './publish/list-differences.ts';
export { INDEX_FILE, renderIndex, type IndexEntry } from './publish/site/site-index.ts';
export { compareSemver, parseSemver } from './parse/semver.ts';
/** Judges findings of the audit. */
export { isGrave, withholdFindings } from './audit/policy.ts';
export { describeFinding } from './audit/summary.ts';
/** The other end of a hub, for its tests. */
export { logIn, logOut } from './publish/hub/log-in.ts';
export { publishToHub } from './publish/hub/publish-to-hub.ts';
export { reportUse } from './publish/hub/report-use.ts';
export { claimUseReport } from './engine/skill-usage.ts';
export { packFiles } from './parse/archives/pack-files.ts';
export type { FileContent } from './parse/digest.ts';
export { readEnvironment } from './platform/environment.ts';
