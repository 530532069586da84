import { type DisclosedMessage, tierNumber } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const settings = {
    maxSkills: options.count('max'),
    paths: options.all('path'),
    budget: options.count('budget'),
    recordUse: false,
  };
  await using engine = await openEngine(invocation);
  const disclosed = await engine.disclosure.disclose(args.join(' '), settings);
  if (isJson) out.json(toJson(disclosed));
  else print(disclosed, out);
  return 0;
}

function toJson({ tier, text, tokens, matches, named, suggestions }: DisclosedMessage): object {
  return {
    tier: tierNumber(tier),
    level: tier,
    context: text,
    tokens,
    matches: matches.map(({ skill, reasons, score }) => ({ name: skill.name, reasons, score })),
    named,
    suggestions,
  };
}

function print({ tier, why, tokens, matches, named, suggestions }: DisclosedMessage, out: Output): void {
  for (const { skill, reasons } of matches) {
    out.line({ text: skill.name, style: 'bold' });
    for (const { kind, detail } of reasons) out.line('      ', { text: `${kind}: ${detail}`, style: 'dim' });
  }
  out.note(`The model is shown: ${tier}, ${tokens} tokens (${why}).`);
  if (named.length > 0) out.note(`By name only, for lack of room: ${named.join(', ')}.`);
  if (suggestions.length > 0) out.note(`A search finds ${suggestions.map(({ name }) => name).join(', ')}.`);
}
