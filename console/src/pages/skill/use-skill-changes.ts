import { useRef, useState } from 'preact/hooks';

import type { AgentChange, AgentFact } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { describeEffect } from '../agents/effect.ts';
import type { Facts, Saying } from './said.tsx';

export interface SkillChanges {
  /** Who has the skill. While a change is under way, and until its result is read, as it was before. */
  readonly facts: readonly AgentFact[] | undefined;
  /** The last change, and what came of it. */
  readonly saying: Saying | undefined;
  /** Enables or disables the skill for all agents. */
  readonly turn: (to: 'enabled' | 'disabled') => Promise<void>;
  /** Enables a disabled skill for this agent alone. */
  readonly enableFor: (fact: AgentFact) => Promise<void>;
  /** Gives it to an agent, or takes it away. */
  readonly give: (fact: AgentFact, to: 'give' | 'kept') => Promise<void>;
  readonly dismiss: () => void;
}

interface Turning {
  /** Turns it on for this agent alone. */
  readonly only?: Pick<AgentFact, 'agent' | 'title'>;
  readonly isUndo?: boolean;
  /** Exceptions of agents that an undo puts back. */
  readonly restored?: readonly AgentChange[];
}

interface Hold {
  readonly before: readonly AgentFact[] | undefined;
  readonly isOver: boolean;
  /** The facts when it was over. */
  readonly last: readonly AgentFact[] | undefined;
}

/** The changes that a person makes on the page of a skill: made at once, said in place, and taken back. */
export function useSkillChanges(name: string, seen: readonly AgentFact[] | undefined): SkillChanges {
  const [hold, setHold] = useState<Hold>();
  const latest = useRef(seen);
  latest.current = seen;
  const isHeld = hold !== undefined && (!hold.isOver || hold.last === seen);
  const facts = isHeld ? hold.before : seen;
  /** Half of a change must not look like its result. */
  const during = async <T>(work: Promise<T>): Promise<T> => {
    setHold({ before: facts, isOver: false, last: undefined });
    const answer = await work;
    setHold({ before: facts, isOver: true, last: latest.current });
    return answer;
  };
  const [said, setSaid] = useState<{ readonly name: string; readonly saying: Saying }>();
  const say = (saying: Saying): void => setSaid({ name, saying });
  const turn = async (
    to: 'enabled' | 'disabled',
    { only, isUndo = false, restored = [] }: Turning = {},
  ): Promise<void> => {
    const agents = only === undefined ? undefined : [only.agent];
    const switchAndRestore = async () => {
      const switched = await change('skills/switch', { names: [name], to, agents });
      if (!switched.ok || restored.length === 0) return switched;
      const given = await change('agents/give', { changes: restored });
      return given.ok ? switched : given;
    };
    const answer = await during(switchAndRestore());
    const failure = answer.ok ? answer.value.failed[0] : answer.failure;
    if (failure !== undefined) {
      setHold(undefined);
      say({ failure });
      return;
    }
    const [done] = answer.ok ? answer.value.done : [];
    if (done === undefined) return;
    const { before, after, changed, file, replaced } = done;
    const back = (): void => void turn(to === 'enabled' ? 'disabled' : 'enabled', { isUndo: true, restored: replaced });
    const what = only === undefined ? `${to === 'enabled' ? 'Enabled' : 'Disabled'}.` : `Enabled for ${only.title}.`;
    say({
      what: isUndo ? 'Undone.' : what,
      before,
      after,
      file: changed.length === 0 ? undefined : file,
      undo: isUndo || changed.length === 0 ? undefined : back,
    });
  };
  const choose = async (what: string, changes: readonly AgentChange[], isUndo = false): Promise<void> => {
    const answer = await during(change('agents/give', { changes }));
    if (!answer.ok) {
      setHold(undefined);
      say({ failure: answer.failure });
      return;
    }
    const { before, skills, replaced, config } = answer.value;
    say({
      what,
      before: factsOf(name, before),
      after: factsOf(name, skills),
      more: describeEffect({ ...answer.value, problems: [] }, changes),
      file: config === undefined || config.changed.length === 0 ? undefined : config.path,
      undo: isUndo || replaced.length === 0 ? undefined : () => void choose('Undone.', replaced, true),
    });
  };
  return {
    facts,
    saying: said?.name === name ? said.saying : undefined,
    turn,
    enableFor: (only) => turn('enabled', { only }),
    give: ({ agent, title }, to) =>
      choose(to === 'give' ? `Given to ${title}.` : `Removed from ${title}.`, [{ name, agent, to }]),
    dismiss: () => setSaid(undefined),
  };
}

function factsOf(name: string, skills: readonly { readonly name: string; readonly agents: Facts }[]): Facts {
  return skills.find((skill) => skill.name === name)?.agents ?? [];
}
