import { escapeXml } from './format-xml.ts';
import { harmlessBlock, visibleText } from './harmless.ts';

/** A skill of which the whole text is shown: its instructions, or all of its SKILL.md. */
export interface InlinedSkill {
  readonly name: string;
  readonly text: string;
}

/** The elements that hold text of skills; a skill can neither close nor open one. */
const OWN_TAGS = /<(?=\s*(?:\/\s*)?(?:skill|preloaded_skills|available_skills|other_skills)\b)/gi;

/** The text in an element of its own, which carries the skill's name. */
export function renderInlinedSkill({ name, text }: InlinedSkill): string {
  const content = harmlessBlock(text).replaceAll(OWN_TAGS, '&lt;');
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n';
  return `<skill name="${escapeXml(visibleText(name))}">\n${content}${lineEnd}</skill>`;
}
