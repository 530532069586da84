import { HOSTS } from '../../hosts.ts';
import type { Advice, HistoryImport } from '../../index.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Invocation } from '../command.ts';
import type { Output } from './output.ts';

const TITLES: Readonly<Record<Advice['kind'], string>> = {
  rewrite: 'Describe better: models do not choose them',
  pin: 'Pin: used often, and not always listed whole',
  disable: 'Disable: unused for long',
};

/** Prints advice by kind, each with its evidence and the command that follows it. */
export function printAdvice(
  advice: readonly (Advice & { readonly file: string })[],
  { out, renderHint }: Pick<Invocation, 'out' | 'renderHint'>,
): void {
  if (advice.length === 0) out.line('No advice: too little was recorded so far, or all is well.');
  for (const [at, [kind, own]] of [...Map.groupBy(advice, (entry) => entry.kind)].entries()) {
    if (at > 0) out.line();
    out.line({ text: `${TITLES[kind]} (${own.length})`, style: 'bold' });
    for (const { skill, evidence, file } of own) {
      out.line('  ', { text: skill, style: 'bold' }, `: ${evidence}`);
      const next =
        kind === 'rewrite' ? `Edit the description in ${file}` : renderHint(`\`${kind} ${quoteWord(skill)}\``);
      out.exactLine('    ', { text: next, style: 'cyan' });
    }
  }
}

/** Prints what an import has read, one line per agent that has a history. */
export function printImport({ hosts, added }: HistoryImport, out: Output): void {
  const present = hosts.filter(({ files }) => files > 0);
  if (present.length === 0) out.line('No transcripts of other agents were found.');
  const width = Math.max(...present.map(({ host }) => HOSTS[host].title.length));
  for (const { host, files, read, bytes, badLines, unreadable } of present) {
    const parts = [
      `${files} ${files === 1 ? 'file' : 'files'}`,
      read === 0 ? 'unchanged' : `${read} read (${(bytes / 1e6).toFixed(1)} MB)`,
      badLines > 0 && `${badLines} ${badLines === 1 ? 'line' : 'lines'} cut or too long`,
      unreadable.length > 0 && `${unreadable.length} could not be opened, such as ${unreadable[0]}`,
    ];
    out.line(
      { text: HOSTS[host].title.padEnd(width), style: 'bold' },
      '  ',
      parts.filter((part) => part !== false).join(', '),
    );
  }
  if (present.length > 0) out.line(added === 0 ? 'Nothing new.' : `${added} new ${added === 1 ? 'event' : 'events'}.`);
}
