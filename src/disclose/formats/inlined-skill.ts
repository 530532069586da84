import { harmlessBlock, visibleText } from '../harmless.ts';
import { escapeXml } from './xml.ts';

/** A skill shown with its whole text: its instructions, or all of its SKILL.md. */
export interface InlinedSkill {
  readonly name: string;
  readonly text: string;
}

/** The elements that hold text of skills; a skill must not open or close one. */
const OWN_TAGS = /<(?=\s*(?:\/\s*)?(?:skill|preloaded_skills|available_skills|other_skills)\b)/gi;

/** Puts the text into an element with the skill's name. */
export function renderInlinedSkill({ name, text }: InlinedSkill): string {
  const content = harmlessBlock(text).replaceAll(OWN_TAGS, '&lt;');
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n';
  return `<skill name="${escapeXml(visibleText(name))}">\n${content}${lineEnd}</skill>`;
}
