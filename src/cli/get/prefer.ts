import { prefer, resetPreference } from '../../install/prefer.ts';
import type { SwitchedSkill } from '../../install/switch.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { isForProject } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import { printedSkill } from '../output/printed-skill.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, env, options, isJson, out } = invocation;
  const [name = '', source] = args;
  const isReset = options.has('reset');
  const project = isForProject(options);
  if (isReset && source !== undefined) throw new WrongUsage('--reset takes no source');
  if (!isReset && source === undefined) return listCopies(name, invocation);
  const done =
    source === undefined
      ? await resetPreference(name, { cwd, env, project })
      : await prefer(name, source, { cwd, env, project });
  if (!done.ok) return reportFailure(invocation, done);
  const { skill, others } = done;
  if (isJson) {
    out.json({ ...done, skill: printedSkill(skill), others: others.map(printedSkill) });
    return 0;
  }
  out.line(describe(done, isReset));
  if (source !== undefined && project && skill.preferredBy !== 'project')
    out.note(`Your own copy is still used; a project cannot replace it.`);
  if (skill.status !== 'enabled') out.note(`It is ${skill.status}: ${skill.reasons.join('; ')}`);
  return 0;
}

function describe({ skill: { name, source, dir }, file, changed }: SwitchedSkill, isReset: boolean): string {
  const used = `Using ${name} from ${dir} (${source})`;
  if (changed.length > 0) return `${used}: changed preferred in ${file}`;
  return isReset ? `${used}; there was no preference in ${file}` : `${used}, as before.`;
}

/** Prints every copy of a skill, the one that is used first. */
async function listCopies(name: string, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const found = engine.find(name);
  if (!found.ok) return reportFailure(invocation, found);
  const { skill } = found;
  const { preferredBy } = skill;
  if (isJson) {
    const copies = [skill, ...skill.shadows].map(({ source, dir }) => ({ source, dir }));
    out.json({ ok: true, name: skill.name, preferredBy: preferredBy ?? null, copies });
    return 0;
  }
  const by = { user: '  (your preference)', project: "  (the project's preference)" };
  out.line({ text: '✓ ', style: 'green' }, `${skill.source}  ${skill.dir}`, {
    text: preferredBy === undefined ? '' : by[preferredBy],
    style: 'dim',
  });
  for (const { source, dir } of skill.shadows) out.line({ text: `· ${source}  ${dir}`, style: 'dim' });
  return 0;
}
