import type { CheckAction } from '../../engine/doctor/check.ts';

export interface HealthCheck {
  readonly area: string;
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly detail: string;
  readonly remedy: string | null;
  readonly action: CheckAction | null;
}

/** An action that the console carries out at once; connecting a host is looked at first. */
export type Repair =
  | Exclude<CheckAction, { readonly kind: 'connect' }>
  | { readonly kind: 'setting'; readonly setting: string; readonly change: 'remove'; readonly value: string };

/** A repair that was made, and the one that takes it back. */
export interface Repaired {
  readonly said: string;
  readonly undo: Repair | null;
}
