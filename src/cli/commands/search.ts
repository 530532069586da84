import { openSkills, type Skills } from '../../index.ts';
import { reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import type { Output } from '../output.ts';
import { fitToWidth } from '../width.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, values, flags, cwd, isJson, out } = invocation;
  const limit = values.get('limit')?.at(-1) ?? '10';
  if (!/^\d+$/.test(limit)) return reportUsage(invocation, `--limit takes a whole number, not "${limit}"`);
  const query = args.join(' ');
  const filters = { tags: values.get('tag'), domain: values.get('domain')?.at(-1) };
  await using engine = await openSkills({ cwd });
  const results = await engine.search({ query, ...filters, limit: Number(limit), onReading: reportReading(out) });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  reportUnusable(engine.find(query), out);
  if (isJson) out.json({ ok: true, query, results });
  else if (results.length === 0) out.note('No skill matches.');
  for (const { name, description, score, reasons } of isJson ? [] : results) {
    const line = description.split('\n', 1)[0] ?? '';
    out.line({ text: score.toFixed(2), style: 'cyan' }, '  ', { text: name, style: 'bold' });
    out.line('      ', fitToWidth(line, out.columns - 6));
    if (flags.has('explain')) for (const reason of reasons) out.line('      ', { text: reason, style: 'dim' });
  }
  return 0;
}

/** A skill that has the name that is looked for and is not among the results: whoever looks wants to know why. */
function reportUnusable(found: ReturnType<Skills['find']>, out: Output): void {
  if (!found.ok || found.skill.status === 'enabled') return;
  const { name, status, reasons } = found.skill;
  out.note(`${name} is ${status}: ${reasons.join('; ')}`);
}

/** The first search over many skills reads them all; whoever waits is told so, once. */
function reportReading(out: Output): (left: number) => void {
  let isSaid = false;
  return (left) => {
    if (!isSaid) out.note(`Reading ${left} new skills, this once.`);
    isSaid = true;
  };
}
