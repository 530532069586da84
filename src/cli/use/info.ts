import { countFindings, SEVERITIES } from '../../audit.ts';
import { HOST_IDS, HOSTS, indexFiles, reportHost, type SeenSkill } from '../../hosts.ts';
import type { Skill, SkillReport, Skills, TrustInspection } from '../../index.ts';
import { listSome } from '../../model/list-some.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import type { Failure } from '../../model/outcome.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { auditToJson } from '../output/audit-table.ts';
import { reportFailure } from '../output/failure.ts';
import type { Piece } from '../output/output.ts';
import { renderReasons } from '../output/skill-list.ts';
import { layOutTable } from '../output/usage-table.ts';
import { describeWithheld, findWithheld } from '../output/withheld.ts';
import { wrap } from '../output/wrap.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const found = engine.find(args[0] ?? '');
  if (!found.ok) return reportFailure(invocation, found);
  const facts = await collect(engine, found.skill);
  if (isJson) out.json({ ok: true, ...toJson(facts) });
  else print(facts, invocation);
  return 0;
}

interface Facts {
  readonly skill: Skill;
  /** Other copies with this name. */
  readonly others: readonly Skill[];
  /** Undefined for a broken skill. */
  readonly inspection: TrustInspection | undefined;
  /** Why models are not given its text. */
  readonly withheld: Failure | undefined;
  readonly usage: SkillReport | undefined;
  /** How each agent program on this machine treats it. */
  readonly agents: readonly AgentView[];
}

interface AgentView {
  readonly title: string;
  readonly standing: SeenSkill['standing'] | 'not seen';
  readonly because: string | undefined;
}

function viewAgents({ environment }: Skills, { file }: Skill): readonly AgentView[] {
  return HOST_IDS.map((id) => reportHost(HOSTS[id], environment))
    .filter(({ isPresent }) => isPresent)
    .map(({ host, view }) => {
      const seen = indexFiles(view)(file);
      return { title: host.title, standing: seen?.standing ?? 'not seen', because: seen?.because };
    });
}

async function collect(engine: Skills, skill: Skill): Promise<Facts> {
  const inspected = skill.status === 'broken' ? undefined : await engine.trust.inspect(skill.name);
  const reported = await engine.usageReport({ skill: skill.name });
  return {
    skill,
    others: engine.copies().filter((copy) => copy.name === skill.name && copy.file !== skill.file),
    inspection: inspected?.ok === true ? inspected : undefined,
    withheld: await findWithheld(engine, skill),
    usage: reported.ok ? reported.report?.skills.find(({ name }) => name === skill.name) : undefined,
    agents: viewAgents(engine, skill),
  };
}

function toJson({ skill, others, inspection, withheld, usage, agents }: Facts): object {
  const { stamp: _stamp, shadows: _shadows, ...own } = skill;
  return {
    skill: own,
    hides: others.map(({ source, file, status }) => ({ source, file, status })),
    trusted: inspection?.trustedBecause ?? null,
    digest: inspection?.digest ?? null,
    files: inspection?.files ?? [],
    scripts: inspection?.scripts ?? [],
    toolsets: inspection?.toolsets ?? [],
    audit: inspection === undefined ? null : auditToJson(inspection.audit),
    withheld: withheld !== undefined,
    agents: agents.map(({ because, ...agent }) => ({ ...agent, because: because ?? null })),
    usage: usage === undefined ? null : { ...usage, lastUsed: toIso(usage.lastUsed) },
  };
}

function toIso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

const LABEL_WIDTH = 11;
const MOST_LINES = 4;
const MOST_ITEMS = 8;

function print(facts: Facts, invocation: Invocation): void {
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

type Row = readonly [label: string, ...pieces: readonly Piece[]];

function describe(facts: Facts, { renderHint, out }: Invocation): readonly Row[] {
  const { skill, others, inspection, withheld, usage } = facts;
  const { source, dir, origin, status, reasons, requires, tokens, tags, pinned, hidden, creator } = skill;
  const isHeld = origin?.held === true;
  const marks = [
    pinned && 'pinned',
    isHeld && 'held',
    hidden && 'hidden from models',
    creator === 'agent' && 'written by an agent',
  ];
  const state = [status, ...marks.filter((mark) => mark !== false)].join(', ');
  const rows: (Row | undefined)[] = [
    ['Where', `${dir} (${source})`],
    origin && ['From', [showAddress(origin), nameChoice(origin)].filter(Boolean).join('  ')],
    ['State', reasons.length === 0 ? state : `${state}: ${renderReasons(skill, renderHint).join('; ')}`],
    inspection && ['Trust', describeTrust(inspection, renderHint)],
    skill.preferredBy && ['Preferred', PREFERRED[skill.preferredBy]],
    ...others.map((other): Row => ['Hides', `${other.file} (${other.source})`]),
    inspection && ['Files', describeFiles(inspection)],
    ['Tokens', `about ${tokens} for the instructions`],
    requires.length > 0 ? ['Needs', listShort(requires)] : undefined,
    tags.length > 0 ? ['Tags', listShort(tags)] : undefined,
    hasTriggers(skill) ? ['Triggers', describeTriggers(skill)] : undefined,
    inspection && ['Audit', describeAudit(inspection.audit, skill.name, renderHint)],
    withheld && ['Withheld', describeWithheld(withheld, renderHint)],
    facts.agents.length > 0 ? ['Agents', describeAgents(facts.agents)] : undefined,
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

function describeTrust({ trustedBecause, skill }: TrustInspection, renderHint: Invocation['renderHint']): string {
  return trustedBecause === undefined
    ? renderHint(`Not trusted, so nothing of it runs; \`trust ${quoteWord(skill.name)}\` shows what it brings.`)
    : `trusted: ${trustedBecause}`;
}

function describeFiles({ files, scripts, toolsets }: TrustInspection): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const parts = [
    `${files.length}, ${bytes} bytes in all`,
    scripts.length > 0 && `scripts: ${listShort(scripts)}`,
    toolsets.length > 0 && `toolsets: ${listShort(toolsets)}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
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

function describeAudit(audit: TrustInspection['audit'], name: string, renderHint: Invocation['renderHint']): string {
  const counts = countFindings(audit);
  const found = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  );
  return found.length === 0
    ? 'no findings'
    : renderHint(`${found.join(', ')}; \`audit ${quoteWord(name)}\` explains them.`);
}

function describeUsage(usage: SkillReport | undefined, columns: number): readonly Piece[] {
  if (usage === undefined || usage.uses === 0) return ['not used yet'];
  const [row = []] = layOutTable([usage], { columns, now: Date.now() });
  // The first two pieces are the name and the gap after it.
  return row.slice(2);
}

/** Which agents see it, and why others do not. */
function describeAgents(agents: readonly AgentView[]): string {
  const seen = agents.filter(({ standing }) => standing === 'described' || standing === 'named');
  const elsewhere = agents.filter(({ standing }) => standing === 'not seen').map(({ title }) => title);
  const parts = [
    seen.length === 0 ? 'none sees it' : `seen by ${seen.map(({ title }) => title).join(', ')}`,
    ...(elsewhere.length === 0
      ? []
      : [`${elsewhere.join(', ')} ${elsewhere.length === 1 ? 'does' : 'do'} not look there`]),
    ...agents
      .filter((agent) => !seen.includes(agent) && agent.standing !== 'not seen')
      .map(({ title, standing, because }) => `${standing} in ${title}${because === undefined ? '' : ` (${because})`}`),
  ];
  return parts.join('; ');
}
