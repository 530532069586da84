import { discoverCommandFiles, listWarnings, type Skills } from '../../index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Skill, SkillStatus } from '../../model/skill.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import type { Output, Piece } from '../output/output.ts';
import { displayWidth, fitToWidth } from '../output/width.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out, renderHint } = invocation;
  await using engine = await openEngine(invocation);
  const commandFiles = await discoverCommandFiles(engine);
  const diagnostics = [...engine.catalog().diagnostics, ...commandFiles.diagnostics];
  const present = listPresent(engine);
  const all = options.has('all') ? engine.copies() : present;
  const listed = options.has('byAgents') ? all.filter(isByAgent) : all;
  const trusted = findTrusted(listed, engine.trust);
  if (isJson) {
    out.json({
      // Made one by one while they are written: there may be thousands.
      skills: listed.map((skill) => ({ toJSON: () => toJson(skill, trusted.get(skill), renderHint) })),
      diagnostics: diagnostics.map(toJsonDiagnostic),
    });
    return 0;
  }
  for (const [group, members] of groupSkills(listed)) {
    out.line({ text: `[${group} Skills]`, style: 'bold' });
    for (const skill of members) printSkill(skill, trusted.get(skill), invocation);
    out.line();
  }
  printCounts(options.has('byAgents') ? listed : present, out);
  const warnings = listWarnings({ ...engine.catalog(), diagnostics }).length;
  printWarnings(diagnostics, { warnings, out, isVerbose: options.has('verbose') });
  return 0;
}

/** The catalog's skills, and every broken copy: a working copy may stand in for it, but its user should know. */
function listPresent(engine: Skills): readonly Skill[] {
  const { skills, shadowed } = engine.catalog();
  if (shadowed.every(({ status }) => status !== 'broken')) return skills;
  return engine.copies().filter(({ status, shadowedBy }) => shadowedBy === undefined || status === 'broken');
}

function isByAgent({ creator }: Skill): boolean {
  return creator === 'agent';
}

/** Says of each installed skill whether it is trusted. */
function findTrusted(skills: readonly Skill[], trust: Skills['trust']): ReadonlyMap<Skill, boolean> {
  const installed = skills.filter(({ origin }) => origin !== undefined);
  return new Map(installed.map((skill) => [skill, trust.judge(skill).ok]));
}

const SYMBOLS: Readonly<Record<SkillStatus, Piece>> = {
  enabled: { text: '✓', style: 'green' },
  disabled: { text: '○', style: 'dim' },
  unavailable: { text: '✗', style: 'red' },
  broken: { text: '✗', style: 'red' },
};

/** The order of the well-known groups. Others follow by name, then the project's. */
const GROUP_ORDER = ['Bundled', 'Plugin', 'User', 'Agents', 'Claude', 'Claude Plugin', 'Codex'];

function groupSkills(skills: readonly Skill[]): readonly (readonly [string, readonly Skill[]])[] {
  const groups = Object.entries(Object.groupBy(skills, (skill) => skill.group));
  const rank = (group: string): number => {
    const index = GROUP_ORDER.indexOf(group);
    if (group === 'Project') return GROUP_ORDER.length + 1;
    return index === -1 ? GROUP_ORDER.length : index;
  };
  return groups
    .map(([group, members]) => [group, members ?? []] as const)
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const INDENT = '      ';

function printSkill(skill: Skill, isTrusted: boolean | undefined, { out, renderHint }: Invocation): void {
  const isShown = skill.shadowedBy === undefined || skill.status === 'broken';
  const state = isShown ? `(${skill.status})` : '(shadowed)';
  const room = out.columns - INDENT.length - displayWidth(state) - 1;
  const description = fitToWidth(describe(skill), Math.max(10, room));
  const symbol = isShown ? SYMBOLS[skill.status] : { text: '·', style: 'dim' as const };
  const mark = isByAgent(skill) ? '  written by an agent' : '';
  out.line('  ', symbol, ' ', { text: skill.name, style: 'bold' }, { text: mark, style: 'dim' });
  out.line(INDENT, description === '' ? '' : `${description} `, { text: state, style: 'dim' });
  if (skill.origin !== undefined) {
    const { url, ref, commit } = skill.origin;
    const version = [commit?.slice(0, 12), given(skill, 'version')].filter(Boolean).join(', version ');
    const from = `${url}${ref === undefined ? '' : `#${ref}`}  ${version}`;
    out.line(INDENT, { text: `${from}, ${isTrusted === true ? 'trusted' : 'not trusted'}`, style: 'dim' });
  }
  for (const reason of renderReasons(skill, renderHint)) out.line(INDENT, { text: reason, style: 'yellow' });
  if (skill.shadowedBy === undefined) return;
  const standIn = `until then, ${skill.shadowedBy} is used`;
  const text = skill.status === 'broken' ? standIn : `${skill.file} is shadowed by ${skill.shadowedBy}`;
  out.line(INDENT, { text, style: 'dim' });
}

/** The reasons of a broken skill say how to fix it, as a hint does. */
function renderReasons({ status, reasons }: Skill, renderHint: Invocation['renderHint']): readonly string[] {
  return status === 'broken' ? reasons.map(renderHint) : reasons;
}

/** The skill's own brief line if it gives one, else as much of the description as fits. */
function describe({ description, brief }: Skill): string {
  const isDerived = description.startsWith(brief.replace(/…$/, ''));
  return (isDerived ? description : brief).split('\n', 1)[0] ?? '';
}

function printCounts(skills: readonly Skill[], out: Output): void {
  const counts = (['enabled', 'disabled', 'unavailable', 'broken'] as const)
    .map((status) => ({ status, count: skills.filter((skill) => skill.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`);
  const noun = skills.length === 1 ? 'skill' : 'skills';
  out.line(skills.length === 0 ? 'No skills found.' : `${skills.length} ${noun}: ${counts.join(', ')}`);
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

/** The field, if the skill itself sets it. */
function given(skill: Skill, field: 'version' | 'domain'): string | undefined {
  return skill.defaults?.includes(field) === true ? undefined : skill[field];
}

function toJson(skill: Skill, trusted: boolean | undefined, renderHint: Invocation['renderHint']): object {
  const { id, name, title, description, brief, tags, tokens, source, level, dir, file } = skill;
  const version = given(skill, 'version');
  const domain = given(skill, 'domain');
  const { creator, producerVersion, status, pinned, hidden, requires, shadows, shadowedBy, origin } = skill;
  const identity = { id, name, title, description, brief, version, domain, tags, tokens, source, level, dir, file };
  const reasons = renderReasons(skill, renderHint);
  return {
    ...identity,
    creator,
    producerVersion,
    status,
    reasons,
    pinned,
    hidden,
    requires,
    shadows,
    shadowedBy,
    origin,
    trusted,
  };
}

function toJsonDiagnostic({ code, severity, path, message, line, field }: Diagnostic): object {
  return { code, severity, path, message, line, field };
}
