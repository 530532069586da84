import { findForeignSkills } from '../../hosts/importing/find-foreign-skills.ts';
import type { InstallPreview } from '../../install/install-request.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { listSome } from '../../model/list-some.ts';
import { fail } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openInstallDecider } from '../input/decide-install.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { decline, openManaged, readAllowed } from '../managing.ts';
import { describeFacts } from '../output/agent-facts.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { CONSENT, describeFailure, reportFailure } from '../output/failure.ts';
import { describePreview, printReport } from '../output/install-preview.ts';
import { openInstallGiving } from './install-giving.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, env, options, isJson, out } = invocation;
  using interrupt = listenForInterrupt(invocation.io);
  const allow = readAllowed(options);
  const known = findForeignSkills({ cwd, env, scope: options.has('project') ? 'project' : 'user' });
  if (!isJson) for (const diagnostic of known.diagnostics) out.error(...diagnosticLine(diagnostic));
  const names = known.skills.map(({ name }) => name);
  const unknown = args.find((name) => !names.includes(name));
  if (unknown !== undefined) return reportFailure(invocation, notKnown(unknown, names));
  const skills = known.skills.filter(({ name }) => args.length === 0 || args.includes(name));
  if (skills.length === 0) return reportNone(known.diagnostics, invocation);
  const giving = openInstallGiving(invocation, 'Import');
  const decider = openInstallDecider(invocation, { question: giving.question, fetching: 'Comparing' });
  const request = { skills, allow, useGitCredentials: options.has('useGitCredentials'), signal: interrupt.signal };
  const done = await openManaged(invocation).takeOver(request, decider.decisions);
  const refused = decider.refused();
  if (decider.isDeclined()) return decline(invocation, 'Nothing imported.');
  if (refused !== undefined) return reportRefused(refused, known.diagnostics, invocation);
  if (!done.ok) return reportFailure(invocation, done);
  const given = await giving.give([...done.installed.map(({ name }) => name), ...done.present]);
  const isWhole = done.skipped.length === 0 && given.ok;
  if (isJson) {
    const agents = given.ok ? { agents: given.given.skills } : describeFailure(given);
    out.json({ ...done, ...agents, ok: isWhole, diagnostics: [...known.diagnostics, ...done.diagnostics] });
  } else {
    printReport(done, decider.runnable(), out);
    if (given.ok) for (const line of describeFacts(given.given.skills, invocation)) out.line(line);
    else reportFailure(invocation, given);
  }
  return isWhole ? 0 : 1;
}

const MAX_NAMED = 10;

function notKnown(name: string, names: readonly string[]): ReturnType<typeof fail> {
  const there = names.length === 0 ? 'they have none here' : `they have ${listSome(names, { most: MAX_NAMED })}`;
  return fail('SKILL_NOT_FOUND', `no skill called "${name}" from other tools; ${there}`);
}

function reportNone(diagnostics: readonly Diagnostic[], { isJson, out }: Invocation): ExitCode {
  if (isJson) out.json({ ok: true, installed: [], present: [], skipped: [], diagnostics });
  else out.line('No skills from other tools found.');
  return 0;
}

function reportRefused(preview: InstallPreview, diagnostics: readonly Diagnostic[], invocation: Invocation): ExitCode {
  const { isJson, options, out } = invocation;
  const dryRun = options.has('dryRun');
  const refusal = fail('INSTALL_FAILED', 'nothing was imported', CONSENT);
  if (isJson) {
    const described = { notices: preview.notices, ...describePreview(preview) };
    const all = { ...described, diagnostics: [...diagnostics, ...preview.diagnostics] };
    out.json(dryRun ? { ok: true, dryRun, ...all } : { ...describeFailure(refusal), ...all });
  } else if (dryRun) out.line('Nothing was changed: this was a dry run.');
  else return reportFailure(invocation, refusal);
  return dryRun ? 0 : 1;
}
