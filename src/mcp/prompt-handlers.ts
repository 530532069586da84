import type { GetPromptResult, McpServer, Prompt } from '@modelcontextprotocol/server';

import { failForModel } from '../agent/model-text.ts';
import type { SkillCommand } from '../agent/slash-commands.ts';
import { shortenDescription } from '../disclose/description-parts.ts';
import { harmlessLine } from '../disclose/harmless.ts';
import type { Skills } from '../engine/open-skills.ts';
import { listPage } from './list-page.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import type { ServerReports } from './server-options.ts';

const PROMPTS_PER_PAGE = 1_000;
/** In characters: people read prompts as a list. */
const DESCRIPTION_LENGTH = 160;
/** The only argument: the text that a user types after the command. */
const ARGUMENT = 'arguments';

/** Serves one prompt per skill that users may invoke. Clients show prompts as commands. */
export function attachPrompts({ server }: McpServer, skills: Skills, { onError }: ServerReports): void {
  server.setRequestHandler(
    'prompts/list',
    shielded(async ({ params }) => {
      const { skillCommands } = await loadCommands();
      const commands = await skillCommands(skills);
      const page = listPage(commands, params?.cursor, { size: PROMPTS_PER_PAGE, keyOf: ({ skill }) => skill.name });
      const prompts = page.items.map(toPrompt);
      return page.nextCursor === undefined ? { prompts } : { prompts, nextCursor: page.nextCursor };
    }, onError),
  );
  server.setRequestHandler(
    'prompts/get',
    shielded(({ params }) => getPrompt(skills, params), onError),
  );
}

/** Lazy: most clients list tools first. */
function loadCommands(): Promise<typeof import('../agent/slash-commands.ts')> {
  return import('../agent/slash-commands.ts');
}

function toPrompt({ skill: { name, title, extra }, description }: SkillCommand): Prompt {
  const hint = extra['argument-hint'];
  const expected = typeof hint === 'string' ? harmlessLine(hint) : 'What the skill should work on, in your own words.';
  const given = [{ name: ARGUMENT, description: expected, required: false }];
  return { name, title: harmlessLine(title), description: shorten(description), arguments: given };
}

function shorten(description: string): string {
  return shortenDescription(description, DESCRIPTION_LENGTH);
}

interface PromptRequest {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

async function getPrompt(skills: Skills, { name, arguments: given = {} }: PromptRequest): Promise<GetPromptResult> {
  const { expandAsPrompt, skillCommands } = await loadCommands();
  const command = (await skillCommands(skills)).find(({ skill }) => skill.name === name);
  if (command === undefined) throw invalidParams(`Unknown prompt: ${name.slice(0, SHOWN_LENGTH)}`);
  const args = given[ARGUMENT] ?? '';
  if (typeof args !== 'string') throw invalidParams(`The argument "${ARGUMENT}" must be a string`);
  const expanded = await expandAsPrompt(skills, { skill: command.skill, args: args.trim() });
  if (!expanded.ok && expanded.code === 'AUDIT_REFUSED') throw invalidParams(failForModel(expanded).message);
  if (!expanded.ok) throw invalidParams(`The skill of the prompt ${name} can no longer be read`);
  return {
    description: shorten(command.description),
    messages: [{ role: 'user', content: { type: 'text', text: expanded.message } }],
  };
}

const SHOWN_LENGTH = 100;
