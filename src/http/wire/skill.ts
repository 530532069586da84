import type { HostStanding } from './hosts.ts';
import type { SkillRow, WireFailure } from './skills.ts';

/** Everything about one skill, in parts that the page asks for when it shows them. */

export interface Problem {
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** Of SKILL.md, counted from 1. */
  readonly line: number | null;
}

/** The changes that `fix` would make. */
export interface FixPreview {
  readonly fixes: readonly string[];
  /** A unified diff. */
  readonly diff: string;
  /** Problems that a person has to fix. */
  readonly left: readonly string[];
}

export interface OtherCopy {
  readonly source: string;
  readonly file: string;
  readonly state: SkillRow['state'];
}

export interface FileRow {
  readonly path: string;
  readonly size: number;
  readonly kind: 'script' | 'reference' | 'asset' | 'other' | 'instructions';
}

export interface SkillDetail {
  readonly row: SkillRow;
  readonly description: string;
  /** Of its instructions. */
  readonly tokens: number;
  readonly dir: string;
  readonly version: string | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly isByAgent: boolean;
  readonly requires: readonly { readonly command: string; readonly isFound: boolean }[];
  /** Keywords, verbs, patterns and globs that activate it. */
  readonly triggers: readonly { readonly kind: string; readonly texts: readonly string[] }[];
  readonly allowedTools: readonly string[];
  /** The Markdown below the frontmatter; null if it cannot be read. */
  readonly instructions: string | null;
  /** The frontmatter as it is in the file, without its fences; null if it cannot be read. */
  readonly frontmatter: string | null;
  readonly problems: readonly Problem[];
  readonly others: readonly OtherCopy[];
  readonly preferredBy: 'user' | 'project' | null;
  readonly files: readonly FileRow[];
  /** Entries of its folder that are never read, with the reason. */
  readonly leftOut: readonly string[];
  readonly origin: SkillOriginView | null;
}

export interface SkillOriginView {
  /** The address with what was asked for there. */
  readonly address: string;
  /** A commit, a version or a digest. */
  readonly choice: string | null;
  readonly isHeld: boolean;
}

/** One file, as far as it can be shown. */
export interface FilePreview {
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** Null if it is not text, or too long to show. */
  readonly text: string | null;
  /** Is `text` only the beginning? */
  readonly isCut: boolean;
}

export interface FindingView {
  readonly rule: string;
  readonly name: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  readonly place: string;
  readonly file: string;
  readonly line: number | null;
  readonly excerpt: string;
  readonly why: string;
  /** Must a person accept it before the skill can be trusted? */
  readonly isRefused: boolean;
}

/** Everything that a person should know before trusting a skill. */
export interface TrustView {
  /** Why it is trusted; null if it is not. */
  readonly because: string | null;
  /** Trust is given to exactly this state. */
  readonly digest: string;
  readonly realDir: string;
  readonly scripts: readonly string[];
  readonly toolsets: readonly string[];
  readonly hosts: readonly string[];
  readonly commands: readonly string[];
  readonly findings: readonly FindingView[];
  readonly verdict: string;
  readonly advice: string;
  /** Why models do not get its text; null if they do. */
  readonly withheld: WireFailure | null;
}

export interface SkillUsageView {
  readonly uses: number;
  readonly lastUsed: string | null;
  readonly trend: 'rising' | 'falling' | 'steady' | 'new' | null;
  /** Counts by what happened: loaded, ran, invoked, searched, matched, shown. */
  readonly counts: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly from: string;
  readonly until: string;
  readonly series: readonly number[];
}

export interface HostSight {
  readonly id: string;
  readonly title: string;
  readonly standing: HostStanding;
  readonly because: string | null;
  readonly remedy: string | null;
  /** The description as its model reads it. */
  readonly text: string;
}
