import type { AuditFinding } from '../audit/report.ts';
import type { AuditSummary } from '../audit/summary.ts';
import {
  aBoolean,
  aFunction,
  anObject,
  aString,
  optionsOf,
  strings,
  type ArgumentKind,
} from '../model/check-arguments.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { RepositorySkill } from './origins/find-skills.ts';
import type { StagedSkill } from './staging/prepare-skill.ts';

export interface InstallOptions {
  /** A repository (`https://…`, `git@host:path`, `owner/repo`, `owner/repo@skill`, `gitlab:owner/repo`) or a directory. */
  readonly url: string;
  /** A branch, tag or commit. */
  readonly ref?: string | undefined;
  /** Install under this name; for a single skill. */
  readonly name?: string | undefined;
  /** Names or folders of the skills to install, if there are several. */
  readonly skills?: readonly string[] | undefined;
  /** Install every skill that can be installed; the report says why the others were skipped. */
  readonly all?: boolean | undefined;
  /** Ids or names of audit rules whose findings are accepted, although `auditFailOn` refuses them. */
  readonly allow?: readonly string[] | undefined;
  /** Install again what is installed from the same repository already; the replaced version is kept for `rollback`. */
  readonly force?: boolean | undefined;
  /**
   * Allow a name that another skill already has. Otherwise such a skill needs `name` or the decision `rename`, or it is
   * refused.
   */
  readonly replace?: boolean | undefined;
  readonly useGitCredentials?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const INSTALL_OPTIONS: ArgumentKind = optionsOf<InstallOptions>(
  {
    url: aString,
    ref: aString,
    name: aString,
    skills: strings,
    all: aBoolean,
    allow: strings,
    force: aBoolean,
    replace: aBoolean,
    useGitCredentials: aBoolean,
    signal: anObject,
  },
  ['url'],
);

/** The new skill's name is already used elsewhere. */
export interface NameConflict {
  /** Would the new skill hide the other one, or be hidden by it? */
  readonly kind: 'hides' | 'hidden';
  readonly name: string;
  readonly source: string;
  readonly dir: string;
  /** One phrase for people: "hides your user skill pdf at …". */
  readonly phrase: string;
}

/**
 * Asks for another name; undefined skips the skill. Returning the same name accepts a `conflict`; without one, the name
 * cannot be used.
 */
export type Rename = (name: string, why: string, conflict?: NameConflict) => Promise<string | undefined>;

/** Progress of an installation. */
export interface InstallProgress {
  readonly phase: 'fetch' | 'check' | 'write';
  readonly percent: number;
}

/** Questions to the person who installs. All are optional; an unanswered question installs nothing. */
export interface InstallDecisions {
  /** Picks from several skills; undefined for none. Without it, several skills are a failure. */
  readonly pick?: ((skills: readonly RepositorySkill[]) => Promise<readonly RepositorySkill[] | undefined>) | undefined;
  /** Returns another name for a skill whose name is invalid or in use; undefined skips it. */
  readonly rename?: Rename | undefined;
  /**
   * Decides after the preview; a yes also accepts what `auditFailOn` would refuse. Without it, skills whose audit is not
   * refused are installed.
   */
  readonly confirm?: ((preview: InstallPreview) => Promise<boolean>) | undefined;
  /** Shows the preview without a question. */
  readonly onPreview?: ((preview: InstallPreview) => void) | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

export const INSTALL_DECISIONS: ArgumentKind = optionsOf<InstallDecisions>({
  pick: aFunction,
  rename: aFunction,
  confirm: aFunction,
  onPreview: aFunction,
  onProgress: aFunction,
});

/** The skills that would be installed: staged and checked, but not yet in place. */
export interface InstallPreview {
  /** The address, with ref and path. */
  readonly from: string;
  /** The choice made there: a commit, a version or a digest; undefined for a directory, or if each skill has its own. */
  readonly choice: string | undefined;
  readonly commit: string | undefined;
  readonly skills: readonly PreviewedSkill[];
  readonly skipped: readonly SkippedSkill[];
  /** Remarks about the repository. */
  readonly notices: readonly string[];
  /** About every SKILL.md in the repository that gives no skill. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PreviewedSkill extends StagedSkill {
  /** The audit of the staged files. */
  readonly audit: AuditSummary;
  /** Findings that `auditFailOn` refuses without a yes. */
  readonly refused: readonly AuditFinding[];
  /** The existing skill with the same name. */
  readonly conflict?: NameConflict | undefined;
}

/** A skill that is not installed, and why. */
export interface SkippedSkill extends Omit<Failure, 'ok'> {
  readonly name: string;
}

export function toSkipped(name: string, { code, message, next }: Failure): SkippedSkill {
  return next === undefined ? { name, code, message } : { name, code, message, next };
}

export interface InstalledSkill {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
}

/**
 * The result of an installation: with `ok`, a report with each skill's name and path; otherwise a code and a message.
 */
export type InstallResult = Outcome<InstallReport>;

export interface InstallReport extends Omit<InstallPreview, 'skills'> {
  readonly installed: readonly InstalledSkill[];
  /** Names of skills that were installed already, with exactly these files; they stay as they are. */
  readonly present: readonly string[];
}
