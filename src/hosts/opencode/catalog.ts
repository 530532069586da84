import type { HostCatalog, HostSkill, ListedSkill, ShownDescription } from '../seeing/host-skill.ts';

/** The program sorts by the user's language; this is the order of most. */
const COLLATOR = new Intl.Collator('en');

/** Seen in 1.18.33: in the order of names, without a limit; what has no description is not listed. */
export function layOutOpencode(skills: readonly ListedSkill[]): HostCatalog {
  const sorted = [...skills].sort((a, b) => COLLATOR.compare(a.skill.name, b.skill.name));
  return {
    entries: sorted.map(({ skill }) => ({
      skill,
      // A description that is there and empty is listed.
      isListed: skill.description !== '' || skill.fields.has('description'),
      ...describeForOpencode(skill),
    })),
  };
}

/** The whole description. */
export function describeForOpencode({ description }: Pick<HostSkill, 'description'>): ShownDescription {
  const cut = { because: 'it has no description, so it is not listed', remedy: 'Give it a description.' };
  return description === '' ? { text: '', cut } : { text: description };
}
