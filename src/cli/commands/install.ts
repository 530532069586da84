import type { RepositorySkill, InstallDecisions, InstallPreview, InstallReport } from '../../install.ts';
import { askText, askYesOrNo, canAsk, parseChoice } from '../ask.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { describePreview, printPreview, printReport } from '../install-preview.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { openManaged } from '../managing.ts';
import type { Output } from '../output.ts';
import { fitToWidth } from '../width.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, flags } = invocation;
  using interrupt = listenForInterrupt();
  const fetching = { useGitCredentials: flags.has('useGitCredentials'), signal: interrupt.signal };
  const [url] = args;
  if (!flags.has('frozen')) {
    if (url === undefined) return reportUsage(invocation, 'which repository? Or --frozen, for what the lock lists');
    return await install(url, fetching, invocation);
  }
  if (url !== undefined) return reportUsage(invocation, '--frozen installs what the lock lists; leave the URL out');
  return await restore(fetching, invocation);
}

interface Fetching {
  readonly useGitCredentials: boolean;
  readonly signal: AbortSignal;
}

async function restore(fetching: Fetching, invocation: Invocation): Promise<ExitCode> {
  const { values, isJson, out } = invocation;
  const restored = await openManaged(invocation).restore(values.get('skill') ?? [], fetching);
  if (!restored.ok) return reportFailure(invocation, restored);
  if (isJson) out.json({ ok: true, restored: restored.restored, present: restored.present });
  else out.line(`${restored.restored.length} installed, ${restored.present.length} as the lock says already.`);
  return 0;
}

async function install(url: string, fetching: Fetching, invocation: Invocation): Promise<ExitCode> {
  const { flags, values, isJson, out } = invocation;
  const isSure = flags.has('yes');
  const isAsking = canAsk() && !isJson && !isSure;
  const [ref, name] = [values.get('ref')?.at(-1), values.get('name')?.at(-1)];
  const request = { url, ref, name, skills: values.get('skill') ?? [], all: flags.has('all'), ...fetching };
  let refused: InstallPreview | undefined;
  const confirm = async (preview: InstallPreview): Promise<boolean> => {
    if (!isJson) printPreview(preview, out);
    const isWanted = isSure || (isAsking && (await askYesOrNo('Install?')));
    refused = isWanted ? undefined : preview;
    return isWanted;
  };
  const installed = await openManaged(invocation).install(request, {
    ...(isAsking ? questions(out) : {}),
    // Where nobody looks and nobody is asked, there is no need to audit.
    ...(isSure && isJson ? {} : { confirm }),
    onProgress: ({ phase, percent }) => isJson || out.status(`${PHASES[phase]} ${percent}%`),
  });
  if (refused !== undefined) return refuse(refused, invocation);
  if (!installed.ok) return reportFailure(invocation, installed);
  // What somebody chose to leave out is no failure.
  const [skipped] = isAsking ? [] : installed.skipped;
  if (isJson) out.json(skipped === undefined ? installed : { ...installed, ...partOnly(installed, skipped.code) });
  else printReport(installed, out);
  return skipped === undefined ? 0 : 1;
}

function refuse(preview: InstallPreview, invocation: Invocation): ExitCode {
  const failure = { ok: false, code: 'INSTALL_FAILED', message: REFUSED } as const;
  if (!invocation.isJson) return reportFailure(invocation, failure);
  invocation.out.json({ ...failure, ...describePreview(preview) });
  return 1;
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

function describeChoice({ name, description }: RepositorySkill, number: number, columns: number): readonly string[] {
  const start = `  ${number}. ${name}  `;
  return [start, fitToWidth(description.split('\n', 1)[0] ?? '', Math.max(10, columns - start.length))];
}
