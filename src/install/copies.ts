import { failBroken, isBroken } from '../catalog/broken.ts';
import { explainOff } from '../catalog/off-sources.ts';
import type { SkillStore } from '../catalog/store.ts';
import type { ConfigEdit } from '../config/edit-config.ts';
import { isSourceNamed } from '../config/source-names.ts';
import type { SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { foldName } from '../parse/name-rules.ts';

/** Every copy of a skill: the one that has the name, then those that it hides, by precedence. */
export function listNamesakes(
  store: SkillStore,
  name: string,
): Outcome<{ readonly copies: readonly [Skill, ...Skill[]] }> {
  const found = store.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const byFile = new Map(store.catalog().shadowed.map((copy) => [copy.file, copy]));
  return { ok: true, copies: [skill, ...skill.shadows.flatMap(({ file }) => byFile.get(file) ?? [])] };
}

/**
 * The copy of a skill in a source (`claude-user`), or in the only source of an agent (`claude`) that has one. A project may
 * prefer none but its own.
 */
export function findPreferable(
  store: SkillStore,
  name: string,
  { from, project }: { readonly from: string; readonly project: boolean },
): Outcome<{ readonly skill: Skill }> {
  const listed = listNamesakes(store, name);
  if (!listed.ok) return listed;
  const copies = listed.copies.filter(({ source }) => isSourceNamed(source, [from]));
  const [skill] = copies;
  if (skill === undefined) {
    const off = store.catalog().off?.filter(({ id }) => isSourceNamed(id, [from])) ?? [];
    const there = listed.copies.map(({ source, dir }) => `${source} (${dir})`).join(', ');
    const missing = fail('SKILL_NOT_FOUND', `no copy of "${name}" in "${from}"; its copies are in ${there}`);
    return explainOff(name, off) ?? missing;
  }
  const sources = [...new Set(copies.map(({ source }) => source))];
  if (sources.length > 1) return fail('INVALID_NAME', `"${from}" may be ${sources.join(' or ')}`, { choose: sources });
  if (project && skill.level !== 'project')
    return fail('CONFIG_INVALID', `a project can prefer only its own copies, and ${skill.dir} is not one`, {
      leaveOut: 'project',
    });
  return isBroken(skill) ? failBroken(skill) : { ok: true, skill };
}

/** Prefers this copy. */
export function editToPrefer({ name, source }: Skill): ConfigEdit {
  return (editor, now) => {
    for (const other of namesLike(name, now.preferred))
      if (other !== name) editor.putEntry('preferred', other, undefined);
    editor.putEntry('preferred', name, source);
  };
}

/** Is this copy preferred, under no other spelling of its name? */
export function isPreferred({ name, source }: Skill, now: SkillsSection): boolean {
  return now.preferred?.[name] === source && namesLike(name, now.preferred).length === 1;
}

/** Takes every preference for this name back. */
export function editToForget(name: string): ConfigEdit {
  return (editor, now) => {
    for (const known of namesLike(name, now.preferred)) editor.putEntry('preferred', known, undefined);
  };
}

function namesLike(name: string, preferred: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.keys(preferred).filter((known) => foldName(known) === foldName(name));
}
