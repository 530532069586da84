import { openSkills } from '../../engine/open-skills.ts';
import { reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, values, cwd, isJson, out } = invocation;
  const max = values.get('max')?.at(-1) ?? '3';
  if (!/^\d+$/.test(max)) return reportUsage(invocation, `--max takes a whole number, not "${max}"`);
  const engine = await openSkills({ cwd });
  const options = { maxSkills: Number(max), paths: values.get('path') ?? [] };
  const { matches, suggestions } = await engine.match(args.join(' '), options);
  reportConfigTrouble(engine.catalog().diagnostics, out);
  await engine[Symbol.asyncDispose]();
  if (isJson) {
    const named = matches.map(({ skill, reasons }) => ({ name: skill.name, reasons }));
    out.json({ ok: true, matches: named, suggestions: suggestions.map(({ name, score }) => ({ name, score })) });
    return 0;
  }
  for (const { skill, reasons } of matches) {
    out.line({ text: skill.name, style: 'bold' });
    for (const { kind, detail } of reasons) out.line('      ', { text: `${kind}: ${detail}`, style: 'dim' });
  }
  if (matches.length === 0) out.note('The message activates no skill.');
  if (suggestions.length > 0) out.note(`A search finds ${suggestions.map(({ name }) => name).join(', ')}.`);
  return 0;
}
