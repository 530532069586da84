import { join } from 'node:path';

import type { Audit } from '../audit/audit-files.ts';
import { addFindings } from '../audit/report.ts';
import { runSkill } from '../audit/run/run-skill.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { plural } from '../model/plural.ts';
import type { Environment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';

/** Audits of skills in a folder, or in a repository at a commit. */
interface RunnableAudits {
  readonly origin: string;
  readonly commit: string | undefined;
  readonly notices: readonly string[];
  readonly audits: readonly (Audit & { readonly name: string; readonly path: string })[];
}

/**
 * Runs the scripts of skills that were audited in a folder, and adds the findings. Says in the notices how they ran and what could
 * not be seen.
 */
export async function runAudited<T extends RunnableAudits>(audited: T, environment: Environment): Promise<Outcome<T>> {
  if (audited.commit !== undefined)
    return fail('NOT_ALLOWED', 'scripts are only run from a folder on this machine', {
      advice: 'Clone or install it first, then audit its folder.',
    });
  const audits: RunnableAudits['audits'][number][] = [];
  const notices: string[] = [];
  for (const audit of audited.audits) {
    const dir = join(audited.origin, audit.path);
    const ran = await runSkill(realPath(dir) ?? dir, audit, { environment });
    if (!ran.ok) return ran;
    const { findings, count, isolation, blind } = ran;
    audits.push({ ...audit, ...addFindings(audit, findings) });
    notices.push(
      `${audit.name}: ran ${plural(count, 'script', 'scripts')} (${isolation}) with planted secrets. Nothing left this machine.`,
      ...blind,
    );
  }
  return { ok: true, ...audited, audits, notices: [...audited.notices, ...new Set(notices)] };
}
