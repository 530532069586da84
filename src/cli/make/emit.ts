import { EMIT_TARGETS, type EmitTarget } from '../../model/target-id.ts';
import { emit, type EmittedManifests } from '../../publish/emit/emit.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printDiff } from '../output/print-diff.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, isJson, out } = invocation;
  const check = options.has('check');
  const targets = readEmitTargets(invocation.args);
  const emitted = await emit(targets, {
    dir: cwd,
    check,
    name: options.text('name'),
    description: options.text('description'),
    owner: options.text('owner'),
    allow: options.all('allow'),
  });
  if (!emitted.ok) return reportFailure(invocation, emitted);
  const isCurrent = emitted.files.every(({ state }) => state === 'unchanged');
  if (isJson) out.json({ ...emitted, ok: !check || isCurrent });
  else {
    printFiles(emitted, check, out);
    if (check && !isCurrent) out.error({ text: 'skillplane: ', style: 'red' }, outdated(targets));
  }
  return check && !isCurrent ? 1 : 0;
}

function readEmitTargets(words: readonly string[]): readonly EmitTarget[] {
  const chosen = words.flatMap((word): readonly EmitTarget[] => {
    if (word === 'all') return EMIT_TARGETS;
    const target = EMIT_TARGETS.find((each) => each === word);
    if (target === undefined)
      throw new WrongUsage(`--manifests takes ${EMIT_TARGETS.join(', ')} or all, not "${word}"`);
    return [target];
  });
  return [...new Set(chosen)];
}

function printFiles({ files, notes }: EmittedManifests, check: boolean, out: Output): void {
  for (const { path, state, diff } of files) {
    const word = check && state === 'created' ? 'missing' : check && state === 'changed' ? 'outdated' : state;
    out.line({ text: word.padEnd(9), style: state === 'unchanged' ? 'dim' : 'green' }, `  ${path}`);
    if (check && diff !== '') printDiff(diff, out);
  }
  for (const note of notes) out.note({ text: 'note: ', style: 'yellow' }, note);
}

function outdated(targets: readonly EmitTarget[]): string {
  return `the files do not match the skills; run \`skillplane publish --manifests ${targets.join(' ')}\``;
}
