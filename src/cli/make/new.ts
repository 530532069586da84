import { newSkill, type NewSkill } from '../../author/new-skill.ts';
import { type TemplateStep, TEMPLATES } from '../../author/skill-templates.ts';
import { validateSkill } from '../../author/validate.ts';
import { quoteWord } from '../../model/shell-word.ts';
import { findEditor } from '../../platform/editor.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { askForAgents, readAgentOption } from '../input/choose-agents.ts';
import { editFile } from '../input/edit-file.ts';
import type { Io } from '../io.ts';
import { openEngine } from '../open-engine.ts';
import { describeFacts } from '../output/agent-facts.ts';
import { describeFailure, reportFailure } from '../output/failure.ts';
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
  const given = await giveNew(args[0] ?? '', invocation);
  if (isJson) {
    const agents = given.ok ? { agents: given.given.skills } : describeFailure(given);
    out.json({ ...created, next: created.next.map(toCommandLine), ...agents });
    return given.ok ? 0 : 1;
  }
  out.line({ text: 'Created ', style: 'green' }, created.path);
  if (!given.ok) return reportFailure(invocation, given);
  for (const line of describeFacts(given.given.skills, invocation)) out.line(line);
  if (!options.has('noEdit') && canAsk(invocation)) await edit(created, env, out);
  out.note('Next:');
  for (const step of created.next) out.note('  ', toCommandLine(step));
  return 0;
}

async function giveNew(name: string, invocation: Invocation): ReturnType<typeof give> {
  const { isJson, options } = invocation;
  const agents = readAgentOption(invocation);
  const choose = agents === undefined ? undefined : ({ how: 'only', agents } as const);
  if (agents === undefined && canAsk(invocation) && !isJson && !options.has('yes'))
    await askForAgents(invocation, openQuestions(invocation));
  return give(invocation, [name], { choose, project: options.has('project') });
}

async function edit({ path, dir }: NewSkill, env: Io['env'], out: Output): Promise<void> {
  const editor = findEditor(env);
  if (editor === undefined) return;
  const problem = await editFile(editor, path, env);
  if (problem !== undefined) out.note({ text: 'warning: ', style: 'yellow' }, problem);
  for (const { message } of validateSkill(dir).errors) out.note({ text: '  to fix: ', style: 'yellow' }, message);
}

function toCommandLine(step: TemplateStep): string {
  return ['skillplane', step.operation, ...argumentsOf(step).map(quoteWord)].join(' ');
}

function argumentsOf(step: TemplateStep): readonly string[] {
  if (step.operation === 'validate') return [step.dir];
  if (step.operation === 'read') return [step.url];
  if (step.operation === 'run')
    return step.script === undefined ? [step.skill] : [step.skill, step.script, ...(step.args ?? [])];
  return [step.skill];
}
