import { openSkills, type TrustInspection } from '../../index.ts';
import { askYesOrNo, canAsk } from '../ask.ts';
import { reportFailure, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import type { Output } from '../output.ts';
import { fitToWidth } from '../width.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, flags, cwd, isJson, out } = invocation;
  const [name = ''] = args;
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  if (flags.has('revoke')) {
    const revoked = await engine.trust.revoke(name);
    if (!revoked.ok) return reportFailure(invocation, revoked);
    if (isJson) out.json({ ok: true, name, wasTrusted: revoked.wasTrusted });
    else out.line(revoked.wasTrusted ? `${name} is no longer trusted.` : `${name} was not trusted.`);
    return 0;
  }
  const inspected = engine.trust.inspect(name);
  if (!inspected.ok) return reportFailure(invocation, inspected);
  const { skill, digest, contents, trustedBecause } = inspected;
  if (!isJson) printInspection(inspected, out);
  if (trustedBecause === undefined) {
    const isWanted = flags.has('yes') || (canAsk() && !isJson && (await askYesOrNo('Trust it as it is now?')));
    if (!isWanted) return reportFailure(invocation, refusal(skill.name));
    const granted = await engine.trust.grant(name, digest);
    if (!granted.ok) return reportFailure(invocation, granted);
  }
  if (isJson) out.json({ ok: true, name: skill.name, digest, ...contents });
  else out.line(`${skill.name} is trusted: ${trustedBecause ?? 'until anything in its folder changes'}.`);
  return 0;
}

function refusal(name: string): { readonly ok: false; readonly code: string; readonly message: string } {
  const message = `"${name}" is not trusted; say yes when asked, or --yes where nobody can be asked`;
  return { ok: false, code: 'NOT_TRUSTED', message };
}

function printInspection({ skill, digest, contents }: TrustInspection, out: Output): void {
  const { files, refused, scripts, toolsets, network, invisible } = contents;
  out.line({ text: skill.name, style: 'bold' }, `  ${skill.source}  ${skill.dir}`);
  out.line({ text: digest, style: 'dim' });
  printPart(
    'Files',
    files.map(({ path, size }) => `${path} (${size} bytes)`),
    out,
  );
  printPart(
    'Left out',
    refused.map(({ path, reason }) => `${path} ${reason}`),
    out,
  );
  printPart('Scripts, which may then run', scripts, out);
  printPart('Toolsets, which may then be loaded', toolsets, out);
  printPart('Seems to use the network', network.map(describeRemark), out);
  printPart('Characters that cannot be seen', invisible.map(describeRemark), out);
}

function describeRemark({ path, line, text }: TrustInspection['contents']['network'][number]): string {
  return `${path}:${line}: ${text}`;
}

const SHOWN = 40;

function printPart(title: string, lines: readonly string[], out: Output): void {
  if (lines.length === 0) return;
  out.line({ text: title, style: 'cyan' });
  for (const line of lines.slice(0, SHOWN)) out.line('  ', fitToWidth(line, out.columns - 2));
  if (lines.length > SHOWN) out.line('  ', `and ${lines.length - SHOWN} more: --json lists them all`);
}
