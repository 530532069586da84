import { forecastGiving } from '../../engine/give-skills.ts';
import { AGENTS } from '../../model/agents.ts';
import type { Invocation } from '../command.ts';
import { give, sayFull } from '../giving.ts';
import { askForAgents, readAgentOption } from '../input/choose-agents.ts';
import type { DeciderOptions } from '../input/decide-install.ts';
import { joinNames } from '../output/agent-facts.ts';

export interface InstallGiving {
  readonly question: DeciderOptions['question'];
  readonly give: (names: readonly string[]) => ReturnType<typeof give>;
}

/** Which agents get the new skills: asked if it is not known yet, named in the last question, carried out at the end. */
export function openInstallGiving(invocation: Invocation, verb: 'Install' | 'Import'): InstallGiving {
  const { options, cwd, env } = invocation;
  const agents = readAgentOption(invocation);
  const choose = agents === undefined ? undefined : ({ how: 'only', agents } as const);
  const project = options.has('project');
  let isForeseen = false;
  return {
    async question({ skills }, questions) {
      if (questions !== undefined && agents === undefined && !(await askForAgents(invocation, questions)))
        return undefined;
      const coming = skills.map(({ entry: { name }, dir }) => ({ name, dir }));
      const forecast = forecastGiving(coming, { cwd, env, choose, project });
      const names = joinNames(coming.map(({ name }) => name));
      if (!forecast.ok) return `${verb} ${names}?`;
      isForeseen = true;
      sayFull(forecast, invocation);
      const titles = joinNames(forecast.agents.map((id) => AGENTS[id].title));
      return titles === '' ? `${verb} ${names}?` : `${verb} ${names} for ${titles}?`;
    },
    give: (names) => give(invocation, names, { choose, project, ...(isForeseen ? { confirm: undefined } : {}) }),
  };
}
