import { AUDIT_ADVICE } from '../../audit.ts';
import type { TrustInspection } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { isConsented, readAllowed } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { auditToJson, printFindings, printMentions, printPart } from '../output/audit-table.ts';
import { CONSENT_HINT, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const [name = '', ...others] = args;
  const allow = readAllowed(options);
  const isMany = options.has('source') || others.length > 0;
  if (!isMany && name === '') throw new WrongUsage('trust takes the names of skills, or --source');
  await using engine = await openEngine(invocation);
  if (isMany) {
    const { revokeMany, trustMany } = await import('./trust-many.ts');
    return await (options.has('revoke') ? revokeMany : trustMany)(engine, invocation);
  }
  if (options.has('revoke')) {
    const revoked = await engine.trust.revoke(name);
    if (!revoked.ok) return reportFailure(invocation, revoked);
    if (isJson) out.json({ ok: true, name, wasTrusted: revoked.wasTrusted });
    else out.line(revoked.wasTrusted ? `${name} is no longer trusted.` : `${name} was not trusted.`);
    return 0;
  }
  const inspected = await engine.trust.inspect(name);
  if (!inspected.ok) return reportFailure(invocation, inspected);
  const { skill, digest, files, scripts, toolsets, audit, refused, trustedBecause } = inspected;
  if (!isJson) printInspection(inspected, out);
  if (trustedBecause === undefined) {
    if (!(await isConsented(invocation, 'Trust it as it is now?'))) {
      const message = `"${skill.name}" is not trusted`;
      return reportFailure(invocation, { code: 'NOT_TRUSTED', message, hint: CONSENT_HINT });
    }
    // A person who says yes has seen the findings; `--yes` has not.
    const granted = await engine.trust.grant(name, digest, {
      allow: options.has('yes') ? allow : refused.map(({ rule }) => rule),
    });
    if (!granted.ok) return reportFailure(invocation, granted);
  }
  if (isJson) out.json({ ok: true, name: skill.name, digest, files, scripts, toolsets, audit: auditToJson(audit) });
  else
    out.line(
      `${skill.name} is trusted${trustedBecause === undefined ? ' until anything in its folder changes' : `: ${trustedBecause}`}.`,
    );
  return 0;
}

function printInspection(
  { skill, realDir, digest, files, scripts, toolsets, audit }: TrustInspection,
  out: Output,
): void {
  out.line({ text: skill.name, style: 'bold' }, `  ${skill.source}  ${skill.dir}`);
  if (realDir !== skill.dir) out.line(`a link to ${realDir}, which is what would be trusted`);
  out.line({ text: digest, style: 'dim' });
  const sizes = files.map(({ path, size }) => `${path} (${size} bytes)`);
  printPart('Files', sizes, out);
  printPart('Scripts that may run once it is trusted', scripts, out);
  printPart('Toolsets that may be loaded once it is trusted', toolsets, out);
  printMentions(audit, out);
  printFindings(audit, out);
  out.line(AUDIT_ADVICE);
}
