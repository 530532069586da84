import { harmlessBlock, harmlessLine } from '../disclose/harmless.ts';
import type { Failure, OutcomeCode } from '../model/outcome.ts';

/** Failures that only the user can remedy. A model could otherwise run the command in the hint through a shell. */
const FOR_THE_USER: ReadonlySet<OutcomeCode> = new Set([
  'NOT_TRUSTED',
  'AUDIT_REFUSED',
  'SANDBOX_UNAVAILABLE',
  'CONFIG_INVALID',
]);

/** Operations that change what is installed, enabled or trusted; agents have no tool for them. */
const USER_OPERATION =
  /`((?:audit|config|disable|doctor|enable|fix|install|new|prefer|remove|rollback|sync|trust|update|validate|verify)(?: [^`]*)?)`/g;

/** Settings belong to the user, too. */
const CONFIGURATION = /\bconfiguration\b|config\.yaml/;

/** A failure for a model: hidden characters are visible, and the hint says what the model, or else the user, can do. */
export function failForModel<T extends Failure>(failure: T): T {
  const message = harmlessLine(failure.message);
  const { code, hint = code === 'NOT_TRUSTED' ? 'Trust the skill.' : undefined } = failure;
  return hint === undefined ? { ...failure, message } : { ...failure, message, hint: hintForModel(code, hint) };
}

/** A failure as one text for a model: the message, then the hint. */
export function failureText({ message, hint }: Pick<Failure, 'message' | 'hint'>): string {
  if (hint === undefined) return message;
  return /[.!?]$/.test(message) ? `${message} ${hint}` : `${message}. ${hint}`;
}

/** The same data, with hidden characters made visible in every string. */
export function dataForModel<T>(data: T): T {
  // The structure stays; only characters inside strings change.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return harmlessData(data) as T;
}

function harmlessData(data: unknown): unknown {
  if (typeof data === 'string') return harmlessBlock(data);
  if (Array.isArray(data)) return data.map(harmlessData);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, harmlessData(value)]));
}

const USER_ONLY = 'Only the user may do this; tell them, and do not do it yourself: ';

function hintForModel(code: OutcomeCode, hint: string): string {
  if (hint.startsWith(USER_ONLY)) return hint;
  const text = harmlessLine(hint).replaceAll(USER_OPERATION, '`skillplane $1`');
  const isForUser = FOR_THE_USER.has(code) || text.includes('`skillplane ') || CONFIGURATION.test(text);
  return isForUser ? `${USER_ONLY}${text}` : text;
}
