import { listWarnings } from '../../catalog/catalog.ts';
import { findUnknownSource, isOfSource } from '../../catalog/of-source.ts';
import { findOffSources } from '../../catalog/off-sources.ts';
import { isSpare } from '../../catalog/state.ts';
import type { listHaving } from '../../engine/agents-having.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { hideAllCredentials } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { commandOf } from '../../model/next-step.ts';
import { plural } from '../../model/plural.ts';
import type { Skill } from '../../model/skill.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { findDuplicates } from '../../select/find-duplicates.ts';
import { discoverCommandFiles } from '../../sources/command-files.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printedSkill } from '../output/printed-skill.ts';
import { printSkillList } from '../output/skill-list.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out, sayNext } = invocation;
  const ignored = ['agent', 'names', 'all', 'verbose'].find((option) => options.has(option));
  if (options.has('duplicates') && ignored !== undefined)
    throw new WrongUsage(`--${ignored} does not work with --duplicates`);
  await using engine = await openEngine(invocation);
  const commandFiles = discoverCommandFiles(engine);
  const diagnostics = [...engine.catalog().diagnostics, ...commandFiles.diagnostics];
  const present = options.has('agent') ? await listForHost(engine, invocation) : listPresent(engine);
  const unknown = findUnknownSource(engine.catalog(), options.all('source'));
  if (unknown !== undefined) return reportFailure(invocation, unknown);
  const all = options.has('all') && !options.has('agent') ? engine.copies() : present;
  const isWanted = readFilter(invocation);
  if (options.has('duplicates')) return await showDuplicates(engine, isWanted, invocation);
  const listed = all.filter(isWanted);
  if (options.has('names') && !isJson) {
    for (const { name } of listed) out.line(name);
    return 0;
  }
  const trusted = findTrusted(listed, engine.trust);
  const served = await engine.trust.survey(listed);
  const agents = options.has('agent') ? undefined : await findAgents(engine);
  if (isJson) {
    const skills = listed.map((skill) => {
      const answer = served.get(skill);
      const having = agents?.get(skill)?.map(({ id }) => id);
      return { ...printedSkill(skill), trusted: trusted.get(skill), withheld: answer && !answer.ok, agents: having };
    });
    out.json({ ok: true, skills, diagnostics });
    return 0;
  }
  const isVerbose = options.has('verbose');
  const titles = agents && new Map([...agents].map(([skill, hosts]) => [skill, hosts.map(({ title }) => title)]));
  const isForAgent = options.has('agent');
  const problems = isForAgent ? 'Not in this agent' : 'Problems';
  const isUnneeded = (skill: Skill): boolean => !isForAgent && isSpare(skill);
  printSkillList(listed, { out, sayNext, isVerbose, trusted, served, agents: titles, isSpare: isUnneeded, problems });
  printCounts(present.filter(isWanted), invocation);
  printUnknown(listed.filter((skill) => skill.status !== 'broken' && !served.has(skill)).length, invocation);
  if (!isFiltered(invocation)) printOffSources(engine, invocation);
  const warnings = listWarnings({ ...engine.catalog(), diagnostics }).length;
  if (!isFiltered(invocation) || listed.length > 0) printWarnings(diagnostics, { warnings, out, isVerbose });
  return 0;
}

/** Lists the groups of duplicates in which at least one skill is wanted. */
async function showDuplicates(
  engine: Skills,
  isWanted: (skill: Skill) => boolean,
  invocation: Invocation,
): Promise<ExitCode> {
  const { printDuplicates, printedGroup } = await import('../output/duplicates.ts');
  invocation.out.status('Comparing texts');
  const groups = findDuplicates(engine).filter(({ skills }) => skills.some(({ skill }) => isWanted(skill)));
  if (invocation.isJson) invocation.out.json({ ok: true, duplicates: groups.map(printedGroup) });
  else printDuplicates(groups, invocation);
  return 0;
}

/** The agents that have each skill; undefined without agents on this machine. */
async function findAgents(engine: Skills): Promise<ReturnType<typeof listHaving>> {
  const { listHaving } = await import('../../engine/agents-having.ts');
  return listHaving(engine.catalog(), engine.environment);
}

