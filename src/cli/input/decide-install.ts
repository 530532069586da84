import type { InstallDecisions, InstallPreview } from '../../install/install-request.ts';
import type { Invocation } from '../command.ts';
import { printPreview } from '../output/install-preview.ts';
import { canAsk, openQuestions, type Questions } from './ask.ts';

export interface InstallDecider {
  /** Undefined if there is no one to ask, or nothing to ask. */
  readonly questions: Questions | undefined;
  readonly decisions: Pick<InstallDecisions, 'confirm' | 'onPreview' | 'onProgress'>;
  /** The skills of the preview whose scripts or tools a user may want to trust; none with `--quiet`. */
  readonly runnable: () => readonly string[];
  /** The preview that was shown and not wanted. */
  readonly refused: () => InstallPreview | undefined;
  /** Did a person say no, or cancel a question? */
  readonly isDeclined: () => boolean;
}

export interface DeciderOptions {
  /** Asked last, after the preview and its questions; undefined if one of its own questions was cancelled. */
  readonly question: (preview: InstallPreview, questions: Questions | undefined) => Promise<string | undefined>;
  /** A word for the first phase. */
  readonly fetching: string;
}

/** Shows what would be installed, and asks, unless `--yes` or `--dry-run` decides. */
export function openInstallDecider(invocation: Invocation, { question, fetching }: DeciderOptions): InstallDecider {
  const { options, isJson, out } = invocation;
  const dryRun = options.has('dryRun');
  const isSure = options.has('yes') && !dryRun;
  const questions = canAsk(invocation) && !isJson && !isSure ? openQuestions(invocation) : undefined;
  let shown: InstallPreview | undefined;
  let refused: InstallPreview | undefined;
  const show = (found: InstallPreview): InstallPreview => {
    shown = found;
    if (!isJson && !(isSure && options.has('quiet'))) printPreview(found, invocation);
    return found;
  };
  const confirm = async (found: InstallPreview): Promise<boolean> => {
    const preview = show(found);
    const asked = await question(preview, dryRun ? undefined : questions);
    const isWanted = !dryRun && asked !== undefined && (await questions?.confirm(asked, !isGrave(preview))) === true;
    refused = isWanted ? undefined : preview;
    return isWanted;
  };
  const phases = { fetch: fetching, check: 'Checking', write: 'Writing' } as const;
  return {
    questions,
    decisions: {
      ...(isSure ? { onPreview: (found) => void question(show(found), undefined) } : { confirm }),
      onProgress: isJson ? undefined : ({ phase, percent }) => out.status(`${phases[phase]} ${percent}%`),
    },
    runnable: () =>
      (options.has('quiet') ? [] : (shown?.skills ?? [])).filter(hasSomethingToRun).map(({ entry }) => entry.name),
    refused: () => refused,
    isDeclined: () => questions !== undefined && !dryRun && (refused !== undefined || questions.isCancelled()),
  };
}

/** Did the audit find something that deserves a second look? Then yes is not the default. */
function isGrave({ skills }: InstallPreview): boolean {
  return skills.some(({ audit: { counts }, refused }) => counts.critical + counts.high + refused.length > 0);
}

function hasSomethingToRun({ skill, audit }: InstallPreview['skills'][number]): boolean {
  return audit.scripts > 0 || audit.programs > 0 || skill.toolsets.length > 0;
}
