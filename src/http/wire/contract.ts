import type { CatalogFormatName } from '../../model/catalog-format.ts';
import type { HealthCheck, Repair, Repaired } from './health.ts';
import type { ConnectView, HostCell, HostsView, SwitchedView, SyncView } from './hosts.ts';
import type { InstalledList, InstallLook, Scope, UpdateList, VersionsView } from './installed.ts';
import type { EvalSummary, LabCase, LabCaseChange, LabView } from './lab.ts';
import type { ModelView } from './model-view.ts';
import type { FilePreview, FixPreview, HostSight, SkillDetail, SkillUsageView, TrustView } from './skill.ts';
import type { FoundRow, RankingGap, RecentUse, SkillList, Switched, WireFailure } from './skills.ts';
import type { UsageView } from './usage.ts';

/** Facts about the console itself. */
export interface ConsoleSession {
  readonly version: string;
  /** The directory whose skills are shown. */
  readonly cwd: string;
  readonly home: string;
  /** The file that changes of settings go to. */
  readonly configFile: string;
  readonly isReadOnly: boolean;
  /** The agent programs that were on this machine when the page was opened. */
  readonly hosts: readonly { readonly id: string; readonly title: string }[];
  /** Every change must send it. */
  readonly changeToken: string;
}

/** A skill by its name. */
export interface Named {
  readonly name: string;
}

/** A change that went into one file. */
export interface ConfigFileEdit {
  readonly file: string;
}

/** A change in one sentence. */
export interface Said {
  readonly said: string;
}

/** An installed skill. */
export interface Installed extends Named {
  readonly scope: Scope;
}

/** Skills at an address; none are named if there is one. */
export interface AddressInput {
  readonly url: string;
  readonly scope: Scope;
  readonly skills: readonly string[];
}

/** Cells of the matrix of skills and hosts to switch first; there may be none. */
export interface Cells {
  readonly cells: readonly HostCell[];
}

type Nothing = Readonly<Record<string, never>>;

/** Questions, by the path behind `/api/`: what they take, and the answer. */
export interface Reads {
  readonly session: { readonly input: Nothing; readonly output: ConsoleSession };
  /** `first`: lists only so many, and only copies that have their name. */
  readonly skills: { readonly input: { readonly first?: number | undefined }; readonly output: SkillList };
  readonly search: {
    readonly input: { readonly query: string; readonly limit?: number | undefined };
    readonly output: { readonly results: readonly FoundRow[]; readonly partial: readonly RankingGap[] };
  };
  readonly skill: { readonly input: Named; readonly output: SkillDetail };
  readonly 'skill/file': { readonly input: Named & { readonly path: string }; readonly output: FilePreview };
  readonly 'skill/trust': { readonly input: Named; readonly output: TrustView };
  readonly 'skill/fix': { readonly input: Named; readonly output: FixPreview };
  readonly 'skill/usage': { readonly input: Named; readonly output: SkillUsageView };
  readonly 'skill/versions': { readonly input: Named; readonly output: VersionsView };
  readonly 'skill/hosts': { readonly input: Named; readonly output: { readonly hosts: readonly HostSight[] } };
  readonly hosts: { readonly input: Nothing; readonly output: HostsView };
  readonly 'hosts/sync': { readonly input: Nothing; readonly output: SyncView };
  /**
   * The files that would change. `server`, `hook`: what the host shall have; without both it is disconnected. `recordsUse`: its
   * hook also tells us of every skill that is used.
   */
  readonly 'hosts/connect': {
    readonly input: {
      readonly host: string;
      readonly server?: 'true' | undefined;
      readonly hook?: 'true' | undefined;
      readonly recordsUse?: 'true' | undefined;
    };
    readonly output: ConnectView;
  };
  /** Our own catalog within a budget, or that of a host. */
  readonly model: {
    readonly input: {
      readonly host?: string | undefined;
      readonly budget?: number | undefined;
      readonly format?: CatalogFormatName | undefined;
    };
    readonly output: ModelView;
  };
  readonly lab: { readonly input: { readonly request: string }; readonly output: LabView };
  /** The change that saving a case would make. `not`: it should not find the skill. */
  readonly 'lab/case': {
    readonly input: { readonly request: string; readonly skill: string; readonly not?: 'true' | undefined };
    readonly output: LabCaseChange;
  };
  readonly usage: { readonly input: { readonly days?: number | undefined }; readonly output: UsageView };
  readonly health: { readonly input: Nothing; readonly output: { readonly checks: readonly HealthCheck[] } };
  readonly installed: { readonly input: Nothing; readonly output: InstalledList };
  readonly 'usage/recent': { readonly input: Nothing; readonly output: { readonly skills: readonly RecentUse[] } };
}

