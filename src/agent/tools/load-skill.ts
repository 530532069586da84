import { basename } from 'node:path';

import type { LoadedSkill } from '../../activate/loader.ts';
import { directoryOf } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { renderInlinedSkill } from '../../disclose/formats/inlined-skill.ts';
import { harmlessLine, visibleText } from '../../disclose/harmless.ts';
import type { Admission } from '../../engine/serving-gate.ts';
import { checkCall, aBoolean, aListOf, anObject, optionsOf } from '../../model/check-arguments.ts';
import type { Outcome } from '../../model/outcome.ts';
import { activationOf, type ActivationLedger } from '../activation-ledger.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { openPool, type SkillPool } from '../skill-pool.ts';
import { MAX_PAGE_LENGTH, textPage, type TextPage } from '../text-page.ts';
import { nameField } from '../tool-fields.ts';
import { COUNT, FLAG, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import type { SkillTool } from '../toolset-tools.ts';
import { quoteName, SEARCH_INSTEAD } from '../unknown-skill.ts';
import { findVisible, lookTwice } from '../visible-skills.ts';

export interface LoadSkillOptions {
  /** Remembers which skills a conversation holds. Without it, the instructions are returned in full every time. */
  readonly ledger?: ActivationLedger | undefined;
  /** The agent also has `read_skill_resource` and `search_skills`: answers may refer to them; false. */
  readonly read?: boolean | undefined;
  /** The agent also has `run_skill_script`; false. */
  readonly run?: boolean | undefined;
  /** Tools of skills that the agent also has; none. */
  readonly tools?: readonly Pick<SkillTool, 'name' | 'skill'>[] | undefined;
}

const OPTIONS = optionsOf<LoadSkillOptions>({
  ledger: anObject,
  read: aBoolean,
  run: aBoolean,
  tools: aListOf('a list of tools', anObject),
});

/** Loads skills of an engine or a view, or of a plain list. */
export function loadSkillTool(pool: SkillPool, options: LoadSkillOptions = {}): AgentTool {
  const skills = openPool('loadSkillTool(skills, options?)', pool);
  checkCall('loadSkillTool(skills, options?)', { options: [options, OPTIONS] });
  return defineAgentTool({
    name: 'load_skill',
    title: 'Load a skill',
    description:
      'Loads a skill: returns its instructions and the names of its files. ' +
      'Call it before you act on a request that a skill covers, then follow the instructions it returns.',
    annotations: READ_ONLY,
    input: { name: nameField('The name of the skill, as it is listed.') },
    output: outputSchema({
      name: TEXT,
      dir: { ...TEXT, description: 'The skill directory. Paths in the instructions are relative to it.' },
      digest: TEXT,
      tokens: COUNT,
      isRepeated: { ...FLAG, description: 'True if the instructions are already in this conversation.' },
      output: OUTPUT,
    }),
    async execute({ name }) {
      const instead = options.read === true ? SEARCH_INSTEAD : 'go on without a skill';
      const found = await lookTwice(skills, () => findVisible(skills, name, instead));
      if (!found.ok) return found;
      const loaded = await skills.serving.load(found.skill.name);
      return loaded.ok ? present(loaded, options) : loaded;
    },
  });
}

type AdmittedSkill = LoadedSkill & Admission;

function present(loaded: AdmittedSkill, options: LoadSkillOptions): Outcome<ToolResult> {
  const { ledger } = options;
  const { name } = loaded.skill;
  const dir = directoryOf(loaded.skill);
  const text = renderSkill(loaded, options);
  const activation = activationOf(loaded, text);
  const isRepeated = ledger?.isActive(name, activation.digest) ?? false;
  ledger?.activate(activation);
  const { digest, tokens } = activation;
  return {
    ok: true,
    title: `Skill: ${name}`,
    metadata: { name, dir, digest, tokens, isRepeated },
    output: isRepeated ? renderNote(loaded, options) : text,
  };
}

/** The instructions in an element, so that their end is clear, then what to ask the user about, and the next step. */
function renderSkill(loaded: AdmittedSkill, options: LoadSkillOptions): string {
  const { skill, body, raw, resources, caution } = loaded;
  const { name, file } = skill;
  // A repaired body has no offset in the file, so the whole file is shown.
  const shift = Math.max(0, raw.lastIndexOf(body));
  const page = textPage(raw.startsWith(body, shift) ? body : raw);
  const part =
    page.next === undefined
      ? []
      : [renderPart({ ...page, shift, of: raw.length, name, file, canRead: options.read === true })];
  const element = renderInlinedSkill({
    name,
    text: page.text,
    dir: directoryOf(skill),
    files: resources.map(({ path }) => path),
  });
  const note = caution === undefined ? [] : [harmlessLine(caution)];
  return [...part, element, ...part, ...note, renderNextStep(loaded, options)].join('\n');
}

interface ShownPart extends Pick<TextPage, 'end' | 'next'> {
  /** How many characters of the file come before the text. */
  readonly shift: number;
  readonly of: number;
  readonly name: string;
  readonly file: string;
  readonly canRead: boolean;
}

function renderPart({ end, next = end, shift, of, name, file, canRead }: ShownPart): string {
  const rest = canRead
    ? `To continue, call read_skill_resource with name "${quoteName(name)}", path "${basename(file)}", offset ${shift + next}.`
    : `The whole text is in ${visibleText(file)}.`;
  const parts = 1 + Math.ceil((of - shift - end) / MAX_PAGE_LENGTH);
  return `This is part 1 of ${parts} (characters 0 to ${shift + end} of ${of}). ${rest}`;
}

/** Names only tools that the agent has, and only for what the skill has. */
function renderNextStep(
  { skill: { name }, resources }: LoadedSkill,
  { read = false, run = false, tools = [] }: LoadSkillOptions,
): string {
  const hasScripts = resources.some(({ path }) => path.startsWith('scripts/'));
  const own = tools.filter(({ skill }) => skill === name).map((tool) => tool.name);
  return [
    'Follow these instructions now.',
    ...(read && resources.length > 0
      ? [`Read a file of this skill with read_skill_resource (name "${quoteName(name)}").`]
      : []),
    ...(run && hasScripts ? ['Run a script of it with run_skill_script.'] : []),
    ...(own.length > 0 ? [`Call its ${own.length === 1 ? 'tool' : 'tools'} directly: ${own.join(', ')}.`] : []),
  ].join(' ');
}

function renderNote({ skill: { name, file } }: LoadedSkill, { read = false }: LoadSkillOptions): string {
  const again = read
    ? `read them with read_skill_resource (name "${quoteName(name)}", path "${basename(file)}")`
    : `read ${visibleText(file)}`;
  return (
    `The skill "${quoteName(name)}" is already loaded and has not changed. Its instructions are earlier in this conversation. ` +
    `If they are no longer there, ${again}.`
  );
}
