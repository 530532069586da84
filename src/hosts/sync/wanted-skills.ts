import { dirname, join } from 'node:path';

import type { Catalog } from '../../catalog/catalog.ts';
import { openStore } from '../../catalog/store.ts';
import { isForHost } from '../../config/host-globs.ts';
import type { SkillsConfig } from '../../model/config.ts';
import { HOST_IDS, type HostId } from '../../model/host-id.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import type { Environment } from '../../platform/environment.ts';
import { realPath } from '../../platform/files/files.ts';
import { HOSTS } from '../all-hosts.ts';
import type { SyncScope } from './host-sync.ts';

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
  readonly hosts: ReadonlySet<HostId>;
  /** Hosts that shall not see it, and whose switches in this scope say so. */
  readonly keptFrom: ReadonlySet<HostId>;
  /** Files of other copies of this name. */
  readonly copies: readonly string[];
  /** Why the hosts that do not see it do not. */
  readonly because: string;
  /** The hosts that would get it if it were admitted. */
  readonly withheldFrom: readonly HostId[];
  readonly remedy?: string | undefined;
}

/** Says whether other agents may be given a skill of a catalog; a failure says why not. */
export type AdmitSkill = (skill: Skill, catalog: Catalog) => Promise<Outcome>;

/** The skills with the hosts that shall see them, by the catalog and the configuration. A skill that is not admitted is put nowhere. */
export async function readWanted(
  environment: Environment,
  scope: SyncScope,
  admit: AdmitSkill,
): Promise<Outcome<{ readonly skills: readonly WantedSkill[] }>> {
  const { skills: listed, catalog } = await listSkills(environment);
  const { reading } = catalog;
  const wrong = reading.diagnostics.find(
    ({ code, field }) => code === 'CONFIG_INVALID' && (field ?? 'hosts') === 'hosts',
  );
  if (wrong !== undefined)
    return fail('CONFIG_INVALID', `${wrong.path}: ${wrong.message}; nothing was synced`, 'Fix the file first.');
  const isOwn = scope === 'user' ? undefined : await openUserWishes(environment);
  const { config } = reading;
  const skills: WantedSkill[] = [];
  for (const { skill, copies } of listed) {
    for (const wanted of toWanted(skill, { copies, config, scope, isOwn })) {
      const isGiven = wanted.isPlaced && wanted.hosts.size > 0;
      const admitted = isGiven ? await admit(skill, catalog) : ADMITTED;
      skills.push(admitted.ok ? wanted : withhold(wanted, admitted));
    }
  }
  return { ok: true, skills };
}

const ADMITTED = { ok: true } as const;

function withhold(skill: WantedSkill, { message, hint }: Failure): WantedSkill {
  return { ...skill, hosts: new Set(), withheldFrom: [...skill.hosts], because: message, remedy: hint };
}

interface Wishes {
  readonly copies: readonly string[];
  readonly config: SkillsConfig;
  readonly scope: SyncScope;
  /** In a project: would the host see it without the project? */
  readonly isOwn: ((name: string, host: HostId) => boolean) | undefined;
}

function toWanted(skill: Skill, { copies, config, scope, isOwn }: Wishes): readonly WantedSkill[] {
  const file = realPath(skill.file);
  if (file === undefined || skill.status === 'broken') return [];
  // A host that loads it by itself gets no entry, and no switch of ours has an effect.
  const ids = HOST_IDS.filter((host) => !HOSTS[host].sync.ownSources.includes(skill.source));
  const isFor = (host: HostId): boolean => skill.enabled && isForHost(skill.name, host, config);
  const isPlaced = (scope === 'project') === (skill.level === 'project');
  // The project has no say about skills that the user keeps from a host everywhere.
  const isOurs = (host: HostId): boolean => isPlaced || (scope === 'project' && isOwn?.(skill.name, host) === true);
  return [
    {
      name: skill.name,
      entry: isFolderName(skill.name) ? skill.name : skill.id,
      dir: dirname(file),
      file,
      isPlaced,
      hosts: new Set(ids.filter(isFor)),
      keptFrom: new Set(ids.filter((host) => !isFor(host) && isOurs(host))),
      copies,
      withheldFrom: [],
      because: skill.enabled ? 'the setting hosts leaves it out' : `it is disabled: ${skill.reasons.join('; ')}`,
    },
  ];
}

interface ListedSkill {
  readonly skill: Skill;
  readonly copies: readonly string[];
}

async function listSkills({
  cwd,
  home,
  variables,
  settings,
}: Environment): Promise<{ readonly skills: readonly ListedSkill[]; readonly catalog: Catalog }> {
  await using store = await openStore({ cwd, home, env: variables, config: settings });
  const catalog = store.catalog();
  return {
    catalog,
    skills: catalog.skills.map((skill) => ({
      skill,
      copies: skill.shadows.flatMap(({ dir }) => realPath(join(dir, 'SKILL.md')) ?? []),
    })),
  };
}

async function openUserWishes(environment: Environment): Promise<(name: string, host: HostId) => boolean> {
  const neutral = atRoot(environment);
  const { skills, catalog } = await listSkills(neutral);
  const enabled = new Set(skills.filter(({ skill }) => skill.enabled).map(({ skill }) => skill.name));
  return (name, host) => enabled.has(name) && isForHost(name, host, catalog.reading.config);
}

/** The environment as it is in no project. */
export function atRoot(environment: Environment): Environment {
  let cwd = environment.home;
  while (dirname(cwd) !== cwd) cwd = dirname(cwd);
  return { ...environment, cwd };
}
