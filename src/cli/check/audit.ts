import { isGrave } from '../../audit/policy.ts';
import { type AuditSeverity, SEVERITIES } from '../../audit/rules/rule.ts';
import { renderSarif } from '../../audit/sarif.ts';
import { AUDIT_ADVICE } from '../../audit/summary.ts';
import { auditTargets, toPlaces, type AuditedTargets } from '../../engine/audit-targets.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { printAudits, printManyAudits } from '../output/audit-table.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, env, options, isJson, out } = invocation;
  const isSarif = options.has('sarif');
  const failOn = options.oneOf('failOn', SEVERITIES);
  if (isJson && isSarif) throw new WrongUsage('--json and --sarif exclude each other');
  const settings = {
    cwd,
    env,
    skills: options.all('skill'),
    ref: options.text('ref'),
    useGitCredentials: options.has('useGitCredentials'),
    run: options.has('run'),
  };
  if (args.length === 0 && ['skill', 'ref', 'useGitCredentials'].some((option) => options.has(option)))
    throw new WrongUsage('--skill, --ref and --use-git-credentials need a folder or repository to audit');
  if (args.length === 0 && settings.run) throw new WrongUsage('--run needs the names or folders of skills');
  const audited = await auditTargets(args, () => openEngine(invocation), settings);
  if (!audited.ok) return reportFailure({ ...invocation, isJson: isJson || isSarif }, audited);
  const refusal = failOn === undefined ? undefined : refuse(audited, failOn);
  if (isSarif) out.json(renderSarif(toPlaces(audited)));
  else if (isJson) out.json({ ...audited, ok: refusal === undefined, ...refusal, advice: AUDIT_ADVICE });
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
  const listed = audits.flatMap(({ findings }) => findings).filter((finding) => isGrave(finding, failOn));
  const unlisted = audits.flatMap((audit) => audit.unlisted).filter((finding) => isGrave(finding, failOn));
  const count = unlisted.reduce((sum, finding) => sum + finding.count, listed.length);
  if (count === 0) return undefined;
  return { code: 'FINDINGS', message: `${plural(count, 'finding is', 'findings are')} ${failOn} or worse` };
}

function printNotes({ notices, diagnostics }: AuditedTargets, { out }: Invocation): void {
  for (const notice of notices) out.note(notice);
  for (const diagnostic of diagnostics) if (diagnostic.severity !== 'info') out.note(...diagnosticLine(diagnostic));
}
