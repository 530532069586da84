import type { DisclosedMessage } from '../../engine/skill-disclosure.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const settings = {
    maxSkills: options.count('max'),
    paths: options.all('path'),
    budget: options.count('budget'),
    recordUse: false,
  };
  await using engine = await openEngine(invocation);
  const disclosed = await engine.disclosure.disclose(options.text('message') ?? '', settings);
  const matches = disclosed.matches.map(({ skill: { name }, ...match }) => ({ name, ...match }));
  if (isJson) out.json({ ok: true, ...disclosed, matches });
  else print(disclosed, out);
  return 0;
}

const TIERS: Readonly<Record<DisclosedMessage['tier'], string>> = {
  none: 'nothing',
  breadcrumb: 'the number of skills',
  catalog: 'the skill list',
  instructions: 'the instructions',
};

function print({ tier, why, tokens, matches, named, suggestions }: DisclosedMessage, out: Output): void {
  for (const { skill, reasons } of matches) {
    out.line({ text: skill.name, style: 'bold' });
    for (const { kind, detail } of reasons) out.line('      ', { text: `${kind}: ${detail}`, style: 'dim' });
  }
  out.note(`The model gets ${TIERS[tier]}: ${tokens} tokens (${why}).`);
  if (named.length > 0) out.note(`Listed by name only: ${named.join(', ')}.`);
  if (suggestions.length > 0) out.note(`A search finds ${suggestions.map(({ name }) => name).join(', ')}.`);
}
