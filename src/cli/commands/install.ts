import {
  AUDIT_ADVICE,
  openInstaller,
  type FoundSkill,
  type InstallDecisions,
  type InstallPreview,
  type InstallReport,
} from '../../engine/open-installer.ts';
import { askText, askYesOrNo, canAsk, parseChoice } from '../ask.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { diagnosticLine } from '../diagnostics.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Output } from '../output.ts';
import { fitToWidth } from '../width.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, flags, values, cwd, isJson, out } = invocation;
  const [url] = args;
  const skills = values.get('skill') ?? [];
  const useGitCredentials = flags.has('useGitCredentials');
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const installer = openInstaller({ cwd, scope: flags.has('project') ? 'project' : 'user' });
  if (flags.has('frozen')) {
    if (url !== undefined) return reportUsage(invocation, '--frozen installs what the lock lists; leave the URL out');
    const restored = await installer.restore(skills, { useGitCredentials, signal });
    if (!restored.ok) return reportFailure(invocation, restored);
    if (isJson) out.json({ ok: true, restored: restored.restored, present: restored.present });
    else out.line(`${restored.restored.length} installed, ${restored.present.length} as the lock says already.`);
    return 0;
  }
  if (url === undefined) return reportUsage(invocation, 'which repository? Or --frozen, for what the lock lists');
  const isAsking = canAsk() && !isJson && !flags.has('yes');
  const [ref, name] = [values.get('ref')?.at(-1), values.get('name')?.at(-1)];
  const request = { url, ref, name, skills, all: flags.has('all'), useGitCredentials, signal };
  let isRefused = false;
  const installed = await installer.install(request, {
    ...(isAsking ? questions(out) : {}),
    async confirm(preview) {
      if (!isJson) printPreview(preview, out);
      const isWanted = flags.has('yes') || (isAsking && (await askYesOrNo('Install?')));
      isRefused = !isWanted;
      return isWanted;
    },
    onProgress: ({ phase, percent }) => isJson || out.status(`${PHASES[phase]} ${percent}%`),
  });
  if (isRefused) return reportFailure(invocation, { ok: false, code: 'INSTALL_FAILED', message: REFUSED });
  if (!installed.ok) return reportFailure(invocation, installed);
  // What somebody chose to leave out is no failure.
  const [skipped] = isAsking ? [] : installed.skipped;
  if (isJson) out.json(skipped === undefined ? installed : { ...installed, ...partOnly(installed, skipped.code) });
  else printReport(installed, out);
  return skipped === undefined ? 0 : 1;
}

function partOnly({ installed, skipped }: InstallReport, code: string): object {
  const message = `${installed.length} installed, and ${skipped.map(({ name }) => name).join(', ')} skipped`;
  return { ok: false, code, message };
}

const PHASES = { fetch: 'Fetching', check: 'Checking', write: 'Writing' } as const;
const REFUSED = 'nothing was installed; say yes when asked, or --yes where nobody can be asked';

function questions(out: Output): Pick<InstallDecisions, 'pick' | 'rename'> {
  return {
    async pick(skills) {
      out.line(`There are ${skills.length} skills:`);
      for (const [index, skill] of skills.entries()) out.line(...describeChoice(skill, index + 1, out.columns));
      for (;;) {
        const answer = await askText('Which? (numbers such as 1,3-5, "all", or nothing)');
        const chosen = parseChoice(answer, skills.length);
        if (chosen !== undefined) return skills.filter((_, index) => chosen.includes(index));
        out.note(`Numbers from 1 to ${skills.length}, please.`);
      }
    },
    async rename(_name, why) {
      out.note(why);
      return (await askText('Another name for it? (nothing leaves it out)')) || undefined;
    },
  };
}

function describeChoice({ name, description }: FoundSkill, number: number, columns: number): readonly string[] {
  const start = `  ${number}. ${name}  `;
  return [start, fitToWidth(description.split('\n', 1)[0] ?? '', Math.max(10, columns - start.length))];
}

function printPreview(preview: InstallPreview, out: Output): void {
  const { from, commit, skills, skipped, notices, diagnostics } = preview;
  out.line({ text: from, style: 'bold' }, commit === undefined ? '' : `  ${commit.slice(0, 12)}`);
  for (const notice of notices) out.line({ text: notice, style: 'dim' });
  for (const { entry, skill, warnings, leftOut, audit } of skills) {
    out.line(
      '  ',
      { text: entry.name, style: 'bold' },
      `  ${entry.files.length} ${entry.files.length === 1 ? 'file' : 'files'}`,
    );
    out.line('    ', fitToWidth(skill.brief, out.columns - 4));
    for (const { message } of warnings) out.line('    ', { text: message, style: 'yellow' });
    for (const { path, reason } of leftOut) out.line('    ', { text: `left out: ${path} ${reason}`, style: 'yellow' });
    out.line('    ', `audit: ${audit.verdict}`);
    for (const line of audit.lines) out.line('      ', { text: fitToWidth(line, out.columns - 6), style: 'yellow' });
    if (audit.more > 0) out.line('      ', `and ${audit.more} more: skillplane audit shows them`);
  }
  out.line({ text: AUDIT_ADVICE, style: 'dim' });
  for (const { name, message } of skipped) out.line('  ', { text: `${name} is skipped: ${message}`, style: 'yellow' });
  const flaws = diagnostics.filter(({ severity }) => severity !== 'info');
  for (const flaw of flaws.slice(0, MAX_FLAWS)) out.line('  ', ...diagnosticLine(flaw));
  if (flaws.length > MAX_FLAWS) out.line('  ', `and ${flaws.length - MAX_FLAWS} more: --json lists them all`);
}

const MAX_FLAWS = 10;

function printReport({ installed, skipped }: InstallReport, out: Output): void {
  for (const { name, path } of installed) out.line({ text: '✓ ', style: 'green' }, name, `  ${path}`);
  for (const { name } of skipped) out.line({ text: `○ ${name} was skipped`, style: 'dim' });
  out.line('Nothing that they bring runs before you say "skillplane trust <name>".');
}
