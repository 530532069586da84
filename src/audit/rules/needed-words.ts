import type { TextRule } from './rule.ts';

/** The words of a text, read once, so that most rules need not look at it. */
export interface TextWords {
  /** Whether the text has one of the words that a rule needs. */
  readonly hasNeeds: (rule: Pick<TextRule, 'needs'>) => boolean;
}

export function readWords(text: string): TextWords {
  const lower = text.toLowerCase();
  const words = new Set(lower.match(/\w+/g) ?? []);
  const has = (need: string): boolean => {
    if (need.endsWith('*')) return lower.includes(need.slice(0, -1));
    return NO_WORD.test(need) ? lower.includes(need) : words.has(need);
  };
  return { hasNeeds: ({ needs }) => needs.some(has) };
}

const NO_WORD = /\W/;
