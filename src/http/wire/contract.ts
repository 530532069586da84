import type { HostsView } from './hosts.ts';
import type { FoundSkill, RecentUse, SkillList, Switched, WireFailure } from './skills.ts';

/** What the page is told about the console itself. */
export interface Session {
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

type Nothing = Readonly<Record<string, never>>;

/** Questions, by the path behind `/api/`: what they take, and the answer. */
export interface Reads {
  readonly session: { readonly input: Nothing; readonly output: Session };
  readonly skills: { readonly input: Nothing; readonly output: SkillList };
  readonly search: {
    readonly input: { readonly query: string; readonly limit?: number | undefined };
    readonly output: { readonly results: readonly FoundSkill[] };
  };
  readonly hosts: { readonly input: Nothing; readonly output: HostsView };
  readonly 'usage/recent': { readonly input: Nothing; readonly output: { readonly skills: readonly RecentUse[] } };
}

/** Changes, by the path behind `/api/`. */
export interface Changes {
  readonly 'skills/switch': {
    readonly input: { readonly names: readonly string[]; readonly to: 'enabled' | 'disabled' };
    readonly output: Switched;
  };
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
