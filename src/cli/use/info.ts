import { SEVERITIES } from '../../audit/rules/rule.ts';
import type { AgentFact } from '../../engine/skill-agents.ts';
import { collectFacts, type SkillFacts } from '../../engine/skill-facts.ts';
import { listSome } from '../../model/list-some.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import { plural } from '../../model/plural.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Skill } from '../../model/skill.ts';
import type { SkillReport } from '../../usage/usage-report.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Piece } from '../output/output.ts';
import { printedSkill } from '../output/printed-skill.ts';
import { describeState } from '../output/skill-list.ts';
import { layOutTable, withDate } from '../output/usage-table.ts';
import { describeWithheld } from '../output/withheld.ts';
import { wrap } from '../output/wrap.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const facts = await collectFacts(engine, args[0] ?? '');
  if (!facts.ok) return reportFailure(invocation, facts);
  if (isJson)
    out.json({
      ...facts,
      skill: printedSkill(facts.skill),
      others: facts.others.map(printedSkill),
      usage: facts.usage && withDate(facts.usage),
    });
  else print(facts, invocation);
  return 0;
}

const LABEL_WIDTH = 11;
const MOST_LINES = 4;
const MOST_ITEMS = 8;

function print(facts: SkillFacts, invocation: Invocation): void {
  const { out } = invocation;
  const { skill } = facts;
  const version = skill.defaults?.includes('version') === true ? '' : `  ${skill.version}`;
  out.line({ text: skill.name, style: 'bold' }, version);
  const about = wrap(skill.description.replaceAll(/\s+/g, ' '), out.columns);
  for (const line of about.slice(0, MOST_LINES)) out.line(line);
  if (about.length > MOST_LINES) out.line({ text: '…', style: 'dim' });
  out.line();
  for (const [label, ...pieces] of describe(facts, invocation))
    out.line({ text: label.padEnd(LABEL_WIDTH), style: 'dim' }, ...pieces);
}

type Inspection = NonNullable<SkillFacts['inspection']>;

type Row = readonly [label: string, ...pieces: readonly Piece[]];

function describe(facts: SkillFacts, { sayNext, out }: Invocation): readonly Row[] {
  const { skill, others, inspection, withheld, usage } = facts;
  const { source, dir, origin, status, reasons, requires, tokens, tags, pinned, hidden, creator } = skill;
  const isHeld = origin?.held === true;
  const marks = [
    pinned && 'pinned',
    isHeld && 'on hold',
    hidden && 'hidden from models',
    creator === 'agent' && 'written by an agent',
  ];
  // A disabled skill says so in its reason.
  const why = reasons.length === 0 ? status : describeState(skill, sayNext);
  const state = status === 'disabled' || reasons.length === 0 ? why : `${status}: ${why}`;
  const rows: (Row | undefined)[] = [
    ['Where', `${dir} (${source})`],
    origin && ['From', [showAddress(origin), nameChoice(origin)].filter(Boolean).join('  ')],
    ['State', [state, ...marks.filter((mark) => mark !== false)].join(', ')],
    inspection && ['Trust', describeTrust(inspection, skill)],
    skill.preferredBy && ['Preferred', PREFERRED[skill.preferredBy]],
    ...others.map((other): Row => ['Also in', `${other.dir} (${other.source})`]),
    inspection && ['Files', describeFiles(inspection)],
    ['Tokens', `about ${tokens.toLocaleString('en-US')} in the instructions`],
    requires.length > 0 ? ['Needs', listShort(requires)] : undefined,
    tags.length > 0 ? ['Tags', listShort(tags)] : undefined,
    hasTriggers(skill) ? ['Triggers', describeTriggers(skill)] : undefined,
    inspection && ['Audit', describeAudit(inspection.audit, skill.name)],
    withheld && ['Blocked', describeWithheld(withheld, sayNext)],
    ...describeAgents(facts.agents, { sayNext, out }),
    ['Usage', ...describeUsage(usage, out.columns - LABEL_WIDTH)],
  ];
  return rows.filter((row) => row !== undefined);
}

const PREFERRED = {
  user: 'by your configuration, over the other copies',
  project: "by the project's configuration, over its other copies",
} as const;

function listShort(items: readonly string[]): string {
  return listSome(items, { most: MOST_ITEMS });
}

function describeTrust({ trustedBecause, scripts, toolsets }: Inspection, { name }: Skill): string {
  if (trustedBecause !== undefined) return `trusted: ${trustedBecause}`;
  if (scripts.length === 0 && toolsets.length === 0) return 'not needed: it has no scripts or tools';
  const what = [scripts.length > 0 && 'scripts', toolsets.length > 0 && 'tools'].filter((one) => one !== false);
  const review = `Review it with \`skillplane trust ${quoteWord(name)}\`.`;
  return `not trusted: Skillplane does not run its ${what.join(' and ')} (your agent still can). ${review}`;
}

function describeFiles({ files, scripts, toolsets }: Inspection): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const parts = [
    `${plural(files.length, 'file')}, ${showBytes(bytes)}`,
    scripts.length > 0 && `scripts: ${listShort(scripts)}`,
    toolsets.length > 0 && `toolsets: ${listShort(toolsets)}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

function showBytes(bytes: number): string {
  return bytes < 1000 ? plural(bytes, 'byte') : `${(bytes / 1000).toFixed(1)} kB`;
}

function hasTriggers({ triggers: { keywords, verbs, patterns }, globs }: Skill): boolean {
  return [keywords, verbs, patterns, globs].some((list) => list.length > 0);
}

function describeTriggers({ triggers: { keywords, verbs, patterns }, globs }: Skill): string {
  const parts = Object.entries({ keywords, verbs, patterns, globs })
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}: ${listShort(list)}`);
  return parts.join('; ');
}

function describeAudit(audit: Inspection['audit'], name: string): string {
  const counts = audit.counts;
  const found = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  return found.length === 0 ? 'no findings' : `${found.join(', ')}. Details: \`skillplane audit ${quoteWord(name)}\``;
}

function describeUsage(usage: SkillReport | undefined, columns: number): readonly Piece[] {
  if (usage === undefined || usage.uses === 0) return ['not used yet'];
  const [row = []] = layOutTable([usage], { columns, now: Date.now() });
  // The first two pieces are the name and the gap after it.
  return row.slice(2);
}

/** A row for each agent: whether it has the skill, why not, and the command that changes it. */
function describeAgents(
  agents: readonly AgentFact[],
  { sayNext, out }: Pick<Invocation, 'sayNext' | 'out'>,
): readonly Row[] {
  const width = Math.max(0, ...agents.map(({ title }) => title.length)) + 2;
  const fit = (text: string): readonly string[] => wrap(text, out.columns - LABEL_WIDTH - width);
  return agents.flatMap(({ title, standing, because, next }, at): readonly Row[] => {
    // One that lists a disabled skill has a step, too.
    const isRight = standing === 'described' && next === undefined;
    const state = fit(STANDING_WORDS[standing] + (isRight || because === undefined ? '' : `: ${because}`));
    const step = next === undefined ? [] : fit(`→ ${sayNext(next)}`);
    return [
      ...state.map((line, row): Row => [row + at === 0 ? 'Agents' : '', (row === 0 ? title : '').padEnd(width), line]),
      ...step.map((text): Row => ['', ' '.repeat(width), { text, style: 'cyan' }]),
    ];
  });
}

const STANDING_WORDS: Readonly<Record<AgentFact['standing'], string>> = {
  described: 'has it',
  named: 'has it, by name only',
  hidden: 'hidden',
  lost: 'does not have it',
  unseen: 'does not have it',
};
