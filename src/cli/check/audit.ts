import { AUDIT_ADVICE, type AuditSeverity, countFindings, isAtLeast, renderSarif, SEVERITIES } from '../../audit.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { auditToJson, printAudits, printManyAudits } from '../output/audit-table.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import { auditTargets, toPlaces, type AuditedTargets } from './audit-targets.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const isSarif = options.has('sarif');
  const failOn = options.oneOf('failOn', SEVERITIES);
  if (isJson && isSarif) throw new WrongUsage('--json and --sarif exclude each other');
  const audited = await auditTargets(invocation);
  if (!audited.ok) return reportFailure({ ...invocation, isJson: isJson || isSarif }, audited);
  const refusal = failOn === undefined ? undefined : refuse(audited, failOn);
  if (isSarif) out.json(renderSarif(toPlaces(audited)));
  else if (isJson) out.json(toJson(audited, refusal));
  else if (audited.origin === undefined) printManyAudits(audited.audits, out);
  else printAudits({ ...audited, origin: audited.origin }, out);
  if (!isJson) printNotes(audited, invocation);
  if (refusal !== undefined && !isJson) out.error({ text: 'skillplane: ', style: 'red' }, refusal.message);
  return refusal === undefined ? 0 : 1;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

function refuse({ audits }: AuditedTargets, failOn: AuditSeverity): Refusal | undefined {
  const grave = SEVERITIES.filter((severity) => isAtLeast(severity, failOn));
  const counts = audits.map(countFindings);
  const count = grave.reduce((sum, severity) => counts.reduce((inner, one) => inner + one[severity], sum), 0);
  if (count === 0) return undefined;
  return { code: 'FINDINGS', message: `${count} ${count === 1 ? 'finding is' : 'findings are'} ${failOn} or worse` };
}

function printNotes({ notices, diagnostics }: AuditedTargets, { out }: Invocation): void {
  for (const notice of notices) out.note(notice);
  for (const diagnostic of diagnostics) if (diagnostic.severity !== 'info') out.note(...diagnosticLine(diagnostic));
}

/** Every finding has the same keys. Callers that show findings to people should show the advice, too. */
function toJson(audited: AuditedTargets, refusal?: Refusal): object {
  const { origin = null, commit = null, notices, diagnostics, audits } = audited;
  const answer = { ok: refusal === undefined, ...refusal, advice: AUDIT_ADVICE, origin, commit, notices, diagnostics };
  return { ...answer, audits: audits.map(({ name, path, ...audit }) => ({ name, path, ...auditToJson(audit) })) };
}
