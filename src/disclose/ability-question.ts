/** `abilities` asks what the agent can do or which skills it has; `all` asks for the instructions of every skill. */
export type AbilityQuestion = 'abilities' | 'all';

/** Longer messages are ordinary requests, even if they ask this in passing. */
const MAX_QUESTION_LENGTH = 300;

/** Recognizes a message that asks about the agent's skills instead of using them. */
export function readAbilityQuestion(question: string): AbilityQuestion | undefined {
  if (question.length > MAX_QUESTION_LENGTH) return undefined;
  const words = question.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  if (FOR_ALL.some((pattern) => pattern.test(words))) return 'all';
  return FOR_ABILITIES.some((pattern) => pattern.test(words)) ? 'abilities' : undefined;
}

const SHOW = String.raw`\b(?:show|list|give|tell|print|display|describe)(?: me| us)?(?: about)?`;
const WHOSE = String.raw`(?: (?:of|the|your|my|our|available|installed|loaded|enabled|current))*`;
const EVERY = '(?:all|every|each)';
const TEXTS = '(?:documentation|docs|instructions|texts?)';
const ABILITIES = String.raw`(?:skills?|capabilities|abilities)`;
/** The question must end here: "what can you do about this bug" is a request. */
const END = String.raw`(?: (?:that|which|are|do|can|you|i|we|have|got|there|available|installed|loaded|enabled|use|for me|for us|here|now|today|please))*(?= ?(?:[?!.,;:)"']|$))`;

const FOR_ALL: readonly RegExp[] = [
  new RegExp(String.raw`\b${EVERY}${WHOSE} skills?(?:'s?)? (?:whole |full |complete )?${TEXTS}\b`),
  new RegExp(String.raw`\b${TEXTS} (?:of|for|from) ${EVERY}${WHOSE} skills?${END}`),
];

const FOR_ABILITIES: readonly RegExp[] = [
  new RegExp(String.raw`\bwhat(?: all| else| exactly)* (?:can|could) (?:you|u) (?:actually )?do${END}`),
  new RegExp(String.raw`\bwhat are you (?:able to do|capable of|good at)${END}`),
  new RegExp(`${SHOW}(?: all| what)?${WHOSE} ${ABILITIES}${END}`),
  new RegExp(String.raw`\b(?:what|which)(?: other| more| kinds? of)?${WHOSE} ${ABILITIES}${END}`),
  new RegExp(String.raw`\b(?:what|which) are(?: all)?${WHOSE} ${ABILITIES}${END}`),
  new RegExp(String.raw`^(?:your |my |the |available )?${ABILITIES}[?!.]*$`),
];
