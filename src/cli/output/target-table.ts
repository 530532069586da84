import type { TargetVerdict } from '../../publish/targets/judge-for-targets.ts';
import type { Invocation } from '../command.ts';
import type { Output, Style } from './output.ts';

type Context = Pick<Invocation, 'out' | 'sayNext'>;

/** A skill and what each target makes of it. */
export interface JudgedSkill {
  readonly path: string;
  readonly name: string;
  readonly verdicts: readonly TargetVerdict[];
}

const STYLES: Readonly<Record<TargetVerdict['verdict'], Style>> = {
  accepts: 'green',
  ignores: 'dim',
  cuts: 'yellow',
  refuses: 'red',
};

/** One line for each target, and one for each thing that it refuses, cuts or ignores. */
export function printTargets(skills: readonly JudgedSkill[], { out, sayNext }: Context): void {
  for (const [at, { name, path, verdicts }] of skills.entries()) {
    if (at > 0) out.line();
    out.line({ text: name, style: 'bold' }, `  ${path}`);
    const width = Math.max(...verdicts.map(({ title }) => title.length));
    for (const { title, findings } of verdicts) {
      const lines = findings.length === 0 ? [ACCEPTED] : findings;
      for (const [line, { effect, message, next }] of lines.entries()) {
        const label = (line === 0 ? title : '').padEnd(width);
        const advice = next === undefined ? '' : `. ${sayNext(next)}`;
        out.line(`  ${label}  `, { text: effect, style: STYLES[effect] }, `  ${message}${advice}`.trimEnd());
      }
    }
  }
}

const ACCEPTED = { effect: 'accepts', message: '', next: undefined } as const;

/** How many skills each target takes, for many skills. */
export function printTotals(skills: readonly JudgedSkill[], out: Output): void {
  const all = skills.flatMap(({ verdicts }) => verdicts);
  const titles = [...new Set(all.map(({ title }) => title))];
  const width = Math.max(...titles.map((title) => title.length));
  out.line();
  out.line({ text: `${'all skills'.padEnd(width + 2)}  accepts  ignores  cuts  refuses  seen in`, style: 'bold' });
  for (const title of titles) {
    const own = all.filter((verdict) => verdict.title === title);
    const count = (word: TargetVerdict['verdict']): string =>
      String(own.filter(({ verdict }) => verdict === word).length).padStart(word.length);
    const counts = (['accepts', 'ignores', 'cuts', 'refuses'] as const).map(count).join('  ');
    out.line(`  ${title.padEnd(width)}  ${counts}  ${own[0]?.seenIn ?? ''}`);
  }
}
