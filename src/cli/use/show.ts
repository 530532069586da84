import {
  discoverCommandFiles,
  findDuplicates,
  findOffSources,
  listWarnings,
  readEnvironment,
  type Skills,
} from '../../index.ts';
import { hideAllCredentials } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Skill } from '../../model/skill.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { isOfSource } from '../input/source-filter.ts';
import { openEngine } from '../open-engine.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printSkillList, renderReasons } from '../output/skill-list.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out, renderHint } = invocation;
  const ignored = ['host', 'names', 'all', 'verbose'].find((option) => options.has(option));
  if (options.has('duplicates') && ignored !== undefined)
    throw new WrongUsage(`--${ignored} means nothing with --duplicates`);
  await using engine = await openEngine(invocation);
  const commandFiles = discoverCommandFiles(engine);
  const diagnostics = [...engine.catalog().diagnostics, ...commandFiles.diagnostics];
  const present = options.has('host') ? await listForHost(engine, invocation) : listPresent(engine);
  const unknown = findUnknownSource(engine, options.all('source'));
  if (unknown !== undefined) return reportFailure(invocation, unknown);
  const all = options.has('all') && !options.has('host') ? engine.copies() : present;
  const isWanted = readFilter(invocation);
  if (options.has('duplicates')) return await showDuplicates(engine, isWanted, invocation);
  const listed = all.filter(isWanted);
  if (options.has('names') && !isJson) {
    for (const { name } of listed) out.line(name);
    return 0;
  }
  const trusted = findTrusted(listed, engine.trust);
  const served = await engine.trust.survey(listed);
  if (isJson) {
    const stateOf = (skill: Skill): JsonState => {
      const answer = served.get(skill);
      return { trusted: trusted.get(skill), withheld: answer && !answer.ok };
    };
    out.json({
      // Made one by one while they are written: there may be thousands.
      skills: listed.map((skill) => ({ toJSON: () => toJson(skill, stateOf(skill), renderHint) })),
      diagnostics: diagnostics.map(toJsonDiagnostic),
    });
    return 0;
  }
  const isVerbose = options.has('verbose');
  printSkillList(listed, { out, renderHint, isVerbose, trusted, served });
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
  const { printDuplicates, duplicatesToJson } = await import('../output/duplicates.ts');
  invocation.out.status('Comparing texts');
  const groups = findDuplicates(engine).filter(({ skills }) => skills.some(({ skill }) => isWanted(skill)));
  if (invocation.isJson) invocation.out.json(duplicatesToJson(groups));
  else printDuplicates(groups, invocation);
  return 0;
}

/** The skills in the state that they have for the host. */
async function listForHost(engine: Skills, { options, cwd, env }: Invocation): Promise<readonly Skill[]> {
  // Loaded here alone: a plain list needs none of it.
  const [{ skillsSeenBy, viewHost }, { findHost }] = await Promise.all([
    import('../../hosts.ts'),
    import('../input/find-host.ts'),
  ]);
  const view = viewHost(findHost(options.text('host') ?? ''), readEnvironment({ cwd, env }));
  return skillsSeenBy(view, engine.copies());
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

/** A source that is misspelled would look as if it were empty. */
function findUnknownSource(engine: Skills, sources: readonly string[]): Failure | undefined {
  const { roots, off = [] } = engine.catalog();
  const known = [...new Set([...roots, ...off].map(({ id }) => id))].sort(compareText);
  const unknown = sources.find((wanted) => !known.some((source) => isOfSource({ source }, [wanted])));
  if (unknown === undefined) return undefined;
  if (isOfSource({ source: NPM_SOURCE }, [unknown]))
    return fail(
      'SKILL_NOT_FOUND',
      `"${unknown}" is off, because no npm package may bring skills`,
      'Allow one with `config set npmPackages+=<package>`.',
    );
  return fail('SKILL_NOT_FOUND', `there is no source "${unknown}"; there are ${known.join(', ')}`);
}

/** It exists only for packages that the configuration names. */
const NPM_SOURCE = 'npm-project';

const STATUSES = ['enabled', 'disabled', 'unavailable', 'broken', 'shadowed'] as const;

/** Names known folders whose skills are not used, and how to use them. */
function printOffSources(engine: Skills, { out, renderHint }: Invocation): void {
  for (const { source, path, skills } of findOffSources(engine)) {
    const count = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
    const remedy = renderHint(`\`config set enabledSources+=${source}\` switches it on`);
    out.line({ text: `${count} in ${path}, which is off: ${remedy}`, style: 'dim' });
  }
}

/** Says of each installed skill whether it is trusted. */
function findTrusted(skills: readonly Skill[], trust: Skills['trust']): ReadonlyMap<Skill, boolean> {
  const installed = skills.filter(({ origin }) => origin !== undefined);
  return new Map(installed.map((skill) => [skill, trust.judge(skill).ok]));
}

function printCounts(skills: readonly Skill[], invocation: Invocation): void {
  const { args, out, renderHint } = invocation;
  const counts = STATUSES.map((status) => ({ status, count: skills.filter((skill) => skill.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  const noun = skills.length === 1 ? 'skill' : 'skills';
  if (skills.length > 0) out.line(`${skills.length} ${noun}: ${counts.join(', ')}`);
  else out.line(isFiltered(invocation) ? 'No skill matches.' : 'No skills found.');
  if (skills.length === 0 && args.length > 0)
    out.line(renderHint(`\`search ${quoteWord(hideAllCredentials(args.join(' ')))}\` finds skills by what they do.`));
}

/** Says how many skills carry no mark only because their audits are not known. */
function printUnknown(count: number, { out, renderHint }: Invocation): void {
  if (count === 0) return;
  const skills = count === 1 ? '1 skill was' : `${count} skills were`;
  out.line({ text: renderHint(`${skills} not audited yet: \`audit\` looks at all of them`), style: 'dim' });
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
  if (warnings > 0)
    out.line(`Warnings (${warnings})`, isVerbose ? '' : ': run `skillplane show --verbose` to see them');
}

interface JsonState {
  /** Only of installed skills. */
  readonly trusted: boolean | undefined;
  /** Is its text kept from models because of its audit? Undefined if that is not known yet. */
  readonly withheld: boolean | undefined;
}

/** One literal and no spread: there may be thousands. */
function toJson(skill: Skill, { trusted, withheld }: JsonState, renderHint: Invocation['renderHint']): object {
  const { defaults = [] } = skill;
  return {
    id: skill.id,
    name: skill.name,
    title: skill.title,
    description: skill.description,
    brief: skill.brief,
    version: defaults.includes('version') ? undefined : skill.version,
    domain: defaults.includes('domain') ? undefined : skill.domain,
    tags: skill.tags,
    tokens: skill.tokens,
    source: skill.source,
    level: skill.level,
    dir: skill.dir,
    file: skill.file,
    creator: skill.creator,
    producerVersion: skill.producerVersion,
    status: skill.status,
    reasons: renderReasons(skill, renderHint),
    pinned: skill.pinned,
    hidden: skill.hidden,
    requires: skill.requires,
    shadows: skill.shadows,
    shadowedBy: skill.shadowedBy,
    preferredBy: skill.preferredBy,
    origin: skill.origin,
    trusted,
    withheld,
  };
}

function toJsonDiagnostic({ code, severity, path, message, line, field }: Diagnostic): object {
  return { code, severity, path, message, line, field };
}
