import { AUDIT_ADVICE } from '../../audit.ts';
import type { InstallPreview, InstallReport } from '../../install.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { diagnosticLine } from './diagnostics.ts';
import type { Output } from './output.ts';
import { printFirst } from './print-first.ts';

/** Prints what would be installed, with everything worth a look before saying yes. */
export function printPreview(preview: InstallPreview, out: Output): void {
  const { from, choice, skills, skipped, notices, diagnostics } = preview;
  out.line(
    { text: from, style: 'bold' },
    choice === undefined ? '' : `  ${choice.replace(/^sha256:/, '').slice(0, 12)}`,
  );
  for (const notice of notices) out.line({ text: notice, style: 'dim' });
  for (const { entry, skill, warnings, leftOut, conflict, audit, refused } of skills) {
    const contents = [
      plural(entry.files.length, 'file'),
      plural(audit.scripts, 'script'),
      plural(audit.programs, 'program'),
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
    if (refused.length > 0) out.line('    ', { text: 'not installed without your yes to this audit', style: 'red' });
    if (audit.more > 0) out.line('      ', `and ${audit.more} more; \`skillplane audit\` lists all`);
  }
  out.line({ text: AUDIT_ADVICE, style: 'dim' });
  for (const { name, message, hint } of skipped) {
    out.line('  ', { text: `${name} is skipped: ${message}`, style: 'yellow' });
    if (hint !== undefined) out.line('    ', hint);
  }
  const flaws = diagnostics.filter(({ severity }) => severity !== 'info');
  printFirst(flaws, {
    most: MAX_FLAWS,
    each: (flaw) => out.line('  ', ...diagnosticLine(flaw)),
    rest: (text) => out.line('  ', text),
  });
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const MAX_FLAWS = 10;

export function printReport({ installed, present, skipped }: InstallReport, out: Output): void {
  for (const name of present) out.line(`${name} is installed already, and unchanged.`);
  for (const { name, path } of installed) out.line({ text: '✓ ', style: 'green' }, name, `  ${path}`);
  for (const { name } of skipped) out.line({ text: `○ ${name} was skipped`, style: 'dim' });
  if (installed.length > 0) out.line('Scripts and tools run only after `skillplane trust <name>`.');
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
