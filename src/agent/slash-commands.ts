import type { LoadedSkill } from '../activate/loader.ts';
import { directoryOf } from '../activate/skill-url.ts';
import { findSkill } from '../catalog/find.ts';
import { harmlessBlock, harmlessLine, visibleText } from '../disclose/harmless.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';
import { discoverCommandFiles, type CommandFile } from '../sources/command-files.ts';
import { activationOf, type ActivationLedger } from './activation-ledger.ts';
import { fillArguments } from './slash-arguments.ts';
import { nearestNames, quoteName } from './unknown-skill.ts';
import { explainBroken } from './visible-skills.ts';

/** A command with which a user puts a skill into the conversation. */
export interface SkillCommand {
  /** Without the slash: `skill:pdf`. */
  readonly name: string;
  readonly description: string;
  readonly skill: Skill;
}

/** A command that a person wrote for an agent: `.claude/commands/review.md` is `/review`. */
export interface FileCommand {
  readonly name: string;
  readonly description: string;
  readonly skill?: undefined;
  readonly file: CommandFile;
}

export type SlashCommand = SkillCommand | FileCommand;

/** The message that the model receives instead of the command. */
export interface SlashMessage {
  /** Undefined if the command is a file. */
  readonly skill: Skill | undefined;
  /** The text after the name. */
  readonly args: string;
  readonly message: string;
}

export interface SlashOptions {
  /** The ledger of the conversation that receives the message. */
  readonly ledger?: ActivationLedger | undefined;
}

type SlashParts = Pick<Skills, 'catalog' | 'environment' | 'serving'>;

const PREFIX = 'skill:';

/**
 * Every command that users can type: one per skill that they may invoke, including skills hidden from the model, then the
 * files in the `commands` folders of agents. A setting switches each kind off.
 */
export async function slashCommands(skills: Omit<SlashParts, 'serving'>): Promise<readonly SlashCommand[]> {
  return [...(await skillCommands(skills)), ...fileCommands(skills)];
}

/** The commands for skills alone; empty if they are off. */
export async function skillCommands(skills: Omit<SlashParts, 'serving'>): Promise<readonly SkillCommand[]> {
  if (!skills.catalog().reading.config.enableSkillCommands) return [];
  return listInvocable(skills).map((skill) => ({
    name: `${PREFIX}${skill.name}`,
    description: harmlessLine(skill.description || skill.brief),
    skill,
  }));
}

function fileCommands(skills: Pick<SlashParts, 'catalog' | 'environment'>): readonly FileCommand[] {
  const { commands } = discoverCommandFiles(skills);
  return commands.map((file) => ({ name: file.name, description: harmlessLine(file.description), file }));
}

function listInvocable({ catalog }: Pick<SlashParts, 'catalog'>): readonly Skill[] {
  return catalog().skills.filter(({ status, userInvocable }) => status === 'enabled' && userInvocable);
}

/**
 * Expands a text that begins with a command. Undefined for any other text, or if the command's kind is off: pass that to
 * the model as it is. Fails if `/skill:` is followed by no skill, naming the most similar ones, or if the skill can no
 * longer be read or is withheld.
 */
export async function expandSlashCommand(
  skills: SlashParts,
  text: string,
  { ledger }: SlashOptions = {},
): Promise<Outcome<SlashMessage> | undefined> {
  if (!text.startsWith('/')) return undefined;
  if (!text.startsWith(`/${PREFIX}`)) return expandFile(fileCommands(skills), text);
  if (!skills.catalog().reading.config.enableSkillCommands) return undefined;
  const invocable = listInvocable(skills);
  const typed = text.slice(`/${PREFIX}`.length);
  const called = findCalled(invocable, typed);
  if (called !== undefined) return expandCommand(skills, called, { ledger });
  const word = /^\S*/.exec(typed)?.[0] ?? '';
  return explainBroken(skills, word) ?? failUnknownCommand(invocable, word);
}

function expandFile(commands: readonly FileCommand[], text: string): Outcome<SlashMessage> | undefined {
  const word = /^\/(\S*)/.exec(text)?.[1] ?? '';
  const file = commands.find(({ name }) => name === word)?.file;
  if (file === undefined) return undefined;
  const args = text.slice(1 + word.length).trim();
  const instructions = fillArguments(harmlessBlock(file.body), args, file).trim();
  return {
    ok: true,
    skill: undefined,
    args,
    message: addOrigin(instructions, `Command: ${visibleText(file.path)}`, args),
  };
}

function failUnknownCommand(invocable: readonly Skill[], word: string): Failure {
  const nearest = nearestNames(
    invocable.map(({ name }) => name),
    word,
  ).map((name) => `/${PREFIX}${quoteName(name)}`);
  const instead = nearest.length === 0 ? 'there are no skills to call' : `the nearest are ${nearest.join(', ')}`;
  return fail('SKILL_NOT_FOUND', `unknown command /${PREFIX}${quoteName(word)}; ${instead}`);
}

/** A skill invoked by a user, with the text typed after its name. */
export interface SlashCall {
  readonly skill: Pick<Skill, 'name'>;
  readonly args: string;
}

/** Expands a command that is already parsed. */
export async function expandCommand(
  { serving }: Pick<SlashParts, 'serving'>,
  { skill, args }: SlashCall,
  { ledger }: SlashOptions = {},
): Promise<Outcome<SlashMessage>> {
  const loaded = await serving.load(skill.name);
  if (!loaded.ok) return loaded;
  const message = renderMessage(loaded, args);
  ledger?.activate(activationOf(loaded, message));
  return { ok: true, skill: loaded.skill, args, message };
}

/** The same as a standalone message: it starts with the user's request and contains no local path. */
export async function expandAsPrompt(
  { serving }: Pick<SlashParts, 'serving'>,
  { skill, args }: SlashCall,
): Promise<Outcome<{ readonly message: string }>> {
  const loaded = await serving.load(skill.name);
  if (!loaded.ok) return loaded;
  const called = `The user called the skill "${quoteName(loaded.skill.name)}"${args === '' ? '.' : ` with: ${args}`}`;
  return { ok: true, message: `${called}\nFollow its instructions:\n\n${fillInstructions(loaded, args)}` };
}

/** A name ends at the first space, unless a skill has a name with spaces that fits. */
function findCalled(
  skills: readonly Skill[],
  typed: string,
): { readonly skill: Skill; readonly args: string } | undefined {
  const beginning = skills.filter(({ name }) => typed.startsWith(name) && /^(?:\s|$)/.test(typed.slice(name.length)));
  const [exact] = beginning.sort((a, b) => b.name.length - a.name.length);
  if (exact !== undefined) return { skill: exact, args: typed.slice(exact.name.length).trim() };
  const word = /^\S*/.exec(typed)?.[0] ?? '';
  const found = findSkill(skills, word);
  return found.ok ? { skill: found.skill, args: typed.slice(word.length).trim() } : undefined;
}

function renderMessage(loaded: LoadedSkill, args: string): string {
  const { skill } = loaded;
  const place = isFromSource(skill) ? directoryOf(skill) : skill.file;
  return addOrigin(fillInstructions(loaded, args), `Skill: ${visibleText(place)}`, args);
}

function fillInstructions({ skill: { extra }, body }: LoadedSkill, args: string): string {
  const isDeclared = 'argument-hint' in extra || 'arguments' in extra;
  return fillArguments(harmlessBlock(body), args, { isDeclared }).trim();
}

function addOrigin(instructions: string, origin: string, args: string): string {
  const lines = [origin, ...(args === '' ? [] : [`User: ${args}`])];
  return `${instructions}\n\n---\n\n${lines.join('\n')}`;
}
