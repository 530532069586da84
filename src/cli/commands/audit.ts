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
import { openSkills, type SkillCatalog } from '../../index.ts';
import { auditToJson, printAudits } from '../audit-table.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { diagnosticLine, reportConfigTrouble } from '../diagnostics.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, flags, values, cwd, isJson, out } = invocation;
  const [target = ''] = args;
  const isSarif = flags.has('sarif');
  const limit = values.get('failOn')?.at(-1);
  const failOn = SEVERITIES.find((severity) => severity === limit);
  if (limit !== undefined && failOn === undefined)
    return reportUsage(invocation, `--fail-on takes ${SEVERITIES.join(', ')}, not "${limit}"`);
  if (isJson && isSarif) return reportUsage(invocation, '--json and --sarif are two answers: ask for one');
  const open = async (): Promise<SkillCatalog> => {
    const skills = await openSkills({ cwd });
    reportConfigTrouble(skills.catalog().diagnostics, out);
    return skills;
  };
  const audited = await auditSkills(target, {
    cwd,
    open,
    skills: values.get('skill') ?? [],
    ref: values.get('ref')?.at(-1),
    useGitCredentials: flags.has('useGitCredentials'),
  });
  if (!audited.ok) return reportFailure({ out, isJson: isJson || isSarif }, audited);
  const refusal = failOn === undefined ? undefined : refuse(audited, failOn);
  if (isSarif) out.json(renderSarif(audited.audits));
  else if (isJson) out.json(toJson(audited, refusal));
  else printAudits(audited, out);
  if (!isJson) printNotes(audited, invocation);
  if (refusal !== undefined && !isJson) out.note({ text: 'skillplane: ', style: 'red' }, refusal.message);
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

/** Every finding has the same keys; the advice is for whoever shows it to people. */
function toJson({ origin, commit = null, notices, diagnostics, audits }: SuccessfulAudit, refusal?: Refusal): object {
  const answer = { ok: refusal === undefined, ...refusal, advice: AUDIT_ADVICE, origin, commit, notices, diagnostics };
  return { ...answer, audits: audits.map(({ name, path, ...audit }) => ({ name, path, ...auditToJson(audit) })) };
}

type SuccessfulAudit = Omit<AuditedSkills, 'commit'> & { readonly commit?: string | null | undefined };
