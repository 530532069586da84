import {
  AUDIT_ADVICE,
  auditSkills,
  type AuditedSkills,
  type AuditSeverity,
  countFindings,
  isAtLeast,
  renderSarif,
  SEVERITIES,
} from '../../audit.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { auditToJson, printAudits } from '../output/audit-table.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, isJson, out } = invocation;
  const [target = ''] = args;
  const isSarif = options.has('sarif');
  const failOn = options.oneOf('failOn', SEVERITIES);
  if (isJson && isSarif) throw new WrongUsage('--json and --sarif exclude each other');
  const audited = await auditSkills(target, {
    cwd,
    open: () => openEngine(invocation),
    skills: options.all('skill'),
    ref: options.text('ref'),
    useGitCredentials: options.has('useGitCredentials'),
  });
  if (!audited.ok) return reportFailure({ ...invocation, isJson: isJson || isSarif }, audited);
  const refusal = failOn === undefined ? undefined : refuse(audited, failOn);
  if (isSarif) out.json(renderSarif(audited.audits));
  else if (isJson) out.json(toJson(audited, refusal));
  else printAudits(audited, out);
  if (!isJson) printNotes(audited, invocation);
  if (refusal !== undefined && !isJson) out.error({ text: 'skillplane: ', style: 'red' }, refusal.message);
  return refusal === undefined ? 0 : 1;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

function refuse({ audits }: AuditedSkills, failOn: AuditSeverity): Refusal | undefined {
  const grave = SEVERITIES.filter((severity) => isAtLeast(severity, failOn));
  const counts = audits.map(countFindings);
  const count = grave.reduce((sum, severity) => counts.reduce((inner, one) => inner + one[severity], sum), 0);
  if (count === 0) return undefined;
  return { code: 'FINDINGS', message: `${count} ${count === 1 ? 'finding is' : 'findings are'} ${failOn} or worse` };
}

function printNotes({ notices, diagnostics }: AuditedSkills, { out }: Invocation): void {
  for (const notice of notices) out.note(notice);
  for (const diagnostic of diagnostics) if (diagnostic.severity !== 'info') out.note(...diagnosticLine(diagnostic));
}

/** Every finding has the same keys. Callers that show findings to people should show the advice, too. */
function toJson({ origin, commit = null, notices, diagnostics, audits }: SuccessfulAudit, refusal?: Refusal): object {
  const answer = { ok: refusal === undefined, ...refusal, advice: AUDIT_ADVICE, origin, commit, notices, diagnostics };
  return { ...answer, audits: audits.map(({ name, path, ...audit }) => ({ name, path, ...auditToJson(audit) })) };
}

type SuccessfulAudit = Omit<AuditedSkills, 'commit'> & { readonly commit?: string | null | undefined };
