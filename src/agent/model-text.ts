import { harmlessBlock, harmlessLine } from '../disclose/harmless.ts';
import {
  commandOf,
  describeNext,
  isForUser,
  mapTexts,
  PLAIN,
  type NextStep,
  type OperationStep,
  type StepDialect,
} from '../model/next-step.ts';
import type { Failure, OutcomeCode } from '../model/outcome.ts';

/**
 * A failure as text for a model, with hidden characters made visible. It ends with the next steps for the model or the
 * user.
 */
export function failForModel<T extends Failure>({ next, ...failure }: T): Omit<T, 'next'> {
  const message = harmlessLine(failure.message);
  if (next === undefined) return { ...failure, message };
  const refusal = REFUSALS[failure.code];
  const trust = findTrust(next);
  if (refusal === undefined || trust === undefined)
    return { ...failure, message: `${endSentence(message)} ${nextForModel(next)}` };
  const command = harmlessLine(PLAIN.operation(commandOf(trust)));
  return { ...failure, message: `${refusal.not}: ${endSentence(message)} ${refusal.goOn(command)}` };
}

/**
 * Says that nothing was done, and how to continue when only the user can allow it. Without this, models try
 * workarounds.
 */
const REFUSALS: Partial<Record<OutcomeCode, { readonly not: string; readonly goOn: (command: string) => string }>> = {
  AUDIT_REFUSED: {
    not: 'Not loaded',
    goOn: (command) =>
      `Do the task without this skill, and tell the user what was found. Only they may allow it, with ${command}; do not run that yourself.`,
  },
  NOT_TRUSTED: {
    not: 'Not run',
    goOn: (command) =>
      `Do the step without the script, or ask the user to run ${command}; do not run that, or the script, yourself.`,
  },
};

function findTrust(step: NextStep): OperationStep | undefined {
  const steps = 'either' in step ? step.either : [step];
  return steps.find((one): one is OperationStep => 'do' in one && one.do === 'trust');
}

function endSentence(text: string): string {
  return ['.', '!', '?'].includes(text.slice(-1)) ? text : `${text}.`;
}

/** Steps of the model come first. Without the warning, it could run the commands of the others through a shell. */
function nextForModel(step: NextStep): string {
  const steps = 'either' in step ? step.either : [step];
  const [own, forUser] = [steps.filter((one) => !isForUser(one)), steps.filter(isForUser)];
  const sentences = [
    ...(own.length === 0 ? [] : [describeNext({ either: own }, MODEL)]),
    ...(forUser.length === 0 ? [] : [`${USER_ONLY}${describeNext({ either: forUser })}`]),
  ];
  return harmlessLine(sentences.join(' '));
}

const USER_ONLY = 'Only the user may do this; tell them, and do not do it yourself: ';

/** A model has tools for its own operations, not commands. */
const MODEL: StepDialect = { ...PLAIN, operation: (words) => `\`${words}\`` };

/** The same data, with hidden characters made visible in every string. */
export function dataForModel<T>(data: T): T {
  return mapTexts(data, harmlessBlock);
}