/** Changes, by the path behind `/api/`. */
export interface Changes {
  readonly 'skills/switch': {
    readonly input: { readonly names: readonly string[]; readonly to: 'enabled' | 'disabled' };
    readonly output: Switched;
  };
  readonly 'skill/fix': { readonly input: Named; readonly output: FixPreview };
  /** `allow`: the rules whose findings the person accepts. */
  readonly 'skill/trust': {
    readonly input: Named & { readonly digest: string; readonly allow: readonly string[] };
    readonly output: object;
  };
  readonly 'skill/untrust': { readonly input: Named; readonly output: object };
  readonly 'skill/pin': { readonly input: Named & { readonly isPinned: boolean }; readonly output: ConfigFileEdit };
  readonly 'skill/prefer': {
    readonly input: Named & { readonly source?: string | undefined };
    readonly output: ConfigFileEdit;
  };
  readonly 'lab/case': { readonly input: LabCase; readonly output: LabCaseChange };
  readonly 'lab/uncase': { readonly input: LabCase; readonly output: LabCaseChange };
  /** Switches cells in the setting `hosts`, then syncs. */
  readonly 'hosts/sync': { readonly input: Cells; readonly output: SyncView };
  /** Switches cells, then takes back everything that was synced. */
  readonly 'hosts/unsync': { readonly input: Cells; readonly output: SyncView };
  readonly 'hosts/connect': {
    readonly input: {
      readonly host: string;
      readonly server: boolean;
      readonly hook: boolean;
      readonly recordsUse: boolean;
    };
    readonly output: ConnectView;
  };
  readonly 'health/repair': { readonly input: Repair; readonly output: Repaired };
  readonly 'installed/rollback': { readonly input: Installed; readonly output: Said };
  readonly 'installed/hold': { readonly input: Installed & { readonly isHeld: boolean }; readonly output: Said };
  readonly 'installed/remove': { readonly input: Installed; readonly output: Said };
  /** Opens the SKILL.md in the user's editor. */
  readonly 'skill/edit': { readonly input: Named; readonly output: { readonly command: string } };
}

/** Long work, by the path behind `/api/`. */
export interface Jobs {
  /** Audits every skill that was not audited yet. */
  readonly 'audit/all': { readonly input: Nothing; readonly output: { readonly audited: number } };
  /** Looks for newer versions of one installed skill, or of all. */
  readonly 'updates/check': {
    readonly input: { readonly only?: Installed | undefined };
    readonly output: UpdateList;
  };
  readonly 'updates/apply': {
    readonly input: Installed & { readonly digest: string };
    readonly output: { readonly updated: readonly string[] };
  };
  readonly 'install/look': { readonly input: AddressInput; readonly output: InstallLook };
  /** `digests`: the states that the person saw. */
  readonly 'install/apply': {
    readonly input: AddressInput & { readonly digests: readonly string[] };
    readonly output: { readonly installed: readonly string[] };
  };
  /** The sync that would follow if cells were switched. */
  readonly 'hosts/plan': { readonly input: Cells; readonly output: SwitchedView };
  readonly 'evals/run': { readonly input: Nothing; readonly output: EvalSummary };
}

/** How far a job has come, in words; `percent` if that is known. */
export interface Progress {
  readonly step: string;
  readonly percent?: number | undefined;
}

/** One line of a job's answer. */
export type JobLine = { readonly progress: Progress } | { readonly result: object } | { readonly failure: WireFailure };

/** One line of an event stream: skills were added, changed or removed, or something else that pages show. */
export interface LiveEvent {
  readonly kind: 'skills' | 'state';
  /** Names of the skills that changed; empty for `state`. */
  readonly names: readonly string[];
}

/** The header that carries `changeToken`. */
export const TOKEN_HEADER = 'x-skillplane-token';
