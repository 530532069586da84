import type { InstallDecisions, InstallPreview } from '../../install.ts';
import type { Invocation } from '../command.ts';
import { renderHints } from '../output/failure.ts';
import { printPreview } from '../output/install-preview.ts';
import { canAsk, openQuestions, type Questions } from './ask.ts';

export interface InstallDecider {
  /** Undefined if there is nobody to ask, or nothing to ask about. */
  readonly questions: Questions | undefined;
  readonly decisions: Pick<InstallDecisions, 'confirm' | 'onPreview' | 'onProgress'>;
  /** The preview that was shown and not wanted. */
  readonly refused: () => InstallPreview | undefined;
}

export interface DeciderOptions {
  /** Asked after the preview. */
  readonly question: string;
  /** A word for the first phase. */
  readonly fetching: string;
}

/** Shows what would be installed, and asks, unless `--yes` or `--dry-run` decides. */
export function openInstallDecider(invocation: Invocation, { question, fetching }: DeciderOptions): InstallDecider {
  const { options, isJson, out } = invocation;
  const dryRun = options.has('dryRun');
  const isSure = options.has('yes') && !dryRun;
  const questions = canAsk(invocation) && !isJson && !isSure ? openQuestions(invocation) : undefined;
  let refused: InstallPreview | undefined;
  const show = (found: InstallPreview): InstallPreview => {
    const preview = { ...found, skipped: renderHints(found.skipped, invocation) };
    if (!isJson) printPreview(preview, out);
    return preview;
  };
  const confirm = async (found: InstallPreview): Promise<boolean> => {
    const preview = show(found);
    const isWanted = !dryRun && ((await questions?.confirm(question)) ?? false);
    refused = isWanted ? undefined : preview;
    return isWanted;
  };
  const phases = { fetch: fetching, check: 'Checking', write: 'Writing' } as const;
  return {
    questions,
    decisions: {
      ...(isSure ? { onPreview: show } : { confirm }),
      onProgress: isJson ? undefined : ({ phase, percent }) => out.status(`${phases[phase]} ${percent}%`),
    },
    refused: () => refused,
  };
}
