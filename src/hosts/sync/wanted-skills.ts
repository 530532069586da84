import { dirname, join } from 'node:path';

import type { Catalog } from '../../catalog/catalog.ts';
import { openStore } from '../../catalog/store.ts';
import { isForHost } from '../../config/host-globs.ts';
import { AGENT_IDS, type AgentId } from '../../model/agents.ts';
import type { SkillsConfig } from '../../model/config.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import { realPath } from '../../platform/files/files.ts';
import { hostOf } from '../all-hosts.ts';
import type { SyncScope } from '../host.ts';

/** A skill of the catalog, and the hosts that shall see it. */
export interface WantedSkill {
  readonly name: string;
  /** Its entry in a folder of hosts. */
  readonly entry: string;
  /** Without links. */
  readonly dir: string;
  readonly file: string;
  /** Is it put into folders of this scope? A project's folders show only skills of the project. */
  readonly isPlaced: boolean;
  readonly hosts: ReadonlySet<AgentId>;
  /** Hosts that shall not see it, and whose switches in this scope say so. */
  readonly keptFrom: ReadonlySet<AgentId>;
  /** Files of other copies of this name. */
  readonly copies: readonly string[];
  /** Why the hosts that do not get it do not. */
  readonly whyNot: ReadonlyMap<AgentId, string>;
  /** The hosts that would get it if it were admitted. */
  readonly withheldFrom: readonly AgentId[];
  readonly next?: NextStep | undefined;
}

/** Says whether other agents may be given a skill of a catalog; a failure says why not. */
export type AdmitSkill = (skill: Skill, catalog: Catalog) => Promise<Outcome>;

/**
 * Shall a host have an enabled skill? `given`: it gets an entry. `kept`: its switches keep the skill from it. `free`: neither; if
 * it finds the skill by itself, it may have it.
 */
export interface Wish {
  readonly kind: 'given' | 'kept' | 'free';
  /** Why it is so, for those that do not get it. */
  readonly because: string;
}

export type WishFor = (skill: Skill, host: AgentId, config: SkillsConfig) => Wish;

/** By the setting `hosts` alone: every host gets every enabled skill, unless that leaves it out. */
export const giveEverything: WishFor = ({ name }, host, config) =>
  isForHost(name, host, config) ? { kind: 'given', because: '' } : { kind: 'kept', because: LEFT_OUT };

export const LEFT_OUT = 'the setting hosts leaves it out';

export interface WantedRequest {
  readonly environment: Environment;
  readonly scope: SyncScope;
  /** The only skills that are asked for, by name. Default: all. */
  readonly names?: readonly string[] | undefined;
  readonly wishFor: WishFor;
  readonly admit: AdmitSkill;
}

/**
 * The skills with the hosts that shall see them, by the catalog and the configuration. A skill that is not admitted is put
 * nowhere. Opens the catalog once; for a project also the user's own, if the project keeps a skill of the user from a host.
 */
export async function readWanted({
  environment,
  scope,
  names,
  wishFor,
  admit,
}: WantedRequest): Promise<Outcome<{ readonly skills: readonly WantedSkill[] }>> {
  const { skills: all, catalog } = await listSkills(environment, scope);
  const listed = all.filter(({ skill }) => names?.includes(skill.name) ?? true);
  const { reading } = catalog;
  const wrong = reading.diagnostics.find(
    ({ code, field }) => code === 'CONFIG_INVALID' && (field ?? 'hosts') === 'hosts',
  );
  if (wrong !== undefined)
    return fail('CONFIG_INVALID', `${wrong.path}: ${wrong.message}; nothing was synced`, { edit: wrong.path });
  const { config } = reading;
  const wishOf = (skill: Skill, host: AgentId): Wish =>
    skill.enabled
      ? wishFor(skill, host, config)
      : { kind: 'kept', because: `it is disabled: ${skill.reasons.join('; ')}` };
  const isKept = (skill: Skill): boolean => AGENT_IDS.some((host) => wishOf(skill, host).kind === 'kept');
  const needsUser = scope === 'project' && listed.some(({ skill }) => skill.level !== 'project' && isKept(skill));
  const isOwn = needsUser ? await openUserWishes(environment, wishFor) : undefined;
  const skills: WantedSkill[] = [];
  for (const { skill, copies } of listed) {
    for (const wanted of toWanted(skill, { copies, wishOf, scope, isOwn })) {
      const isGiven = wanted.isPlaced && wanted.hosts.size > 0;
      const admitted = isGiven ? await admit(skill, catalog) : ADMITTED;
      skills.push(admitted.ok ? wanted : withhold(wanted, admitted));
    }
  }
  return { ok: true, skills };
}

