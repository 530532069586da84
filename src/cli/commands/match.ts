import { type DisclosedMessage, openSkills, tierNumber } from '../../index.ts';
import { reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import type { Output } from '../output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, values, cwd, isJson, out } = invocation;
  const max = values.get('max')?.at(-1) ?? '3';
  if (!/^\d+$/.test(max)) return reportUsage(invocation, `--max takes a whole number, not "${max}"`);
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  const options = { maxSkills: Number(max), paths: values.get('path'), isTrial: true };
  const disclosed = await engine.disclosure.disclose(args.join(' '), options);
  if (isJson) out.json(toJson(disclosed));
  else print(disclosed, out);
  return 0;
}

function toJson({ tier, text, tokens, matches, suggestions }: DisclosedMessage): object {
  return {
    tier: tierNumber(tier),
    level: tier,
    context: text,
    tokens,
    matches: matches.map(({ skill, reasons, score }) => ({ name: skill.name, reasons, score })),
    suggestions,
  };
}

function print({ tier, why, tokens, matches, suggestions }: DisclosedMessage, out: Output): void {
  for (const { skill, reasons } of matches) {
    out.line({ text: skill.name, style: 'bold' });
    for (const { kind, detail } of reasons) out.line('      ', { text: `${kind}: ${detail}`, style: 'dim' });
  }
  out.note(`The model is shown: ${tier}, ${tokens} tokens (${why}).`);
  if (suggestions.length > 0) out.note(`A search finds ${suggestions.map(({ name }) => name).join(', ')}.`);
}
