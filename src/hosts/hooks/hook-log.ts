import { join } from 'node:path';

import type { HostId } from '../../model/agents.ts';
import { parseJson } from '../../model/json.ts';
import { readOwnText } from '../../platform/files/files.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { numberAt, type Json } from '../history/json-value.ts';

/** When the hook of a host last did something, in milliseconds since 1970; 0 for never. */
export interface HookLog {
  readonly asked: number;
  readonly spoke: number;
  /** It was not ready in time, and said nothing. */
  readonly late: number;
}

export function readHookLog(agentHome: string, host: HostId): HookLog {
  const read = readOwnText(logFile(agentHome, host));
  const given: Json = read.ok && read.text !== undefined ? parseJson(read.text) : undefined;
  return { asked: numberAt(given, 'asked'), spoke: numberAt(given, 'spoke'), late: numberAt(given, 'late') };
}

/** Notes what happened now. A note that gets lost costs nothing, so this does not wait for the disk. */
export function noteHook(agentHome: string, host: HostId, { at, did }: HookNote): void {
  const log = { ...readHookLog(agentHome, host), asked: at, ...(did === 'nothing' ? {} : { [did]: at }) };
  replaceFile(logFile(agentHome, host), JSON.stringify(log), { isPrivate: true, isLosable: true });
}

export interface HookNote {
  readonly at: number;
  readonly did: 'spoke' | 'late' | 'nothing';
}

function logFile(agentHome: string, host: HostId): string {
  return join(agentHome, 'hosts', `${host}-hook.json`);
}
