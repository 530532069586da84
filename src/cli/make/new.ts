import { newSkill, type NewSkill, type NextStep, TEMPLATES, validateSkill } from '../../author.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk } from '../input/ask.ts';
import { editFile, findEditor } from '../input/edit-file.ts';
import type { Io } from '../io.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, env, options, isJson, out } = invocation;
  const template = options.oneOf('template', TEMPLATES);
  await using engine = await openEngine(invocation);
  const created = await newSkill(engine, args[0] ?? '', {
    description: options.text('description'),
    template,
    project: options.has('project'),
  });
  if (!created.ok) return reportFailure(invocation, created);
  if (isJson) {
    out.json({ ...created, next: created.next.map(toCommandLine) });
    return 0;
  }
  out.line({ text: 'Created ', style: 'green' }, created.path);
  if (!options.has('noEdit') && canAsk(invocation)) await edit(created, env, out);
  out.note('Next:');
  for (const step of created.next) out.note('  ', toCommandLine(step));
  return 0;
}

async function edit({ path, dir }: NewSkill, env: Io['env'], out: Output): Promise<void> {
  const editor = findEditor(env);
  if (editor === undefined) return;
  const problem = await editFile(editor, path, env);
  if (problem !== undefined) out.note({ text: 'warning: ', style: 'yellow' }, problem);
  for (const { message } of validateSkill(dir).errors) out.note({ text: '  to fix: ', style: 'yellow' }, message);
}

function toCommandLine(step: NextStep): string {
  return ['skillplane', step.operation, ...argumentsOf(step).map(quoteWord)].join(' ');
}

function argumentsOf(step: NextStep): readonly string[] {
  if (step.operation === 'validate') return [step.dir];
  if (step.operation === 'read') return [step.url];
  if (step.operation === 'run') return [step.skill, step.script, '--', ...step.args];
  if (step.operation === 'call') return [step.skill, step.tool, '--args', JSON.stringify(step.args)];
  return [step.skill];
}
