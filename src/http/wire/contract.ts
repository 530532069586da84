import type { HostsView } from './hosts.ts';
import type { FilePreview, FixPreview, HostSight, SkillDetail, SkillUsageView, TrustView } from './skill.ts';
import type { FoundRow, RecentUse, SkillList, Switched, WireFailure } from './skills.ts';

/** Facts about the console itself. */
export interface ConsoleSession {
  readonly version: string;
  /** The directory whose skills are shown. */
  readonly cwd: string;
  readonly home: string;
  /** The file that changes of settings go to. */
  readonly configFile: string;
  readonly isReadOnly: boolean;
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

type Nothing = Readonly<Record<string, never>>;

/** Questions, by the path behind `/api/`: what they take, and the answer. */
export interface Reads {
  readonly session: { readonly input: Nothing; readonly output: ConsoleSession };
  readonly skills: { readonly input: Nothing; readonly output: SkillList };
  readonly search: {
    readonly input: { readonly query: string; readonly limit?: number | undefined };
    readonly output: { readonly results: readonly FoundRow[] };
  };
  readonly skill: { readonly input: Named; readonly output: SkillDetail };
  readonly 'skill/file': { readonly input: Named & { readonly path: string }; readonly output: FilePreview };
  readonly 'skill/trust': { readonly input: Named; readonly output: TrustView };
  readonly 'skill/fix': { readonly input: Named; readonly output: FixPreview };
  readonly 'skill/usage': { readonly input: Named; readonly output: SkillUsageView };
  readonly 'skill/hosts': { readonly input: Named; readonly output: { readonly hosts: readonly HostSight[] } };
  readonly hosts: { readonly input: Nothing; readonly output: HostsView };
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
  /** Opens the SKILL.md in the user's editor. */
  readonly 'skill/edit': { readonly input: Named; readonly output: { readonly command: string } };
}

/** Long work, by the path behind `/api/`. */
export interface Jobs {
  /** Audits every skill that was not audited yet. */
  readonly 'audit/all': { readonly input: Nothing; readonly output: { readonly audited: number } };
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