/** The skills in the state that they have for the host. */
async function listForHost(engine: Skills, { options, cwd, env }: Invocation): Promise<readonly Skill[]> {
  // Loaded only here: a plain list does not need it.
  const [{ listSkillsFor }, { viewHost }, { readHost }] = await Promise.all([
    import('../../engine/skill-agents.ts'),
    import('../../hosts/seeing/view-host.ts'),
    import('../input/host-argument.ts'),
  ]);
  const view = viewHost(readHost(options.text('agent') ?? ''), readEnvironment({ cwd, env }));
  return listSkillsFor(view, engine);
}

/** The catalog's skills, and every broken copy: a working copy may stand in for it, but its user should know. */
function listPresent(engine: Skills): readonly Skill[] {
  const catalog = engine.catalog();
  if (catalog.shadowed.every(({ status }) => status !== 'broken')) return catalog.skills;
  return engine.copies().filter(({ status, shadowedBy }) => shadowedBy === undefined || status === 'broken');
}

/** The skills that the filter and the options ask for. */
function readFilter({ args, options }: Invocation): (skill: Skill) => boolean {
  const words = args.map((word) => word.toLowerCase());
  const sources = options.all('source');
  const status = options.oneOf('status', STATUSES);
  const holds = ({ name, id, description, tags }: Skill, word: string): boolean =>
    [name, id, description, ...tags].some((text) => text.toLowerCase().includes(word));
  return (skill) =>
    words.every((word) => holds(skill, word)) &&
    (sources.length === 0 || isOfSource(skill, sources)) &&
    (status === undefined || skill.status === status) &&
    (!options.has('byAgents') || skill.creator === 'agent');
}

/** Does the caller want only some of the skills? */
function isFiltered({ args, options }: Invocation): boolean {
  return args.length > 0 || ['source', 'status', 'byAgents'].some((option) => options.has(option));
}

const STATUSES = ['enabled', 'disabled', 'unavailable', 'broken', 'shadowed'] as const;

/** Names known folders whose skills are not used, and how to use them. */
function printOffSources(engine: Skills, { out }: Invocation): void {
  for (const { source, path, skills } of findOffSources(engine)) {
    const count = plural(skills.length, 'skill');
    const command = commandOf({ set: 'enabledSources', add: source });
    out.line({
      text: `${count} in ${path} (folder turned off). Turn it on with \`skillplane ${command}\`.`,
      style: 'dim',
    });
  }
}

/** Says of each installed skill whether it is trusted. */
function findTrusted(skills: readonly Skill[], trust: Skills['trust']): ReadonlyMap<Skill, boolean> {
  const installed = skills.filter(({ origin }) => origin !== undefined);
  return new Map(installed.map((skill) => [skill, trust.judge(skill).ok]));
}

function printCounts(skills: readonly Skill[], invocation: Invocation): void {
  const { args, out, sayNext } = invocation;
  const counts = STATUSES.map((status) => ({ status, count: skills.filter((skill) => skill.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  if (skills.length > 0) out.line(`${plural(skills.length, 'skill')}: ${counts.join(', ')}`);
  else out.line(isFiltered(invocation) ? 'No skill matches.' : NO_SKILLS);
  if (skills.length === 0 && args.length > 0)
    out.line(sayNext({ do: 'search', query: hideAllCredentials(args.join(' ')) }));
}

const NO_SKILLS =
  'No skills found. Install some with `skillplane install owner/repo`, or create one with `skillplane new my-skill`.';

/** Says how many skills have no known audit, and explains their mark. */
function printUnknown(count: number, { out }: Invocation): void {
  if (count === 0) return;
  const skills = plural(count, 'skill has', 'skills have');
  out.line({
    text: `? ${skills} not been audited yet. Audit ${count === 1 ? 'it' : 'them'} with \`skillplane audit\`.`,
    style: 'dim',
  });
}

interface WarningOptions {
  readonly warnings: number;
  readonly out: Output;
  readonly isVerbose: boolean;
}

function printWarnings(diagnostics: readonly Diagnostic[], { warnings, out, isVerbose }: WarningOptions): void {
  const shown = isVerbose ? diagnostics : [];
  if (shown.length > 0) out.line();
  for (const diagnostic of shown) out.line(...diagnosticLine(diagnostic));
  if (warnings === 0) return;
  const those = warnings === 1 ? 'it' : 'them';
  out.line(`${plural(warnings, 'warning')}.`, isVerbose ? '' : ` See ${those} with \`skillplane show --verbose\`.`);
}
