import type { LoadedSkill } from '../../activate/loader.ts';
import { formatSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { renderPlace } from '../../disclose/formats/inlined-skill.ts';
import { visibleText } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { compareText } from '../../model/order.ts';
import type { Outcome } from '../../model/outcome.ts';
import { activationOf, type ActivationLedger } from '../activation-ledger.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { textPage } from '../text-page.ts';
import { textField } from '../tool-fields.ts';
import { COUNT, FLAG, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { quoteName } from '../unknown-skill.ts';
import { findVisible, lookTwice, visibleSkills, type CatalogHolder, type LiveCatalog } from '../visible-skills.ts';

/** The schema lists the names of skills up to this number; it is part of every request. */
const MAX_LISTED_NAMES = 200;

/** Without a ledger the conversation is unknown, and the instructions are returned in full every time. */
export function loadSkillTool(skills: LiveCatalog & Pick<Skills, 'loader'>, ledger?: ActivationLedger): AgentTool {
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
      const loaded = await skills.loader.load(found.skill.name);
      return loaded.ok ? present(loaded, ledger) : loaded;
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

function present(loaded: LoadedSkill, ledger: ActivationLedger | undefined): Outcome<ToolResult> {
  const { name, dir } = loaded.skill;
  const text = renderSkill(loaded);
  const activation = activationOf(loaded, text);
  const isRepeated = ledger?.isActive(name, activation.digest) ?? false;
  ledger?.activate(activation);
  const { digest, tokens } = activation;
  return {
    ok: true,
    title: `Skill: ${name}`,
    metadata: { name, dir, digest, tokens, isRepeated },
    output: isRepeated ? renderNote(loaded) : text,
  };
}

/** Our own lines come first: everything below the blank line is the skill's text. */
function renderSkill({ skill: { name, dir }, raw, resources }: LoadedSkill): string {
  const { text, end, next } = textPage(raw);
  const lines = [...renderPlace({ dir, files: resources.map(({ path }) => path) })];
  if (next !== undefined)
    lines.push(
      `Only the first ${end} of ${raw.length} characters follow. To continue, call read_skill_resource with url ${formatSkillUrl(name)} and offset ${next}.`,
    );
  return `${lines.join('\n')}\n\n${text}`;
}

function renderNote({ skill: { name, dir } }: LoadedSkill): string {
  return [
    `Skill directory: ${visibleText(dir)}`,
    '',
    `The skill "${visibleText(name)}" is already loaded and has not changed. Its instructions are earlier in this conversation.`,
    `If they are no longer there, read ${formatSkillUrl(name)} with read_skill_resource.`,
  ].join('\n');
}
