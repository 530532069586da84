/** The answers of the API that the pages show. This file imports nothing, so that code for a browser can take its types from it. */

export type WireRole = 'reader' | 'publisher' | 'reviewer' | 'owner' | 'admin';

export interface SessionAnswer {
  /** Null if nobody is signed in. */
  readonly person: string | null;
  readonly grants: readonly { readonly scope: string; readonly role: WireRole }[];
  /** May this be everyone? */
  readonly isAnonymous: boolean;
  /** The token that changes must carry; null if the browser did not sign in here. */
  readonly changeToken: string | null;
  readonly publicUrl: string | null;
  readonly version: string;
}

export interface SkillAnswer {
  readonly scope: string;
  readonly name: string;
  /** Null if every version is yanked. */
  readonly version: string | null;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: string | null;
}

export interface SkillsAnswer {
  readonly total: number;
  readonly skills: readonly SkillAnswer[];
  readonly next: string | null;
}

export interface FoundAnswer {
  readonly scope: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly score: number;
  readonly weak?: true;
  readonly reasons: readonly string[];
}

export interface SearchAnswer {
  readonly results: readonly FoundAnswer[];
}

export type WireState = 'waiting' | 'published' | 'rejected' | 'yanked';
export type WireVerdict = 'approve' | 'reject' | 'yank' | 'unyank';

export interface FindingAnswer {
  readonly rule: string;
  readonly name: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  /** Missing in findings that an older hub made. */
  readonly certainty?: 'certain' | 'likely' | 'possible';
  readonly file: string;
  readonly member?: string;
  readonly line?: number;
  readonly excerpt: string;
  readonly why: string;
}

/** A version as every reader sees it in the list of versions. */
export interface ListedVersion {
  readonly version: string;
  readonly state: WireState;
  readonly reason: string | null;
  readonly publishedBy: string;
  readonly publishedAt: string;
}

export interface SkillPageAnswer extends Omit<SkillAnswer, 'tags'> {
  readonly title: string | null;
  readonly versions: readonly ListedVersion[];
  /** The tags that move between versions, with the version of each. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface VersionAnswer extends ListedVersion {
  readonly scope: string;
  readonly name: string;
  readonly digest: string;
  readonly archive: string;
  readonly description: string;
  readonly manifest: {
    readonly license?: string | undefined;
    readonly compatibility?: string | undefined;
    readonly allowedTools?: readonly string[] | undefined;
  };
  readonly findings: readonly FindingAnswer[];
  readonly warnings: readonly string[];
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly before: string | null;
  readonly verdicts: readonly WireVerdict[];
}

export interface FileAnswer {
  readonly path: string;
  readonly executable: boolean;
  readonly size: number;
  readonly digest: string;
}

export interface VersionPageAnswer {
  readonly version: VersionAnswer;
  readonly files: readonly FileAnswer[];
}

export interface VersionsAnswer {
  readonly versions: readonly VersionAnswer[];
}

export interface DiffAnswer {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly {
    readonly path: string;
    readonly kind: string;
    /** A unified diff; absent if the file is not text. */
    readonly diff?: string | undefined;
  }[];
}

export interface ReviewsAnswer {
  readonly reviews: readonly (VersionAnswer & { readonly files: readonly FileAnswer[] })[];
}

export type WirePolicy = 'open' | 'audited' | 'reviewed';

export interface ScopeRules {
  readonly policy: WirePolicy;
  readonly failOn: 'low' | 'medium' | 'high' | 'critical';
}

export interface ScopeAnswer extends ScopeRules {
  readonly name: string;
}

export interface ScopesAnswer {
  readonly scopes: readonly ScopeAnswer[];
}

/** Roles of people that a proxy signs in. */
export interface MembersAnswer {
  readonly members: readonly { readonly person: string; readonly role: WireRole }[];
}

export interface TokenAnswer {
  readonly id: number;
  readonly name: string;
  readonly person: string;
  readonly role: WireRole;
  readonly scopes: readonly string[] | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface TokensAnswer {
  readonly tokens: readonly TokenAnswer[];
}

export interface NewTokenAnswer {
  readonly secret: string;
  readonly token: TokenAnswer;
}

export interface LogRowAnswer {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly scope: string | null;
  readonly skill: string | null;
  readonly version: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface LogAnswer {
  readonly log: readonly LogRowAnswer[];
}

export interface UseAnswer {
  /** The Monday. */
  readonly week: string;
  readonly scope: string;
  readonly skill: string;
  readonly version: string;
  readonly host: string;
  readonly count: number;
  readonly people: number;
}

/** A version that is about. */
export interface VersionUseAnswer {
  readonly scope: string;
  readonly skill: string;
  readonly version: string;
  readonly lastWeek: string;
  readonly count: number;
  readonly people: number;
  /** `gone` is one that readers no longer see. */
  readonly state: 'published' | 'yanked' | 'gone';
  readonly isLatest: boolean;
}

export interface TeamWeekAnswer {
  readonly week: string;
  readonly scope: string;
  readonly skills: number;
  readonly count: number;
  readonly people: number;
}

export interface UsageAnswer {
  readonly uses: readonly UseAnswer[];
  readonly versions: readonly VersionUseAnswer[];
  readonly weeks: readonly TeamWeekAnswer[];
  /** `@scope/name` of each skill without a use. */
  readonly unused: readonly string[];
}

/** For owners: who uses which version. */
export interface UsersAnswer {
  readonly users: readonly {
    readonly person: string;
    readonly skill: string;
    readonly version: string;
    readonly lastWeek: string;
    readonly count: number;
  }[];
}
