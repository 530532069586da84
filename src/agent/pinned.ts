import type { LoadedSkill } from '../activate/loader.ts';
import { findSkill } from '../catalog/find.ts';
import type { InlinedSkill } from '../disclose/formats/inlined-skill.ts';
import { harmlessLine } from '../disclose/harmless.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { activationOf, type ActivationLedger } from './activation-ledger.ts';
import { listNearest, quoteName } from './unknown-skill.ts';
import { explainBroken, visibleSkills } from './visible-skills.ts';

/** A skill that a sub-task has from the start. Its text is the whole SKILL.md. */
export interface PinnedSkill extends InlinedSkill {
  /** Paths in the text are relative to it. */
  readonly dir: string;
}

export interface PinOptions {
  /** The ledger of the sub-task's conversation. */
  readonly ledger?: ActivationLedger | undefined;
}

/**
 * Loads the named skills for a sub-task, each once and in the given order. If any of them is unknown, unreadable or withheld, none
 * is returned; the failure names every such skill and lists what is available.
 */
export async function resolvePinned(
  skills: Pick<Skills, 'catalog' | 'serving'>,
  names: readonly string[],
  { ledger }: PinOptions = {},
): Promise<Outcome<{ readonly skills: readonly PinnedSkill[] }>> {
  const resolved = resolveNames(skills, names);
  if (!resolved.ok) return resolved;
  const outcomes = await Promise.all(resolved.names.map((name) => skills.serving.load(name)));
  const failures = outcomes.filter((outcome) => !outcome.ok);
  const [first] = failures;
  if (first !== undefined) return fail(first.code, harmlessLine(failures.map(({ message }) => message).join('; ')));
  const loaded = outcomes.filter((outcome) => outcome.ok);
  for (const skill of loaded) ledger?.activate(activationOf(skill, skill.raw));
  return { ok: true, skills: loaded.map(toPinned) };
}

function resolveNames(
  skills: Pick<Skills, 'catalog'>,
  given: readonly string[],
): Outcome<{ readonly names: readonly string[] }> {
  const visible = visibleSkills(skills);
  const wanted = [...new Set(given.map((name) => name.trim()).filter((name) => name !== ''))];
  const found = wanted.map((name) => ({ name, outcome: findSkill(visible, name) }));
  const unknown = found.filter(({ outcome }) => !outcome.ok).map(({ name }) => name);
  if (unknown.length === 0)
    return { ok: true, names: [...new Set(found.flatMap(({ outcome }) => (outcome.ok ? [outcome.skill.name] : [])))] };
  const broken = unknown.map((name) => explainBroken(skills, name)).find((failure) => failure !== undefined);
  if (broken !== undefined) return broken;
  const available = listNearest(
    visible.map(({ name }) => name),
    unknown,
  );
  const message = `Unknown skills requested: ${unknown.map(quoteName).join(', ')}. Available skills: ${available}`;
  return fail('SKILL_NOT_FOUND', message);
}

function toPinned({ skill: { name, dir }, raw, resources }: LoadedSkill): PinnedSkill {
  return { name, dir, text: raw, files: resources.map(({ path }) => path) };
}
