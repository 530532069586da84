import { explainUnseen } from '../../engine/present-agents.ts';
import { countStandings } from '../../hosts/seeing/host-report.ts';
import { findInView } from '../../hosts/seeing/skill-in-view.ts';
import { type HostView, type SeenSkill, viewHost } from '../../hosts/seeing/view-host.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { readHost } from '../input/host-argument.ts';
import { openEngine } from '../open-engine.ts';
import { printHostView, printSeenSkill } from '../output/host-view.ts';

/** `skillplane agents explain <agent> [skill]` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, cwd, env, isJson, out } = invocation;
  const [id = '', name] = args;
  const host = readHost(id);
  const place = readEnvironment({ cwd, env });
  const view = viewHost(host, place, { window: options.count('window', { min: 1 }), model: options.text('model') });
  if (name === undefined) {
    if (isJson) out.json(describeView(view, view.skills));
    else printHostView(view, invocation);
    return 0;
  }
  const found = findInView(view, name);
  if (found.length === 0) return explainAbsence(name, view, invocation);
  if (isJson) out.json(describeView(view, found));
  else for (const seen of found) printSeenSkill(seen, view, invocation);
  return 0;
}

async function explainAbsence(name: string, view: HostView, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out, sayNext } = invocation;
  await using engine = await openEngine(invocation);
  const { because, next } = explainUnseen(engine, view.host, name);
  if (isJson) out.json({ ok: true, host: view.host.id, name, standing: 'unseen', because, next });
  else {
    out.line({ text: '✗', style: 'red' }, ' ', { text: name, style: 'bold' }, '  not visible');
    out.line('  ', because);
    out.line('  ', { text: `→ ${sayNext(next)}`, style: 'cyan' });
  }
  return 0;
}

function describeView(view: HostView, skills: readonly SeenSkill[]): object {
  const { host, room, faults } = view;
  return {
    ok: true,
    host: host.id,
    seenIn: host.seenIn,
    builtIn: host.builtIn,
    counts: countStandings(view),
    room,
    faults,
    skills: skills.map(({ skill, ...seen }) => ({ ...skill, fields: undefined, ...seen })),
  };
}
