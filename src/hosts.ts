/** Other agent programs: what they see, keeping them in step, their histories and their hooks. */

export { HOSTS } from './hosts/all-hosts.ts';
export type { Host, HostPlace, SeeingHost } from './hosts/host.ts';
export { HOST_IDS, type HostId } from './model/host-id.ts';
export type {
  HostCatalogEntry,
  CatalogRequest,
  CatalogRoom,
  HostCatalog,
  HostRoot,
  HostSkill,
  ListedSkill,
  Reason,
  Switches,
  SwitchState,
} from './hosts/seeing/host-skill.ts';
export { findOtherHost, OTHER_HOST_IDS } from './hosts/other-hosts.ts';
export { countStandings, reportHost, type HostReport } from './hosts/seeing/host-report.ts';
export { findInView, indexFiles, skillsSeenBy } from './hosts/seeing/skill-in-view.ts';
export { viewHost, type HostView, type SeenSkill, type Standing, type ViewOptions } from './hosts/seeing/view-host.ts';
/** Prints or writes the settings that connect a program to the MCP server. */
export { CLIENT_NAMES, type ClientName, type Connection } from './hosts/clients/client-table.ts';
export { configureClient, type ClientConfig } from './hosts/clients/client-config.ts';
/** The words by which other programs start us. */
export { ownCommand } from './platform/package-file.ts';
/** Writes the MCP server and the prompt hook into the files of a host, and takes them out again. */
export {
  connectHost,
  disconnectHost,
  planConnection,
  type ConnectOutcome,
  type ConnectPlace,
  type ConnectRequest,
} from './hosts/connecting/connect-host.ts';
export { readConnection, type HostConnection } from './hosts/connecting/read-connection.ts';
export type { HookCall, HookPiece, HostHook } from './hosts/hooks/host-hook.ts';
/** The same skills without those that a host reads from its own folders. */
export { beyondHost } from './engine/beyond-host.ts';
/** Marks the hints of the prompt hook in transcripts. */
export { HINT_MARK } from './hosts/hint-mark.ts';
/** Brings the folders and switches of other agent programs in step with the catalog: plan, apply, undo. */
export {
  planAgents as planSync,
  planSwitchedAgents as planSwitched,
  syncAgents as sync,
  watchAgents as watchSync,
} from './engine/sync-agents.ts';
export { listSynced, undoSync, type SyncReport } from './hosts/sync/sync.ts';
export { readHostWishes, type HostWishes, type SwitchedPlan } from './hosts/sync/plan-switched.ts';
export type { HostSwitch } from './config/host-globs.ts';
export type { SyncOptions } from './hosts/sync/sync-request.ts';
export type { ChangedFile, SyncChange, SyncPlan, SyncProblem } from './hosts/sync/sync-plan.ts';
export type { SyncScope } from './hosts/sync/host-sync.ts';
/** Finds what other tools have installed, by their own records. */
export { findForeignSkills, type ForeignSkillOptions } from './hosts/importing/find-foreign-skills.ts';
export type { ForeignRecords } from './hosts/importing/foreign-records.ts';
export type { ForeignOrigin, ForeignSkill, ForeignTool } from './model/foreign-skill.ts';
