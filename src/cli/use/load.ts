import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import { describeWithheld } from '../output/withheld.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out, sayNext } = invocation;
  await using engine = await openEngine(invocation);
  const loaded = await engine.loader.load(args[0] ?? '');
  if (!loaded.ok) return reportFailure(invocation, loaded);
  const withheld = await engine.trust.findWithheld(loaded.skill);
  if (withheld !== undefined) out.note({ text: 'warning: ', style: 'yellow' }, describeWithheld(withheld, sayNext));
  const { stamp: _, ...skill } = loaded.skill;
  if (isJson) out.json({ ...loaded, skill });
  else out.file(options.has('body') ? `${loaded.body}\n` : loaded.raw);
  return 0;
}
