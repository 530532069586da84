import type { Installed, InstalledNow } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { joinNames } from '../../lib/words.ts';

/** Changes of installed skills, each with what takes it back. */

/** Switches to the version before; doing it again switches back. */
export async function rollBack({ name, scope }: Installed): Promise<void> {
  const answer = await change('installed/rollback', { name, scope });
  if (!answer.ok) notifyFailure(answer.failure);
  else notify({ kind: 'done', text: answer.value.said, undo: () => void rollBack({ name, scope }) });
}

export async function holdSkill({ name, scope }: Installed, isHeld: boolean): Promise<void> {
  const answer = await change('installed/hold', { name, scope, isHeld });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  notify({
    kind: 'done',
    text: isHeld ? `Updates skip ${name}.` : `${name} is updated again.`,
    detail: answer.value.said,
    undo: () => void holdSkill({ name, scope }, !isHeld),
  });
}

/** Says which skills were installed, and who can use them. */
export function tellInstalled({ installed, agents }: InstalledNow): void {
  const names = joinNames(installed);
  const groups = Map.groupBy(agents, (skill) =>
    joinNames(skill.agents.filter(({ has }) => has).map(({ title }) => title)),
  );
  const having = [...groups].map(([titles, skills]) => {
    const which = groups.size === 1 ? (skills.length === 1 ? 'it' : 'them') : joinNames(skills.map(({ name }) => name));
    return titles === '' ? `No agent has ${which}.` : `${titles} can use ${which} now (in new sessions).`;
  });
  notify({
    kind: 'done',
    text: installed.length === 0 ? 'Nothing new to install.' : `Installed ${names}.`,
    detail: [...having, 'Skillplane runs nothing of a skill until you trust it.'].join(' '),
  });
}

/** This cannot be taken back. */
export async function removeSkill({ name, scope }: Installed): Promise<void> {
  const answer = await change('installed/remove', { name, scope });
  if (answer.ok) notify({ kind: 'done', text: answer.value.said });
  else notifyFailure(answer.failure);
}
