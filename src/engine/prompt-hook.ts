import { noteHook, readHookLog, type HookLog, type HookNote } from '../hosts/hooks/hook-log.ts';
import type { HookEvent, HostHook, PromptEvent, UseEvent } from '../hosts/hooks/host-hook.ts';
import type { HostId } from '../model/agents.ts';
import { parseJson } from '../model/json.ts';
import { now } from '../platform/clock.ts';
import type { Skills } from './open-skills.ts';
import type { HintRequest } from './skill-hint.ts';
import { teamOf } from './skill-usage.ts';

/** Reads the text that a host gives its hook; undefined if that is not JSON, or does not concern us. */
export async function readHookEvent(host: HostId, text: string): Promise<HookEvent | undefined> {
  const hook = await loadHook(host);
  return hook.readEvent(parseJson(text));
}

/** The answer to a message in the form that the host takes; empty if there is nothing to say, as in most cases. */
export async function answerPrompt(
  skills: Skills,
  host: HostId,
  event: PromptEvent,
  { canLoad }: Pick<HintRequest, 'canLoad'> = {},
): Promise<string> {
  const { prompt: message, active, transcript } = event;
  const hint = await skills.hint({ message, host, active, transcript, canLoad });
  return hint === undefined ? '' : (await loadHook(host)).render(hint.text);
}

/** Lazy: only a process that answers a hook needs it. */
async function loadHook(host: HostId): Promise<HostHook> {
  const { HOSTS } = await import('../hosts/all-hosts.ts');
  return HOSTS[host].hook;
}

/** Logs when a hook was called and what it returned, so that people can see whether it works. */
export function noteAsked(
  { environment: { agentHome } }: Pick<Skills, 'environment'>,
  host: HostId,
  did: HookNote['did'],
): void {
  noteHook(agentHome, host, { at: now(), did });
}

export function readAsked({ environment: { agentHome } }: Pick<Skills, 'environment'>, host: HostId): HookLog {
  return readHookLog(agentHome, host);
}

/** How much of the host's history is read if only that knows what was used. */
const LIMITS = { bytes: 67_108_864, ms: 1_000 };

/** Records a use immediately. The agent's history contains the same use later; it is counted once. */
export async function recordUse(skills: Skills, host: HostId, event: UseEvent): Promise<void> {
  const { id, session, cwd = '' } = event;
  if (id === undefined) {
    await skills.importHistory({ hosts: [host], ...LIMITS });
    return;
  }
  const [{ eventId, useId }, { projectDirectories }] = await Promise.all([
    import('../hosts/history/session.ts'),
    import('../platform/project.ts'),
  ]);
  const project = cwd === '' ? '' : (projectDirectories(cwd).at(-1) ?? cwd);
  const found = event.skills.map((skill) => {
    const use = { skills: [skill], kind: 'loaded' as const, outcome: 'ok' as const, at: now(), session, project };
    return {
      id: eventId(host, useId({ id, skill, session })),
      events: [{ ...use, agent: host, team: teamOf(skills.environment, {}) }],
    };
  });
  await skills.usage.import({ found, readings: [] });
}
