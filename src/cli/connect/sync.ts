import { giveSkills, type GivingPlan } from '../../engine/give-skills.ts';
import type { SyncProblem } from '../../hosts/sync/sync-plan.ts';
import { undoSync, listGiven } from '../../hosts/sync/sync.ts';
import { findAgent, type AgentId } from '../../model/agents.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { givingOptions, sayFull } from '../giving.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { askForAgents } from '../input/choose-agents.ts';
import { WrongUsage } from '../input/options.ts';
import { decline } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import { printPlan, printProblems, printSyncReport } from '../output/sync-report.ts';

/** `skillplane sync [skill...]` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const modes = ['dryRun', 'check', 'undo'].filter((mode) => options.has(mode));
  if (modes.length > 1) throw new WrongUsage('--dry-run, --check and --undo exclude each other');
  if (options.has('undo')) return undo(invocation);
  const words = await readWords(invocation);
  if (!words.ok) return reportFailure(invocation, words);
  const isTrial = options.has('dryRun') || options.has('check');
  const isAsking = !isTrial && !options.has('yes') && !isJson && canAsk(invocation);
  if (isAsking && !(await askForAgents(invocation, openQuestions(invocation)))) return decline(invocation, UNCHANGED);
  const done = await giveSkills(words.skills.length === 0 ? 'all' : words.skills, {
    ...givingOptions(invocation),
    project: options.has('project'),
    copy: options.has('copy'),
    everything: options.has('everything'),
    hosts: words.hosts.length === 0 ? undefined : words.hosts,
    async confirm(plan) {
      if (!isJson && (isTrial || plan.changes.length > 0)) printPlan(plan, out);
      sayFull(plan, invocation);
      return !isTrial && (await isWanted(plan, invocation));
    },
  });
  if (!done.ok) return reportFailure(invocation, done);
  const { given } = done;
  if (given.hosts.length === 0) return reportFailure(invocation, NO_AGENTS);
  // Everyone who works in a project should have the same skills.
  const isFault = ({ kind }: SyncProblem): boolean => kind === 'broken' || (kind === 'taken' && options.has('project'));
  const isDrifted = given.changes.length > 0 || given.problems.some(isFault);
  const code = options.has('check') && isDrifted ? 1 : 0;
  if (isJson) out.json({ ok: code === 0, ...given });
  else if (!isTrial && !given.isDone) out.line(UNCHANGED);
  else {
    printSyncReport(given, isTrial ? (options.has('check') ? 'Out of sync' : 'Would sync') : 'Synced', out);
    if (given.changes.some(({ kind }) => kind === 'copy') && !options.has('copy')) out.note(COPIED);
    printProblems(given.problems, invocation);
  }
  return code;
}

const UNCHANGED = 'Nothing was changed.';
const NO_AGENTS = fail('CONFIG_INVALID', 'no supported agent found on this machine', {
  advice: 'Choose the agents that get your skills with `skillplane agents set <agents>`.',
});
const COPIED =
  'Copied instead of linked: git (core.symlinks=false) or the file system has no links here. Sync again after a change.';

/** Asks where there is somebody to ask. Everything can be undone. */
async function isWanted({ changes }: GivingPlan, invocation: Invocation): Promise<boolean> {
  const { options, isJson } = invocation;
  if (changes.length === 0 || options.has('yes') || isJson || !canAsk(invocation)) return true;
  return openQuestions(invocation).confirm(`Make ${plural(changes.length, 'this change', 'these changes')}?`);
}

interface Words {
  readonly skills: readonly string[];
  readonly hosts: readonly AgentId[];
}

/** A word is the name of a skill, also of one that is gone but was given; else it is an agent. */
async function readWords(invocation: Invocation): Promise<Outcome<Words>> {
  const { args, options, cwd, env } = invocation;
  if (args.length === 0) return { ok: true, skills: [], hosts: [] };
  await using engine = await openEngine(invocation);
  const given = listGiven({ cwd, env, project: options.has('project') });
  const skills: string[] = [];
  const hosts: AgentId[] = [];
  for (const word of args) {
    const found = engine.find(word);
    const agent = findAgent(word);
    if (found.ok) skills.push(found.skill.name);
    else if (given.includes(word)) skills.push(word);
    else if (agent !== undefined) hosts.push(agent);
    else return found;
  }
  return { ok: true, skills, hosts };
}

async function undo(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, env, isJson, out } = invocation;
  if (args.length > 0) throw new WrongUsage('--undo takes no names: it undoes everything');
  const { onWait } = givingOptions(invocation);
  const done = await undoSync({ cwd, env, project: options.has('project'), onWait });
  if (!done.ok) return reportFailure(invocation, done);
  const { report } = done;
  if (isJson) out.json({ ok: true, ...report });
  else if (report.isFirst) out.line('Nothing to undo.');
  else {
    out.line(`Undid ${plural(report.changes.length, 'change')}.`);
    printProblems(report.problems, invocation);
  }
  return report.problems.length === 0 ? 0 : 1;
}
