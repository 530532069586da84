import { HOST_IDS, planSync, sync, undoSync, watchSync, type SyncOptions, type SyncReport } from '../../hosts.ts';
import { changeSetting, readSetting } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';
import { printPlan, printProblems, printSyncReport } from '../output/sync-report.ts';

/** `skillplane sync [host...]` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, env, out } = invocation;
  const modes = ['dryRun', 'check', 'undo', 'watch'].filter((mode) => options.has(mode));
  if (modes.length > 1) throw new WrongUsage('--dry-run, --check, --undo and --watch exclude each other');
  const unknown = args.find((host) => !HOST_IDS.some((id) => id === host));
  if (unknown !== undefined) throw new WrongUsage(`"${unknown}" is no host`, `Known are ${HOST_IDS.join(', ')}.`);
  const request: SyncOptions = {
    cwd,
    env,
    project: options.has('project'),
    copy: options.has('copy'),
    hosts: args.length === 0 ? undefined : args,
    onWait: (message) => out.note(`Waiting: ${message}.`),
  };
  if (options.has('undo')) return undo(invocation, request);
  const planned = await planSync(request);
  if (!planned.ok) return reportFailure(invocation, planned);
  if (planned.plan.hosts.length === 0) return reportFailure(invocation, NO_HOSTS);
  if (options.has('dryRun') || options.has('check')) return show(planned.plan, invocation);
  return options.has('watch') ? watch(invocation, request) : apply(invocation, request);
}

const NO_HOSTS = fail(
  'CONFIG_INVALID',
  'none of the known agents is on this machine',
  'Name the agents to prepare their folders anyway: `sync claude-code`.',
);

/** `--check` fails if something would change. */
function show(plan: SyncReport, invocation: Invocation): ExitCode {
  const { options, isJson, out } = invocation;
  const isDrifted = plan.changes.length > 0;
  const code = options.has('check') && isDrifted ? 1 : 0;
  if (isJson) out.json({ ok: code === 0, ...plan });
  else {
    printPlan(plan, out);
    printSyncReport(plan, options.has('check') ? 'Not in step: a sync would change' : 'Would sync', out);
    printProblems(plan.problems, invocation);
  }
  return code;
}

async function apply(invocation: Invocation, request: SyncOptions): Promise<ExitCode> {
  const done = await sync(request);
  if (!done.ok) return reportFailure(invocation, done);
  print(done.report, invocation);
  if (done.report.isFirst) await offerAutoSync(invocation);
  return 0;
}

function print(report: SyncReport, invocation: Invocation): void {
  const { isJson, out } = invocation;
  if (isJson) return out.json({ ok: true, ...report });
  printSyncReport(report, 'Synced', out);
  printProblems(report.problems, invocation);
}

async function undo(invocation: Invocation, request: SyncOptions): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  if (args.length > 0) throw new WrongUsage('--undo takes back the sync of all hosts; name none');
  const done = await undoSync(request);
  if (!done.ok) return reportFailure(invocation, done);
  const { report } = done;
  if (isJson) out.json({ ok: true, ...report });
  else if (report.isFirst) out.line('Nothing to undo: nothing is synced.');
  else {
    const count = report.changes.length;
    out.line(`Undone: ${count} ${count === 1 ? 'change' : 'changes'} taken back.`);
    printProblems(report.problems, invocation);
  }
  return report.problems.length === 0 ? 0 : 1;
}

/** Asks once, after the first sync. */
async function offerAutoSync(invocation: Invocation): Promise<void> {
  const { cwd, env, isJson, out, renderHint } = invocation;
  const known = await readSetting('autoSync', { cwd, env });
  if (!known.ok || known.setting.files.length > 0) return;
  if (isJson || !canAsk(invocation)) {
    out.note(renderHint('`config set autoSync true` syncs after every install, update, removal and switch.'));
    return;
  }
  const isWanted = await openQuestions(invocation).confirm(
    'Sync by itself after every install, update, removal and switch?',
  );
  await changeSetting({ kind: 'set', setting: 'autoSync', text: String(isWanted) }, { cwd, env });
}

/** Runs until it is interrupted. */
async function watch(invocation: Invocation, request: SyncOptions): Promise<ExitCode> {
  const { io, isJson, out } = invocation;
  const onSync = (done: Outcome<{ readonly report: SyncReport }>): void => {
    if (!done.ok) reportFailure(invocation, done);
    else if (isJson) out.jsonLine({ ok: true, ...done.report });
    else if (done.report.changes.length > 0 || done.report.isFirst) print(done.report, invocation);
  };
  const watching = await watchSync(request, onSync);
  if (!watching.ok) return reportFailure(invocation, watching);
  out.note('Watching skills and settings; Ctrl-C ends it.');
  await new Promise<void>((resolve) => {
    const alive = setInterval(() => undefined, 3_600_000);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) io.signals.once(signal, end);
  });
  await watching.close();
  return 0;
}
