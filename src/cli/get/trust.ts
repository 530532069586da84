import { AUDIT_ADVICE, summariseAudit } from '../../audit/summary.ts';
import { listOfSources } from '../../catalog/of-source.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { TrustInspection } from '../../engine/skill-trust.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { decline, isAsking, isConsented, readAllowed, reportNames, type NamedOutcome } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { printFindings, printMentions, printPart } from '../output/audit-table.ts';
import { CONSENT, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printedSkill } from '../output/printed-skill.ts';

/** Shows skills, asks once, and trusts them: one skill in full, several with a summary of each audit. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const sources = options.all('source');
  const isList = sources.length > 0 || args.length > 1;
  if (!isList && args.length === 0) throw new WrongUsage('trust takes the names of skills, or --source');
  const allow = readAllowed(options);
  await using engine = await openEngine(invocation);
  const found = listOfSources(engine.catalog(), sources);
  if (!found.ok) return reportFailure(invocation, found);
  const names = [...new Set([...args, ...found.names])];
  if (options.has('revoke')) return await reportNames(invocation, revokeAll(engine, names), { isList });
  const looks: Look[] = [];
  for (const name of names) looks.push({ name, inspected: await engine.trust.inspect(name) });
  const open = looks.flatMap(({ inspected }) =>
    inspected.ok && inspected.trustedBecause === undefined ? [inspected] : [],
  );
  const isSure = options.has('yes') || open.length === 0;
  if (!isJson && !(isSure && options.has('quiet'))) printLooks(looks, isList, out);
  const those = isList
    ? `these versions of ${plural(open.length, 'skill')}`
    : `this version of ${open[0]?.skill.name ?? ''}`;
  if (!isSure && !(await isConsented(invocation, `Trust ${those}?`))) {
    if (isAsking(invocation)) return decline(invocation, `${describeRefusal(open, isList)}.`);
    const refusal = fail('NOT_TRUSTED', describeRefusal(open, isList), CONSENT);
    if (!isJson) return reportFailure(invocation, refusal);
    out.json({ ...refusal, advice: AUDIT_ADVICE, skills: open.map(printedLook) });
    return 1;
  }
  // An interactive yes accepts the findings that were shown; `--yes` does not.
  const accepted = options.has('yes') ? allow : undefined;
  return await reportNames(invocation, grantAll(engine, looks, accepted), { isList });
}

/** A skill, and what a person should know before trusting it. */
interface Look {
  readonly name: string;
  readonly inspected: Outcome<TrustInspection>;
}

function describeRefusal(open: readonly TrustInspection[], isList: boolean): string {
  const [first] = open;
  if (!isList && first !== undefined) return `${first.skill.name} is still not trusted`;
  return `${plural(open.length, 'skill is', 'skills are')} still not trusted`;
}

async function* revokeAll(engine: Skills, names: readonly string[]): AsyncGenerator<NamedOutcome> {
  for (const name of names) {
    const revoked = await engine.trust.revoke(name);
    if (!revoked.ok) {
      yield { name, outcome: revoked };
      continue;
    }
    const { wasTrusted } = revoked;
    const line = wasTrusted ? `${name} is no longer trusted.` : `${name} is not trusted.`;
    yield { name, outcome: { ok: true, result: { name, wasTrusted }, lines: [line] } };
  }
}

/** `accepted`: rules whose findings are allowed; undefined allows every rule that was found. */
async function* grantAll(
  engine: Skills,
  looks: readonly Look[],
  accepted: readonly string[] | undefined,
): AsyncGenerator<NamedOutcome> {
  for (const { name, inspected } of looks) {
    if (!inspected.ok) {
      yield { name, outcome: inspected };
      continue;
    }
    const { skill, digest, refused, trustedBecause } = inspected;
    const allow = accepted ?? refused.map(({ rule }) => rule);
    const granted = trustedBecause === undefined ? await engine.trust.grant(skill.name, digest, { allow }) : inspected;
    const line =
      trustedBecause === undefined
        ? `Trusted ${skill.name}. Any change to its files ends the trust.`
        : `${skill.name} is already trusted: ${trustedBecause}.`;
    const done = { ok: true as const, result: printedLook(inspected), lines: [line] };
    yield { name: skill.name, outcome: granted.ok ? done : granted };
  }
}

function printedLook({ skill, ...look }: TrustInspection): object {
  return { name: skill.name, skill: printedSkill(skill), ...look };
}

function printLooks(looks: readonly Look[], isList: boolean, out: Output): void {
  const known = looks.flatMap(({ inspected }) => (inspected.ok ? [inspected] : []));
  if (!isList) for (const inspection of known) printInspection(inspection, out);
  if (!isList) return;
  const open = known.filter(({ trustedBecause }) => trustedBecause === undefined);
  for (const inspection of open) printSummary(inspection, out);
  if (open.length > 0) out.line({ text: AUDIT_ADVICE, style: 'dim' });
  const rest = known.length - open.length;
  if (rest > 0) out.line(`${plural(rest, 'skill is', 'skills are')} already trusted.`);
}

function printInspection(
  { skill, realDir, digest, files, scripts, toolsets, audit }: TrustInspection,
  out: Output,
): void {
  out.line({ text: skill.name, style: 'bold' }, `  ${skill.source}  ${skill.dir}`);
  if (realDir !== skill.dir) out.line(`A link to ${realDir}, the folder that you trust.`);
  out.line({ text: digest, style: 'dim' });
  const sizes = files.map(({ path, size }) => `${path} (${size} bytes)`);
  printPart('Files', sizes, out);
  printPart('Scripts it can run if you trust it', scripts, out);
  printPart('Tools it can load if you trust it', toolsets, out);
  printMentions(audit, out);
  printFindings(audit, out);
  out.line(AUDIT_ADVICE);
}

const MAX_LINES = 3;

function printSummary({ skill, files, audit, refused }: TrustInspection, out: Output): void {
  const { verdict, lines, more, scripts, programs } = summariseAudit(audit, { lines: MAX_LINES });
  const contents = [
    plural(files.length, 'file'),
    ...(scripts > 0 ? [plural(scripts, 'script')] : []),
    ...(programs > 0 ? [plural(programs, 'program')] : []),
  ];
  out.line({ text: skill.name, style: 'bold' }, `  ${skill.source}  ${contents.join(', ')}  audit: ${verdict}`);
  for (const line of lines) out.line('  ', { text: fitToWidth(line, out.columns - 2), style: 'yellow' });
  if (more > 0) out.line('  ', `and ${more} more; \`skillplane audit\` lists all`);
  if (refused.length > 0) out.line('  ', { text: 'needs your approval because of this audit', style: 'red' });
}
