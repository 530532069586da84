import { HOSTS } from '../../hosts/all-hosts.ts';
import type { HistoryImport } from '../../hosts/history/import-history.ts';
import { plural } from '../../model/plural.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Advice } from '../../usage/advice.ts';
import type { Invocation } from '../command.ts';
import type { Output } from './output.ts';

const TITLES: Readonly<Record<Advice['kind'], string>> = {
  rewrite: 'Improve the description: models never choose these',
  pin: 'Pin: used often, but not always listed with description',
  disable: 'Disable: not used for a long time',
};

/** Prints advice by kind, each with its evidence and the command that follows it. */
export function printAdvice(
  advice: readonly (Advice & { readonly file: string })[],
  { out }: Pick<Invocation, 'out'>,
): void {
  if (advice.length === 0) out.line('No suggestions: nothing to improve, or too little history.');
  for (const [at, [kind, own]] of [...Map.groupBy(advice, (entry) => entry.kind)].entries()) {
    if (at > 0) out.line();
    out.line({ text: `${TITLES[kind]} (${own.length})`, style: 'bold' });
    for (const { skill, evidence, file } of own) {
      out.line('  ', { text: skill, style: 'bold' }, `: ${evidence}`);
      const next =
        kind === 'rewrite' ? `Edit the description in ${file}` : `\`skillplane ${kind} ${quoteWord(skill)}\``;
      out.exactLine('    ', { text: next, style: 'cyan' });
    }
  }
}

/** Prints what was imported, one line per agent with a history. */
export function printImport({ hosts, added }: HistoryImport, out: Output): void {
  const present = hosts.filter(({ files }) => files > 0);
  if (present.length === 0) out.line('No transcripts of other agents were found.');
  const width = Math.max(...present.map(({ host }) => HOSTS[host].title.length));
  for (const { host, files, read, bytes, badLines, unreadable } of present) {
    const parts = [
      plural(files, 'file'),
      read === 0 ? 'unchanged' : `${read} read (${(bytes / 1e6).toFixed(1)} MB)`,
      badLines > 0 && `${plural(badLines, 'line')} cut or too long`,
      unreadable.length > 0 && `${unreadable.length} could not be opened, such as ${unreadable[0]}`,
    ];
    out.line(
      { text: HOSTS[host].title.padEnd(width), style: 'bold' },
      '  ',
      parts.filter((part) => part !== false).join(', '),
    );
  }
  if (present.length > 0) out.line(added === 0 ? 'Nothing new.' : `${plural(added, 'new event')}.`);
}
