import { formatSkillUrl } from '../../activate/skill-url.ts';
import { listSome } from '../../model/list-some.ts';
import { harmlessBlock, spellOut, tagStart, visibleText } from '../harmless.ts';
import { escapeXml } from './xml.ts';

/** A skill shown with its whole text: its instructions, or all of its SKILL.md. */
export interface InlinedSkill {
  readonly name: string;
  readonly text: string;
  /** The directory that paths in the text are relative to, if the model may know it. */
  readonly dir?: string | undefined;
  /** The skill's other files, relative to its directory. */
  readonly files?: readonly string[] | undefined;
}

/** Options of everything that says where skills are. */
export interface PathOptions {
  /** Give `skill://` URLs instead of paths of this machine, for models that cannot read its files. */
  readonly hidePaths?: boolean | undefined;
}

/** The elements that hold text of skills; a skill must not open or close one. */
const OWN_TAGS = tagStart(['skill', 'preloaded_skills', 'available_skills', 'other_skills']);

/** Puts the text into an element with the skill's name. Our own lines about its place come first. */
export function renderInlinedSkill({ name, text, ...place }: InlinedSkill): string {
  const lines = renderPlace(place);
  const content = harmlessBlock(text).replaceAll(OWN_TAGS, '&lt;');
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n';
  const head = lines.length === 0 ? '' : `${lines.join('\n').replaceAll(OWN_TAGS, '&lt;')}\n\n`;
  return `<skill name="${escapeXml(visibleText(name))}">\n${head}${content}${lineEnd}</skill>`;
}

const MAX_LISTED_FILES = 30;

/** Tells a model where a skill is and which files it has. Without this, it cannot follow "see references/tables.md". */
export function renderPlace({ dir, files = [] }: Pick<InlinedSkill, 'dir' | 'files'>): readonly string[] {
  const listed = files.map((path) => spellOut(visibleText(path), /,/g));
  return [
    ...(dir === undefined ? [] : [`Skill directory: ${visibleText(dir)}`]),
    ...(listed.length === 0 ? [] : [`Files: ${listSome(listed, { most: MAX_LISTED_FILES })}`]),
  ];
}

/** The skill with its directory as the model may know it. */
export function locateInlined<T extends InlinedSkill>(skill: T, { hidePaths = false }: PathOptions): T {
  return hidePaths ? { ...skill, dir: `${formatSkillUrl(skill.name)}/` } : skill;
}
