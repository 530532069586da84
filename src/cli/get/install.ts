import type { InstallDecisions, InstallPreview, InstallReport, NameConflict } from '../../install/install-request.ts';
import { assignNames } from '../../install/scopes.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import type { Choice, Questions } from '../input/ask.ts';
import { openInstallDecider } from '../input/decide-install.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { WrongUsage } from '../input/options.ts';
import { decline, openManaged, readAllowed } from '../managing.ts';
import { describeFacts } from '../output/agent-facts.ts';
import { CONSENT, describeFailure, reportFailure } from '../output/failure.ts';
import { describePreview, printReport } from '../output/install-preview.ts';
import type { Output } from '../output/output.ts';
import { openGivenScopes, scopeLabel } from '../scopes.ts';
import { openInstallGiving } from './install-giving.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options } = invocation;
  if (options.has('fromTools')) return (await import('./import.ts')).run(invocation);
  using interrupt = listenForInterrupt(invocation.io);
  const allow = readAllowed(options);
  const fetching = { useGitCredentials: options.has('useGitCredentials'), signal: interrupt.signal, allow };
  const [url, extra] = args;
  if (extra !== undefined) throw new WrongUsage(`unexpected argument "${extra}"`, 'Name the skills with --skill.');
  if (options.has('frozen')) {
    if (url !== undefined) throw new WrongUsage('--frozen installs what the lock lists and takes no URL');
    return await restore(fetching, invocation);
  }
  if (options.has('user') && options.has('project'))
    throw new WrongUsage('--user and --project together work only with --frozen');
  if (url === undefined)
    throw new WrongUsage('missing argument <repo|url|path>', 'Only --frozen and --from-tools work without one.');
  return await install(url, fetching, invocation);
}

interface Fetching {
  readonly useGitCredentials: boolean;
  readonly signal: AbortSignal;
  readonly allow: readonly string[];
}

async function restore(fetching: Fetching, invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const opened = await openGivenScopes(invocation);
  const assigned = opened.ok ? assignNames(opened.scopes, options.all('skill')) : opened;
  if (!assigned.ok) return reportFailure(invocation, assigned);
  const { scopes } = assigned;
  const reports = [];
  const dryRun = options.has('dryRun');
  for (const { scope, installer, names } of scopes) {
    const done = await (dryRun ? installer.planRestore(names) : installer.restore(names, fetching));
    if (!done.ok) return reportFailure(invocation, done);
    const { restored, present } = done;
    const given = dryRun ? undefined : await give(invocation, restored, { project: scope === 'project' });
    if (given?.ok === false) return reportFailure(invocation, given);
    reports.push({ scope, restored, present });
    const counts = `${restored.length} ${dryRun ? 'would be ' : ''}installed, ${present.length} already as the lock says.`;
    if (!isJson && dryRun) for (const name of restored) out.line('  ', name);
    if (!isJson) out.line(`${scopeLabel(scope, scopes)}${counts}`);
  }
  const [restored, present] = [reports.flatMap((one) => one.restored), reports.flatMap((one) => one.present)];
  if (isJson) out.json({ ok: true, ...(dryRun ? { dryRun } : {}), restored, present, scopes: reports });
  return 0;
}

async function install(url: string, fetching: Fetching, invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const dryRun = options.has('dryRun');
  const giving = openInstallGiving(invocation, 'Install');
  const decider = openInstallDecider(invocation, { question: giving.question, fetching: 'Fetching' });
  const { questions } = decider;
  const [ref, name] = [options.text('ref'), options.text('name')];
  const request = {
    url,
    ref,
    name,
    skills: options.all('skill'),
    all: options.has('all'),
    force: options.has('force'),
    replace: options.has('replace'),
    ...fetching,
  };
  const done = await openManaged(invocation).install(request, {
    ...(questions === undefined ? {} : askFor(questions, out)),
    ...decider.decisions,
  });
  if (decider.isDeclined()) return decline(invocation, 'Nothing installed.');
  const refused = decider.refused();
  if (refused !== undefined) return dryRun ? reportDryRun(refused, invocation) : refuse(refused, invocation);
  if (!done.ok) return reportFailure(invocation, done);
  const given = await giving.give([...done.installed.map((one) => one.name), ...done.present]);
  // Skipping a skill on purpose is not a failure.
  const [skipped] = questions === undefined ? done.skipped : [];
  if (isJson) {
    const agents = given.ok ? { agents: given.given.skills } : { ...describeFailure(given) };
    out.json({ ...done, ...agents, ...(skipped === undefined ? {} : partOnly(done, skipped.code)) });
  } else {
    printReport(done, decider.runnable(), out);
    if (given.ok) for (const line of describeFacts(given.given.skills, invocation)) out.line(line);
    else reportFailure(invocation, given);
  }
  return skipped === undefined && given.ok ? 0 : 1;
}

function reportDryRun(preview: InstallPreview, { isJson, out }: Invocation): ExitCode {
  if (isJson) out.json({ ok: true, dryRun: true, ...describePreview(preview) });
  else out.line('Nothing was changed: this was a dry run.');
  return 0;
}

function refuse(preview: InstallPreview, invocation: Invocation): ExitCode {
  if (!invocation.isJson) return reportFailure(invocation, REFUSED);
  invocation.out.json({ ...describeFailure(REFUSED), ...describePreview(preview) });
  return 1;
}

function partOnly({ installed, skipped }: InstallReport, code: string): object {
  const message = `${installed.length} installed, and ${skipped.map(({ name }) => name).join(', ')} skipped`;
  return { ok: false, code, message };
}

const REFUSED = { code: 'INSTALL_FAILED', message: 'nothing was installed', next: CONSENT };

function askFor(questions: Questions, out: Output): Pick<InstallDecisions, 'pick' | 'rename'> {
  return {
    async pick(skills) {
      const choices = skills.map(({ name, description }, value) => {
        return { value, label: name, hint: description.split('\n', 1)[0] ?? '' };
      });
      const all = { value: skills.length, label: `All ${skills.length} skills` };
      const picked = await questions.pick(`Which skills do you want? (${skills.length} found)`, [...choices, all]);
      return skills.filter((_, index) => picked.includes(index) || picked.includes(all.value));
    },
    async rename(name, why, conflict) {
      out.note(why);
      const answer =
        conflict === undefined
          ? 'rename'
          : await questions.choose(`You already have a skill called ${name}.`, answersTo(conflict));
      if (answer !== 'rename') return answer === 'keep' ? name : undefined;
      return (await questions.text('Another name for it?', 'leave empty to skip it')) || undefined;
    },
  };
}

/** A skill elsewhere has the name. Renaming comes first, because it changes nothing else. */
function answersTo({ kind }: NameConflict): readonly Choice<'rename' | 'keep' | 'skip'>[] {
  return [
    { value: 'rename', label: 'Install under another name' },
    { value: 'keep', label: kind === 'hides' ? 'Use the new one' : 'Install it, but keep using mine' },
    { value: 'skip', label: 'Skip' },
  ];
}
