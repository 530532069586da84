import type { Outcome } from '../../model/outcome.ts';
import { putJsonEntry, takeJsonEntry } from '../editing/json-entries.ts';
import { isObject, parseJsonText } from '../editing/json-text.ts';
import { valueAt } from '../history/json-value.ts';
import type { HookPiece } from '../hooks/host-hook.ts';

/** Puts a piece of a hook into the text of its file. */
export function putPiece(
  text: string,
  piece: Exclude<HookPiece, { kind: 'file' }>,
): Outcome<{ readonly text: string }> {
  if (piece.kind === 'element') return putJsonEntry(text, { kind: 'item', at: piece.at, value: piece.value });
  const parsed = parseJsonText(text.trim() === '' ? '{}' : text);
  if (parsed.ok && valueAt(parsed.value, ...piece.at) !== undefined) return { ok: true, text };
  return putJsonEntry(text, { kind: 'key', at: piece.at, value: piece.value });
}

/** Takes every hook of ours out of a file of hooks, older forms included. One among other hooks of a group stays. */
export function takeHooks(text: string, host: string): Outcome<{ readonly text: string }> {
  let edited = text;
  for (const { event, value } of listHooks(text).filter((hook) => isOurs(hook.value, host))) {
    const taken = takeJsonEntry(edited, { kind: 'item', at: ['hooks', event], value });
    if (!taken.ok) return taken;
    edited = taken.text;
  }
  return { ok: true, text: edited };
}

/** How a file has a host tell us of messages and of uses. */
export interface FoundHook {
  readonly asks: 'server' | 'process';
  readonly recordsUse: boolean;
}

/** The hook of ours in a file of a host; undefined if there is none. */
export function findHook(text: string, host: string, { kind, useMark }: HookFile): FoundHook | undefined {
  if (kind === 'file')
    return mentionsUs(text, host) ? { asks: 'process', recordsUse: text.includes(useMark) } : undefined;
  const ours = listHooks(text)
    .map(({ event, value }) => ({ event, json: JSON.stringify(value) }))
    .filter(({ json }) => mentionsUs(json, host));
  if (ours.length === 0) return undefined;
  return {
    asks: ours.some(({ json }) => ASKS_SERVER.test(json)) ? 'server' : 'process',
    recordsUse: ours.some(({ event }) => event === useMark),
  };
}

interface HookFile {
  readonly kind: HookPiece['kind'];
  readonly useMark: string;
}

interface ListedHook {
  readonly event: string;
  readonly value: unknown;
}

function listHooks(text: string): readonly ListedHook[] {
  const parsed = parseJsonText(text.replace(/^\uFEFF/, '').trim() === '' ? '{}' : text.replace(/^\uFEFF/, ''));
  const hooks = parsed.ok ? parsed.value['hooks'] : undefined;
  if (!isObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, list]) =>
    Array.isArray(list) ? list.map((value: unknown) => ({ event, value })) : [],
  );
}

function isOurs(value: unknown, host: string): boolean {
  const hooks = valueAt(value, 'hooks');
  return Array.isArray(hooks)
    ? hooks.length > 0 && hooks.every((hook) => mentionsUs(JSON.stringify(hook), host))
    : mentionsUs(JSON.stringify(value), host);
}

const ASKS_SERVER = /"server":"skillplane","tool":"suggest"/;

/** Does a text have this host ask us? */
export function mentionsUs(json: string, host: string): boolean {
  return ASKS_SERVER.test(json) || new RegExp(String.raw`skillplane[^]{0,300}\bhook\b["',\\ ]+${host}\b`).test(json);
}
