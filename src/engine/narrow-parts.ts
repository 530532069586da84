import type { WriteOptions } from '../author/own-skills.ts';
import type { SkillWriting } from '../author/skill-writing.ts';
import { listCopies } from '../catalog/catalog.ts';
import { compareSkills, isEmptyChange } from '../catalog/difference.ts';
import { findSkill } from '../catalog/find.ts';
import type { SkillCatalog } from '../catalog/open-catalog.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { Usage } from '../usage/usage.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillTrust } from './skill-trust.ts';

/** The parts of an opened engine that take names of skills. */
export interface NamedParts {
  readonly trust: SkillTrust;
  readonly writing: SkillWriting;
  readonly usage: Usage;
}

export interface Narrowing {
  readonly scope: SkillScope;
  /** Scans for all skills again. */
  readonly refresh: () => Promise<unknown>;
}

/** The same parts for a scope: a skill outside it does not exist for them. */
export function narrowParts({ trust, writing }: Omit<NamedParts, 'usage'>, narrowing: Narrowing): NamedParts {
  const { scope } = narrowing;
  return {
    trust: narrowTrust(trust, scope),
    writing: narrowWriting(writing, narrowing),
    usage: scope.usage.only(() => new Set(scope.catalog().skills.map(({ name }) => name))),
  };
}

/** Lists the skills of a scope. A scan is still one of all skills. */
export function narrowListing(whole: SkillCatalog, scope: SkillScope): Omit<SkillCatalog, typeof Symbol.asyncDispose> {
  const { catalog } = scope;
  return {
    environment: whole.environment,
    catalog,
    copies: () => listCopies(catalog()),
    find: (name) => findSkill(catalog().skills, name),
    async refresh() {
      const before = catalog().skills;
      await whole.refresh();
      return compareSkills(before, catalog().skills);
    },
    refreshIfChanged: () => whole.refreshIfChanged(),
    async watch(listener, options) {
      let told = catalog().skills;
      return whole.watch(() => {
        const { skills } = catalog();
        const change = compareSkills(told, skills);
        told = skills;
        if (!isEmptyChange(change)) listener(change);
      }, options);
    },
  };
}

/** Calls a part with the exact name of a skill of the scope: another spelling could reach a skill outside it. */
function openCaller({ catalog }: SkillScope): <T>(name: string, call: (name: string) => T) => T | Failure {
  return (name, call) => {
    const found = findSkill(catalog().skills, name);
    return found.ok ? call(found.skill.name) : found;
  };
}

function narrowTrust(trust: SkillTrust, scope: SkillScope): SkillTrust {
  const within = openCaller(scope);
  return {
    inspect: async (name) => within(name, (exact) => trust.inspect(exact)),
    audit: async (name) => within(name, (exact) => trust.audit(exact)),
    grant: async (name, digest, options) => within(name, (exact) => trust.grant(exact, digest, options)),
    revoke: async (name) => within(name, (exact) => trust.revoke(exact)),
    judge: (skill) => trust.judge(skill),
    prepare: (located) => trust.prepare(located),
    admit: (located) => trust.admit(located),
    survey: (skills) => trust.survey(skills),
  };
}

/** New skills may be written even if the scope will not show them, but none outside it is changed or replaced. */
function narrowWriting(writing: SkillWriting, { scope, refresh }: Narrowing): SkillWriting {
  const { catalog, whole } = scope;
  const refuseTaken = async (name: string): Promise<Failure | undefined> => {
    await refresh();
    const { findNamesakes } = await import('../author/own-skills.ts');
    const seen = new Set(findNamesakes(catalog(), name).map(({ file }) => file));
    const isTaken = findNamesakes(whole(), name).some(({ file }) => !seen.has(file));
    return isTaken ? fail('ALREADY_EXISTS', `the name "${name}" is taken`, 'Choose another `name`.') : undefined;
  };
  // Asks the scope first: the answer of the whole would name other skills.
  const findExact = async (name: string, options: WriteOptions = {}): Promise<Outcome<{ readonly name: string }>> => {
    await refresh();
    const { findOwn } = await import('../author/own-skills.ts');
    const own = findOwn(catalog(), name, options);
    if (!own.ok) return own;
    const written = findOwn(whole(), own.skill.name, options);
    if (written.ok && written.skill.file === own.skill.file) return { ok: true, name: own.skill.name };
    return fail('PATH_REFUSED', `the skill "${own.skill.name}" has another copy, which would be changed instead`);
  };
  return {
    create: async (draft, options) => (await refuseTaken(draft.name)) ?? writing.create(draft, options),
    async update(name, changes, options) {
      const found = await findExact(name, options);
      return found.ok ? writing.update(found.name, changes, options) : found;
    },
    async remove(name, options) {
      const found = await findExact(name, options);
      return found.ok ? writing.remove(found.name, options) : found;
    },
    putByAgent: async (draft) => (await refuseTaken(draft.name)) ?? writing.putByAgent(draft),
  };
}
