import type { LoadedSkill } from '../../activate/loader.ts';
import { formatSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { spellOut, visibleText } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { listSome } from '../../model/list-some.ts';
import { compareText } from '../../model/order.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ActivationLedger } from '../activation-ledger.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { quoteName } from '../nearest-names.ts';
import { toActivation } from '../skill-activation.ts';
import { pageOf } from '../text-page.ts';
import { textField } from '../tool-fields.ts';
import { findVisible, visibleSkills, type CatalogHolder } from '../visible-skills.ts';

/** More names than this are not put before a model with every request. */
const MAX_LISTED_NAMES = 200;
const MAX_LISTED_FILES = 30;

/** Without a ledger no conversation is known, and nothing counts as loaded already. */
export function loadSkillTool(
  skills: Pick<Skills, 'catalog' | 'loader'>,
  ledger: ActivationLedger | undefined,
): AgentTool {
  return defineAgentTool('load_skill', {
    description:
      'Loads the instructions of a skill. Call it before you begin a task that a skill is for, and follow what it says. ' +
      'Paths in the instructions are relative to the skill directory.',
    fields: { name: textField('The name of the skill.', () => listNames(skills)) },
    async execute({ name }) {
      const found = findVisible(skills, name);
      if (!found.ok) return found;
      const loaded = await skills.loader.load(found.skill.name);
      return loaded.ok ? present(loaded, ledger) : loaded;
    },
  });
}

/**
 * In one order whatever happens, so that a provider's cache of the prompt stays good. A name that is too long or holds
 * something hidden does not stand in every prompt; it can be asked for all the same.
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
  const activation = toActivation(loaded, text);
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

/** All that we say comes first: whatever stands below is the skill's own. */
function renderSkill({ skill: { name, dir }, raw, resources }: LoadedSkill): string {
  const { text, end, next } = pageOf(raw);
  const lines = [`Skill directory: ${visibleText(dir)}`];
  if (resources.length > 0) lines.push(`Files: ${listFiles(resources.map(({ path }) => path))}`);
  if (next !== undefined)
    lines.push(
      `Only ${end} of ${raw.length} characters follow; read on with read_skill_resource, url ${formatSkillUrl(name)}, offset ${next}.`,
    );
  return `${lines.join('\n')}\n\n${text}`;
}

function listFiles(paths: readonly string[]): string {
  const shown = paths.map((path) => spellOut(visibleText(path), /,/g));
  return listSome(shown, { most: MAX_LISTED_FILES });
}

function renderNote({ skill: { name, dir } }: LoadedSkill): string {
  return [
    `Skill directory: ${visibleText(dir)}`,
    '',
    `The skill "${visibleText(name)}" is loaded already and has not changed: its instructions stand earlier in this conversation.`,
    `Should they be gone, read ${formatSkillUrl(name)} with read_skill_resource.`,
  ].join('\n');
}
