import type { HostId } from '../../model/host-id.ts';

export type CheckStatus = 'ok' | 'info' | 'warning' | 'error';

/** One thing that was looked at; `remedy` says what to do about it, if anything. */
export interface Check {
  readonly area: string;
  readonly status: CheckStatus;
  readonly detail: string;
  readonly remedy: string | undefined;
  /** The remedy as an operation, if it is a single one. */
  readonly action: CheckAction | undefined;
}

/** A remedy that is one operation, so that a surface can offer to do it. */
export type CheckAction =
  | { readonly kind: 'setting'; readonly setting: string; readonly change: 'set' | 'add'; readonly value: string }
  /** Fix the SKILL.md in a folder. */
  | { readonly kind: 'fix'; readonly dir: string }
  /** Update a copy of a bundled skill. */
  | { readonly kind: 'copy'; readonly skill: string }
  /** Install a skill again as the lock has it. */
  | { readonly kind: 'restore'; readonly skill: string }
  /** Give a host the MCP server and the hook. */
  | { readonly kind: 'connect'; readonly host: HostId };

export function check(area: string, detail: string, { status = 'ok', remedy, action }: Partial<Check> = {}): Check {
  return { area, status, detail, remedy, action };
}

export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
