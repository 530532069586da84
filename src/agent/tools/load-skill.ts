import type { LoadedSkill } from '../../activate/loader.ts';
import { formatSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { renderPlace } from '../../disclose/formats/inlined-skill.ts';
import { visibleText } from '../../disclose/harmless.ts';
import { compareText } from '../../model/order.ts';
import type { Outcome } from '../../model/outcome.ts';
import { activationOf, type ActivationLedger } from '../activation-ledger.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { openPool, type SkillPool } from '../skill-pool.ts';
import { textPage } from '../text-page.ts';
import { textField } from '../tool-fields.ts';
import { COUNT, FLAG, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { quoteName } from '../unknown-skill.ts';
import { findVisible, lookTwice, visibleSkills, type CatalogHolder } from '../visible-skills.ts';

/** The schema lists the names of skills up to this number; it is part of every request. */
const MAX_LISTED_NAMES = 200;

export interface LoadSkillOptions {
  /** Remembers which skills a conversation holds. Without it, the instructions are returned in full every time. */
  readonly ledger?: ActivationLedger | undefined;
  /** The agent also has `read_skill_resource`: answers may refer to it; false. */
  readonly read?: boolean | undefined;
}

/** Loads skills of an engine or a view, or of a plain list. */
export function loadSkillTool(pool: SkillPool, options: LoadSkillOptions = {}): AgentTool {
  const skills = openPool(pool);
  return defineAgentTool({
    name: 'load_skill',
    title: 'Load a skill',
    description:
      'Use this before you start a task that a skill covers, then follow the instructions it returns. ' +
      'Returns the skill directory, the list of its files, and the full text of SKILL.md. ' +
      'Paths in the instructions are relative to the skill directory.',
    annotations: READ_ONLY,
    input: { name: textField('The name of the skill.', () => listNames(skills)) },
    output: outputSchema({
      name: TEXT,
      dir: { ...TEXT, description: 'The skill directory. Paths in the instructions are relative to it.' },
      digest: TEXT,
      tokens: COUNT,
      isRepeated: { ...FLAG, description: 'True if the instructions are already in this conversation.' },
      output: OUTPUT,
    }),
    async execute({ name }) {
      const found = await lookTwice(skills, () => findVisible(skills, name));
      if (!found.ok) return found;
      const loaded = await skills.serving.load(found.skill.name);
      return loaded.ok ? present(loaded, options) : loaded;
    },
  });
}

/**
 * Sorted, so that a provider's prompt cache stays valid. Names that are too long or contain hidden characters are left
 * out; the skills can still be loaded by them.
 */
function listNames(skills: CatalogHolder): readonly string[] | undefined {
  const names = visibleSkills(skills)
    .map(({ name }) => name)
    .filter((name) => quoteName(name) === name);
  return names.length === 0 || names.length > MAX_LISTED_NAMES ? undefined : names.sort(compareText);
}

function present(loaded: LoadedSkill, { ledger, read = false }: LoadSkillOptions): Outcome<ToolResult> {
  const { name, dir } = loaded.skill;
  const text = renderSkill(loaded, read);
  const activation = activationOf(loaded, text);
  const isRepeated = ledger?.isActive(name, activation.digest) ?? false;
  ledger?.activate(activation);
  const { digest, tokens } = activation;
  return {
    ok: true,
    title: `Skill: ${name}`,
    metadata: { name, dir, digest, tokens, isRepeated },
    output: isRepeated ? renderNote(loaded, read) : text,
  };
}

/** Our own lines come first: everything below the blank line is the skill's text. */
function renderSkill({ skill: { name, dir, file }, raw, resources }: LoadedSkill, canRead: boolean): string {
  const { text, end, next } = textPage(raw);
  const lines = [...renderPlace({ dir, files: resources.map(({ path }) => path) })];
  if (next !== undefined) {
    const rest = canRead
      ? `To continue, call read_skill_resource with url ${formatSkillUrl(name)} and offset ${next}.`
      : `The whole text is in ${visibleText(file)}.`;
    lines.push(`Only the first ${end} of ${raw.length} characters follow. ${rest}`);
  }
  return `${lines.join('\n')}\n\n${text}`;
}

function renderNote({ skill: { name, dir, file } }: LoadedSkill, canRead: boolean): string {
  return [
    `Skill directory: ${visibleText(dir)}`,
    '',
    `The skill "${visibleText(name)}" is already loaded and has not changed. Its instructions are earlier in this conversation.`,
    `If they are no longer there, read ${canRead ? `${formatSkillUrl(name)} with read_skill_resource` : visibleText(file)}.`,
  ].join('\n');
}
