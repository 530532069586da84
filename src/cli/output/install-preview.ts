import { AUDIT_ADVICE } from '../../audit/summary.ts';
import type { InstallPreview, InstallReport } from '../../install/install-request.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { plural } from '../../model/plural.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Invocation } from '../command.ts';
import { diagnosticLine } from './diagnostics.ts';
import type { Output } from './output.ts';
import { printFirst } from './print-first.ts';

/** Prints what would be installed, with everything worth a look before saying yes. */
export function printPreview(preview: InstallPreview, { out, sayNext }: Pick<Invocation, 'out' | 'sayNext'>): void {
  const { from, choice, skills, skipped, notices, diagnostics } = preview;
  out.line(
    { text: from, style: 'bold' },
    choice === undefined ? '' : `  ${choice.replace(/^sha256:/, '').slice(0, 12)}`,
  );
  for (const notice of notices) out.line({ text: notice, style: 'dim' });
  for (const { entry, skill, warnings, leftOut, conflict, audit, refused } of skills) {
    const contents = [
      plural(entry.files.length, 'file'),
      ...(audit.scripts > 0 ? [plural(audit.scripts, 'script')] : []),
      ...(audit.programs > 0 ? [plural(audit.programs, 'program')] : []),
    ];
    out.line('  ', { text: entry.name, style: 'bold' }, `  ${contents.join(', ')}`);
    out.line('    ', fitToWidth(skill.brief, out.columns - 4));
    if (conflict !== undefined) out.line('    ', { text: conflict.phrase, style: 'yellow' });
    printFirst(warnings, {
      most: MAX_FLAWS,
      each: ({ message }) => out.line('    ', { text: message, style: 'yellow' }),
      rest: (text) => out.line('    ', text),
    });
    for (const { path, reason } of leftOut) out.line('    ', { text: `left out: ${path} ${reason}`, style: 'yellow' });
    out.line('    ', `audit: ${audit.verdict}`);
    for (const line of audit.lines) out.line('      ', { text: fitToWidth(line, out.columns - 6), style: 'yellow' });
    if (refused.length > 0) out.line('    ', { text: 'needs your approval because of this audit', style: 'red' });
    if (audit.more > 0) out.line('      ', `and ${audit.more} more; \`skillplane audit\` lists all`);
  }
  out.line({ text: AUDIT_ADVICE, style: 'dim' });
  for (const { name, message, next } of skipped) {
    out.line('  ', { text: `${name} is skipped: ${message}`, style: 'yellow' });
    if (next !== undefined) out.line('    ', sayNext(next));
  }
  const flaws = diagnostics.filter(({ severity }) => severity !== 'info');
  printFirst(flaws, {
    most: MAX_FLAWS,
    each: (flaw) => out.line('  ', ...diagnosticLine(flaw)),
    rest: (text) => out.line('  ', text),
  });
}

const MAX_FLAWS = 10;

/** Prints what was installed; `runnable` names the skills with scripts or tools. */
export function printReport(
  { installed, present, skipped }: InstallReport,
  runnable: readonly string[],
  out: Output,
): void {
  for (const name of present) out.line(`${name} is already installed.`);
  for (const { name, path } of installed)
    out.line({ text: '✓ ', style: 'green' }, `Installed ${name}`, { text: `  ${path}`, style: 'dim' });
  for (const { name } of skipped) out.line({ text: `○ ${name} was skipped`, style: 'dim' });
  const untrusted = installed.map(({ name }) => name).filter((name) => runnable.includes(name));
  if (untrusted.length === 0) return;
  const command = `\`skillplane trust ${untrusted.map(quoteWord).join(' ')}\``;
  out.line(`${untrusted.join(', ')} can run scripts or tools. To let Skillplane run them: ${command}`);
}

/** The preview as JSON, printed with the refusal. */
export function describePreview({ skills, skipped, diagnostics }: InstallPreview): object {
  const described = skills.map(
    ({ entry: { name, digest, files }, skill: { description }, warnings, leftOut, conflict, audit, refused }) => {
      return { name, description, digest, files: files.length, warnings, leftOut, conflict, audit, refused };
    },
  );
  return { skills: described, skipped, diagnostics, advice: AUDIT_ADVICE };
}
