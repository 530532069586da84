import { countStandings, findInView, HOST_IDS, type HostView, type SeenSkill, viewHost } from '../../hosts.ts';
import { readEnvironment } from '../../index.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Skill } from '../../model/skill.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { findHost } from '../input/find-host.ts';
import { openEngine } from '../open-engine.ts';
import { printHostView, printSeenSkill } from '../output/host-view.ts';

/** `skillplane explain <host> [name]` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, env, isJson, out } = invocation;
  const [id = '', name] = args;
  const host = findHost(id);
  const place = readEnvironment({ cwd, env });
  const view = viewHost(host, place, { window: options.count('window', { min: 1 }), model: options.text('model') });
  if (name === undefined) {
    if (isJson) out.json({ ok: true, ...toJson(view, view.skills) });
    else printHostView(view, invocation);
    return 0;
  }
  const found = findInView(view, name);
  if (found.length === 0) return explainAbsence(name, view, invocation);
  if (isJson) out.json({ ok: true, ...toJson(view, found) });
  else for (const seen of found) printSeenSkill(seen, view, out);
  return 0;
}

/** The host comes across no such skill: says where it is, if we know it, and where the host looks. */
async function explainAbsence(name: string, view: HostView, invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, isJson, out, renderHint } = invocation;
  await using engine = await openEngine(invocation);
  const known = engine.find(name);
  const roots = view.host.roots(readEnvironment({ cwd, env }));
  const best = roots.find(({ level, use }) => level === 'user' && use !== 'host');
  const because = known.ok
    ? `${view.host.title} does not look where it lies: ${known.skill.dir}`
    : `${view.host.title} finds no skill of this name, and neither does skillplane`;
  const remedy =
    known.ok && best !== undefined
      ? adviseLink(view.host.id, known.skill, best.path)
      : `It reads ${roots.map(({ path }) => path).join(', ')}.`;
  if (isJson) out.json({ ok: true, host: view.host.id, name, standing: 'lost', because, remedy: renderHint(remedy) });
  else {
    out.line({ text: '✗', style: 'red' }, ' ', { text: name, style: 'bold' }, '  not seen');
    out.line('  ', because);
    out.line('  ', { text: `→ ${renderHint(remedy)}`, style: 'cyan' });
  }
  return 0;
}

/** Only hosts that we know well can be synced. */
function adviseLink(host: string, { name, dir, id, enabled }: Skill, root: string): string {
  if (!HOST_IDS.some((known) => known === host)) return `Link the folder: ln -s ${dir} ${root}/${id}`;
  const enable = enabled ? '' : `\`enable ${quoteWord(name)}\`, then `;
  return `${enable}\`sync ${host}\` shows it there.`;
}

function toJson(view: HostView, skills: readonly SeenSkill[]): object {
  const { host, room, faults } = view;
  return {
    host: host.id,
    rulesSeenIn: host.seenIn ?? null,
    counts: countStandings(view),
    room: room ?? null,
    faults,
    builtIn: host.builtIn,
    skills: skills.map(({ skill, label, standing, text, because, remedy }) => ({
      name: skill.name,
      label: label ?? skill.name,
      standing,
      file: skill.file,
      level: skill.root.level,
      description: skill.description,
      shown: text,
      because: because ?? null,
      remedy: remedy ?? null,
      rivals: skill.rivals ?? [],
    })),
  };
}
