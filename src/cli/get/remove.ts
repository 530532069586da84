import { readSkillAgents } from '../../engine/skill-agents.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import { forEachName, isAsking, isConsented, openManaged } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { joinNames } from '../output/agent-facts.ts';
import { CONSENT } from '../output/failure.ts';

/** `remove`: the skill, and its links in the folders of agents. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const installer = openManaged(invocation);
  const dryRun = invocation.options.has('dryRun');
  return forEachName(invocation, async (name) => {
    const found = await installer.find(name);
    if (!found.ok) return found.code === 'SKILL_NOT_FOUND' ? explainForeign(invocation, name, found) : found;
    const { dir, skill } = found.plugin;
    const own = skill?.name ?? name;
    const titles = await listHaving(invocation, own);
    const owners = joinNames(titles);
    if (dryRun) {
      const line = `Would remove ${name}: ${dir}, its entry in the lock file, its settings and its links.`;
      return { ok: true, result: { name, dir, dryRun, agents: titles }, lines: [line] };
    }
    const question = owners === '' ? `Remove ${name}?` : `Remove ${name}? ${owners} will lose it.`;
    if (!(await isConsented(invocation, question, true))) {
      if (isAsking(invocation)) return { ok: true, result: { name }, lines: ['Nothing removed.'] };
      return fail('INSTALL_FAILED', `${name} was not removed`, CONSENT);
    }
    const removed = await installer.remove(name);
    if (!removed.ok) return removed;
    const project = invocation.options.has('project');
    const taken = await give(invocation, [own], { project, choose: { how: 'default' } });
    if (!taken.ok) return taken;
    const still = taken.given.skills.length > 0 ? [] : titles;
    const rest = still.length === 0 ? '' : ` ${owners} no longer ${still.length === 1 ? 'has' : 'have'} it.`;
    return { ok: true, result: { name, dir, agents: still }, lines: [`Removed ${name}.${rest}`] };
  });
}

/** Nobody could install again what only lies in a folder, so it is left to the person. */
async function explainForeign(invocation: Invocation, name: string, failure: Failure): Promise<Failure> {
  await using engine = await openEngine(invocation);
  const found = engine.find(name);
  if (!found.ok || found.skill.origin !== undefined) return failure;
  const { dir, source } = found.skill;
  const off: NextStep = { do: 'disable', skill: name };
  if (source === 'bundled') return fail(failure.code, `${name} comes with Skillplane`, off);
  return fail(failure.code, `Skillplane did not install ${name}; it is in ${dir}`, {
    either: [off, { moveAway: dir }],
  });
}

/** The agents that have a skill. */
async function listHaving(invocation: Invocation, name: string): Promise<readonly string[]> {
  await using engine = await openEngine(invocation);
  const [facts] = await readSkillAgents(engine.catalog(), engine.environment, { names: [name] });
  return (facts?.agents ?? []).filter(({ has }) => has).map(({ title }) => title);
}
