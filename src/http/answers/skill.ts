import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

import { z } from 'zod';

import { fix, type FixedSkill } from '../../author/fix.ts';
import { pin, unpin } from '../../author/pin.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { listOtherCopies } from '../../engine/skill-facts.ts';
import { prefer, resetPreference } from '../../install/prefer.ts';
import type { NextStep } from '../../model/next-step.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { splitFrontmatter } from '../../parse/frontmatter.ts';
import { findEditor } from '../../platform/editor.ts';
import { findCommand } from '../../platform/environment.ts';
import { change, read } from '../endpoint.ts';
import { name, named } from '../input-fields.ts';
import { openRows } from './skills.ts';

/** One skill: its text, its place, and everything that is known without auditing it. Reading it here is not a use. */
export const describeSkill = read(named, async ({ skills }, { name: wanted }) => {
  const found = skills.find(wanted);
  if (!found.ok) return found;
  const { skill } = found;
  const { description, tokens, dir, license, compatibility, allowedTools, diagnostics, preferredBy, origin } = skill;
  const toRow = await openRows(skills, [skill]);
  const text = readText(skills, skill);
  const listed = skills.loader.resources(skill.name, WHATEVER);
  const own =
    text === undefined
      ? []
      : [{ path: basename(skill.file), size: Buffer.byteLength(text), kind: 'instructions' as const }];
  return {
    ok: true,
    row: toRow(skill),
    description,
    tokens,
    dir,
    license,
    compatibility,
    allowedTools,
    problems: diagnostics,
    preferredBy,
    version: skill.defaults?.includes('version') === true ? undefined : skill.version,
    isByAgent: skill.creator === 'agent',
    requires: skill.requires.map((command) => ({
      command,
      isFound: findCommand(command, skills.environment) !== undefined,
    })),
    triggers: listTriggers(skill),
    ...splitText(text),
    others: listOtherCopies(skills, skill).map(({ source, file, status }) => ({ source, file, state: status })),
    files: [...own, ...(listed.ok ? listed.resources.map(({ path, size, kind }) => ({ path, size, kind })) : [])],
    /** Entries of its folder that are never read, with the reason. */
    leftOut: listed.ok ? listed.leftOut.map(({ path, reason }) => `${path} ${reason}`) : [],
    origin: origin && { address: showAddress(origin), choice: nameChoice(origin), isHeld: origin.held ?? false },
  };
});

/** Disabled and unavailable skills can be looked at, too. */
const WHATEVER = { includeDisabled: true, includeUnavailable: true } as const;

function readText({ loader }: Skills, { name: own, file }: Skill): string | undefined {
  const found = loader.readResource(own, basename(file), WHATEVER);
  return found.ok ? found.text : undefined;
}

/** The Markdown below the frontmatter, and the frontmatter without its fences; both undefined if there is no text. */
function splitText(text: string | undefined): {
  readonly instructions?: string;
  readonly frontmatter?: string;
} {
  if (text === undefined) return {};
  const { yaml, rest } = splitFrontmatter(text);
  return { instructions: rest, frontmatter: yaml.trimEnd() };
}

/** Keywords, verbs, patterns and globs that activate it. */
function listTriggers({
  triggers,
  globs,
}: Skill): readonly { readonly kind: string; readonly texts: readonly string[] }[] {
  const { keywords, verbs, patterns } = triggers;
  return Object.entries({ keywords, verbs, patterns, globs })
    .filter(([, texts]) => texts.length > 0)
    .map(([kind, texts]) => ({ kind, texts }));
}

/** More would be slow to draw, and few people read on. */
const MOST_CHARACTERS = 200_000;

/** One file of a skill as text, which is undefined if it is none. */
export const previewFile = read(
  z.strictObject({ name, path: z.string().max(4_096) }),
  async ({ skills }, { name: skill, path }) => {
    const found = skills.loader.readResource(skill, path, WHATEVER);
    if (!found.ok) return found;
    const { size, contentType, text } = found;
    const isCut = text !== undefined && text.length > MOST_CHARACTERS;
    return { ok: true, path, size, contentType, text: text?.slice(0, MOST_CHARACTERS), isCut };
  },
);

/** The changes that `fix` would make in the SKILL.md. */
export const previewFix = read(named, ({ skills }, { name: wanted }) => runFix(skills, wanted, false));

export const applyFix = change(named, ({ skills }, { name: wanted }) => runFix(skills, wanted, true));

async function runFix(skills: Skills, wanted: string, write: boolean): Promise<Outcome<FixedSkill>> {
  const found = skills.find(wanted);
  if (!found.ok) return found;
  const [fixed] = await fix(found.skill.dir, { write });
  return fixed ?? fail('SKILL_NOT_FOUND', `no SKILL.md in ${found.skill.dir}`);
}

/** Makes a skill always listed, or takes that back. */
export const changePin = change(
  z.strictObject({ name, isPinned: z.boolean() }),
  async ({ place }, { name: wanted, isPinned }) => {
    const changed = await (isPinned ? pin : unpin)(wanted, place);
    return changed.ok ? { ok: true, file: changed.file } : changed;
  },
);

/** Gives the name to another copy; without a source, precedence decides again. */
export const changePreference = change(
  z.strictObject({ name, source: z.string().max(256).optional() }),
  async ({ place }, { name: wanted, source }) => {
    const changed = await (source === undefined ? resetPreference(wanted, place) : prefer(wanted, source, place));
    return changed.ok ? { ok: true, file: changed.file } : changed;
  },
);

/** Editors that open a window of their own. Others need the terminal, which the console does not have to give. */
const WINDOWED: ReadonlySet<string> = new Set(
  (
    'code code-insiders codium cursor windsurf subl zed zeditor atom gedit kate kwrite gvim mate bbedit idea webstorm ' +
    'pycharm goland notepad notepad++ emacsclient xed pluma'
  ).split(' '),
);

/** Opens the SKILL.md in the editor that $VISUAL or $EDITOR names, and does not wait for it. */
export const editSkill = change(named, async ({ skills }, { name: wanted }) => {
  const found = skills.find(wanted);
  if (!found.ok) return found;
  const { file } = found.skill;
  const { variables } = skills.environment;
  const [command, ...args] = findEditor(variables) ?? [];
  const here: NextStep = {
    ask: 'user',
    to: `Set $VISUAL to an editor with its own window, such as code, or open ${file} yourself.`,
  };
  if (command === undefined) return fail('CONFIG_INVALID', 'neither $VISUAL nor $EDITOR names an editor', here);
  if (!WINDOWED.has(basename(command).replace(/\.(?:exe|cmd)$/i, '')))
    return fail('CONFIG_INVALID', `${command} needs a terminal, so this page cannot open it`, here);
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true, env: { ...variables } });
  try {
    await once(child, 'spawn');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return fail('CONFIG_INVALID', `${command} could not be started: ${String(error.code)}`, here);
  }
  child.unref();
  return { ok: true, command };
});
