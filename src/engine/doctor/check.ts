import type { CheckAction } from './check-action.ts';

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

export function check(area: string, detail: string, { status = 'ok', remedy, action }: Partial<Check> = {}): Check {
  return { area, status, detail, remedy, action };
}

export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