const ADMITTED = { ok: true } as const;

function withhold(skill: WantedSkill, { message, next }: Failure): WantedSkill {
  const whyNot = new Map([...skill.whyNot, ...[...skill.hosts].map((host) => [host, message] as const)]);
  return { ...skill, hosts: new Set(), withheldFrom: [...skill.hosts], whyNot, next };
}

interface Wishes {
  readonly copies: readonly string[];
  readonly wishOf: (skill: Skill, host: AgentId) => Wish;
  readonly scope: SyncScope;
  /** In a project: would the host see it without the project? */
  readonly isOwn: ((name: string, host: AgentId) => boolean) | undefined;
}

function toWanted(skill: Skill, { copies, wishOf, scope, isOwn }: Wishes): readonly WantedSkill[] {
  const file = realPath(skill.file);
  if (file === undefined || skill.status === 'broken') return [];
  // A host that loads it by itself gets no entry, and no switch of ours has an effect.
  const wishes = AGENT_IDS.filter((host) => !LOADING.get(host)?.includes(skill.source)).map((host) => ({
    host,
    ...wishOf(skill, host),
  }));
  const isPlaced = (scope === 'project') === (skill.level === 'project');
  // The project has no say about skills that the user keeps from a host everywhere.
  const isOurs = (host: AgentId): boolean => isPlaced || (scope === 'project' && isOwn?.(skill.name, host) === true);
  const given = wishes.filter(({ kind }) => kind === 'given');
  const kept = wishes.filter(({ kind, host }) => kind === 'kept' && isOurs(host));
  return [
    {
      name: skill.name,
      entry: isFolderName(skill.name) ? skill.name : skill.id,
      dir: dirname(file),
      file,
      isPlaced,
      hosts: new Set(given.map(({ host }) => host)),
      keptFrom: new Set(kept.map(({ host }) => host)),
      copies,
      withheldFrom: [],
      whyNot: new Map(
        wishes.flatMap(({ host, kind, because }) => (kind === 'given' ? [] : [[host, because] as const])),
      ),
    },
  ];
}

/** The sources that hosts load by themselves. */
const LOADING: ReadonlyMap<AgentId, readonly string[]> = new Map(AGENT_IDS.map((id) => [id, hostOf(id).ownSources]));

interface ListedSkill {
  readonly skill: Skill;
  readonly copies: readonly string[];
}

/** One skill of each name. In a project it is the project's own, so that everyone who works in it makes the same links. */
async function listSkills(
  { cwd, home, variables, settings }: Environment,
  scope: SyncScope,
): Promise<{ readonly skills: readonly ListedSkill[]; readonly catalog: Catalog }> {
  await using store = await openStore({ cwd, home, env: variables, config: settings });
  const catalog = store.catalog();
  const hidden = scope === 'project' ? catalog.shadowed.filter(({ level }) => level === 'project') : [];
  const skills = catalog.skills.map((winner) => {
    const own = winner.level === 'project' ? undefined : hidden.find(({ shadowedBy }) => shadowedBy === winner.file);
    const skill = own ?? winner;
    const dirs = [winner, ...winner.shadows].map(({ dir }) => dir).filter((dir) => dir !== skill.dir);
    return { skill, copies: dirs.flatMap((dir) => realPath(join(dir, 'SKILL.md')) ?? []) };
  });
  return { catalog, skills };
}

async function openUserWishes(
  environment: Environment,
  wishFor: WishFor,
): Promise<(name: string, host: AgentId) => boolean> {
  const neutral = outsideProjects(environment);
  const { skills, catalog } = await listSkills(neutral, 'user');
  const { config } = catalog.reading;
  const enabled = new Map(skills.flatMap(({ skill }) => (skill.enabled ? [[skill.name, skill] as const] : [])));
  return (name, host) => {
    const skill = enabled.get(name);
    return skill !== undefined && wishFor(skill, host, config).kind !== 'kept';
  };
}

/** The environment as it is in no project: the home folder is none, and a folder that everyone shares, such as /, may be. */
export function outsideProjects(environment: Environment): Environment {
  return { ...environment, cwd: environment.home };
}
