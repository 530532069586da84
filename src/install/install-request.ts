import type { AuditSummary } from '../audit/summary.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FoundSkill } from './origins/find-skills.ts';
import type { Rename, SkippedSkill } from './staging/name-skills.ts';
import type { StagedVersion } from './staging/stage-version.ts';

export interface InstallRequest {
  /** A repository in any form that people write it in, or a directory. */
  readonly url: string;
  /** A branch, tag or commit. */
  readonly ref?: string | undefined;
  /** What the skill is to be called, in place of what it calls itself. */
  readonly name?: string | undefined;
  /** These of several. */
  readonly skills?: readonly string[] | undefined;
  /** Every one that can be installed; the others are skipped, and why is said. */
  readonly all?: boolean | undefined;
  readonly useGitCredentials?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What installing is doing, for whoever waits. */
export interface InstallProgress {
  readonly phase: 'fetch' | 'check' | 'write';
  readonly percent: number;
}

/** What somebody is asked, where somebody can be; without an answer the safe thing is done. */
export interface InstallDecisions {
  /** Which of several skills; undefined for none. */
  readonly pick?: ((skills: readonly FoundSkill[]) => Promise<readonly FoundSkill[] | undefined>) | undefined;
  /** Another name for a skill whose name is taken; undefined leaves it out. */
  readonly rename?: Rename | undefined;
  /** Shall it be done? Without this it is. */
  readonly confirm?: ((preview: InstallPreview) => Promise<boolean>) | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

/** What would be installed: written out, checked, and not yet in its place. */
export interface InstallPreview {
  /** The address with ref and path. */
  readonly from: string;
  readonly commit: string | undefined;
  readonly skills: readonly PreviewedSkill[];
  readonly skipped: readonly SkippedSkill[];
  /** What else there is to know of the repository. */
  readonly notices: readonly string[];
  /** About what in it is no skill that could be installed. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PreviewedSkill extends StagedVersion {
  /** What somebody should look at before they say yes. */
  readonly audit: AuditSummary;
}

export interface InstalledSkill {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
}

export interface InstallReport extends Omit<InstallPreview, 'skills'> {
  readonly installed: readonly InstalledSkill[];
}
