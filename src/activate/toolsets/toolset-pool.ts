import { fetchLocated, openJudged, type LocatedSkill } from '../../catalog/locate.ts';
import type { Failure, Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { stampFolder } from '../../platform/files/stamp.ts';
import { loadToolsets, type LoadedToolsets, type ToolsetPorts } from './toolsets.ts';

/**
 * Keeps the toolsets of skills open, so that only the first use of a skill starts threads and imports code. It alone
 * decides when they are loaded again.
 */
export interface ToolsetPool {
  /**
   * Passes a skill's loaded toolsets to `work`. They are reloaded if the folder changed, if a thread ended, or if some
   * failed to load and the rest lack `tool` (undefined: all are needed). If the skill is no longer trusted, they are
   * closed and this fails. Running work keeps the toolsets it started with.
   */
  use<T>(
    located: LocatedSkill,
    tool: string | undefined,
    work: (toolsets: LoadedToolsets) => Promise<T>,
  ): Promise<T | Failure>;
  /** Closes all toolsets, also those in use. */
  close(): Promise<void>;
}

interface OpenSkill {
  readonly located: LocatedSkill;
  /** The skill's folder and the toolsets it named when they were loaded. */
  readonly state: string;
  readonly loaded: Promise<Outcome<LoadedToolsets>>;
  users: number;
  /** True if later uses take another one. */
  isReplaced: boolean;
}

export interface PoolPorts extends ToolsetPorts {
  /** Is the skill trusted now? */
  readonly judge: (skill: Skill) => Outcome;
}

export function openToolsetPool({ judge, ...ports }: PoolPorts): ToolsetPool {
  const current = new Map<string, OpenSkill>();
  const open = new Set<OpenSkill>();
  const start = (located: LocatedSkill, state: string): OpenSkill => {
    const loaded = loadToolsets(located, ports);
    const one: OpenSkill = { located, state, loaded, users: 0, isReplaced: false };
    current.set(located.realDir, one);
    open.add(one);
    return one;
  };
  const closeNow = async (one: OpenSkill): Promise<void> => {
    open.delete(one);
    const loaded = await one.loaded;
    if (loaded.ok) await loaded.close();
  };
  const closeIfIdle = async (one: OpenSkill): Promise<void> => {
    if (one.isReplaced && one.users === 0 && open.has(one)) await closeNow(one);
  };
  const replace = async (dir: string, one: OpenSkill): Promise<void> => {
    if (current.get(dir) === one) current.delete(dir);
    one.isReplaced = true;
    await closeIfIdle(one);
  };
  return {
    async use(located, tool, work) {
      const { skill, realDir } = located;
      for (const [dir, one] of current) if (dir !== realDir && isGone(one.located)) await replace(dir, one);
      const fetched = await fetchLocated(located);
      if (!fetched.ok) return fetched;
      const state = JSON.stringify([located.folder?.stamp() ?? stampFolder(realDir), skill.toolsets]);
      const judged: Outcome = skill.toolsets.length === 0 ? { ok: true } : judge(skill);
      const before = current.get(realDir);
      if (before !== undefined) {
        const loaded = await before.loaded;
        const isUsable = loaded.ok && !loaded.isOver() && (loaded.failures.length === 0 || hasTool(loaded, tool));
        if (!judged.ok || before.state !== state || !isUsable) await replace(realDir, before);
      }
      if (!judged.ok) return judged;
      const one = current.get(realDir) ?? start(located, state);
      one.users += 1;
      try {
        const loaded = await one.loaded;
        return loaded.ok ? await work(loaded) : loaded;
      } finally {
        one.users -= 1;
        await closeIfIdle(one);
      }
    },
    async close() {
      current.clear();
      await Promise.all([...open].map(closeNow));
    },
  };
}

function isGone(located: LocatedSkill): boolean {
  return openJudged(located).state() === 'missing';
}

function hasTool({ tools }: LoadedToolsets, wanted: string | undefined): boolean {
  return tools.some(({ name }) => name === wanted);
}
