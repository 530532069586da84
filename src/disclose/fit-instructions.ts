import { MAX_INSTRUCTION_TOKENS } from '../model/limits.ts';
import { renderInlinedSkill, type InlinedSkill } from './formats/inlined-skill.ts';
import { markdownFormat } from './formats/markdown.ts';
import { estimateTokens, type TokenCounter } from './tokens.ts';

/** In tokens: three skills of the size that the specification recommends. */
const DEFAULT_BUDGET: number = 3 * MAX_INSTRUCTION_TOKENS;

export interface InstructionsOptions {
  /** In tokens; 15,000 by default. */
  readonly budget?: number | undefined;
  readonly countTokens?: TokenCounter | undefined;
  /** How many skills there are, if all of them were wanted. */
  readonly outOf?: number | undefined;
}

export interface FittedInstructions {
  readonly text: string;
  readonly tokens: number;
  /** How many of the skills, counted from the first, are there with their whole text. The others are named. */
  readonly whole: number;
}

/**
 * The instructions of skills, best first, within a budget: whole skills as long as they fit, then only names, with the
 * advice to load them. A skill is never shown in full if a better one is not. Undefined if not even the names fit.
 */
export function fitInstructions(
  skills: readonly InlinedSkill[],
  { budget = DEFAULT_BUDGET, countTokens = estimateTokens, outOf = 0 }: InstructionsOptions = {},
): FittedInstructions | undefined {
  const pieces = skills.map(renderInlinedSkill);
  for (let whole = skills.length; whole >= 0; whole -= 1) {
    const parts = ['## Relevant Skill Documentation', ...pieces.slice(0, whole)];
    if (whole < skills.length) parts.push(adviseLoading(skills.slice(whole)));
    if (outOf > whole) parts.push(`*Showing ${whole} of ${outOf} skills. Ask about specific skills for more details.*`);
    const text = parts.join('\n\n');
    const tokens = countTokens(text);
    if (tokens <= budget) return { text, tokens, whole };
  }
  return undefined;
}

function adviseLoading(skills: readonly InlinedSkill[]): string {
  const names = skills.map(({ name }) => markdownFormat.name(name)).join(', ');
  return `There is no room here for: ${names}. Load a skill with \`load_skill\` before you use it.`;
}
