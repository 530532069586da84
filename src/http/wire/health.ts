/** A change that repairs something by itself. */
export type Repair =
  | { readonly kind: 'setting'; readonly setting: string; readonly change: 'set' | 'add'; readonly value: string }
  | { readonly kind: 'fix'; readonly skill: string }
  | { readonly kind: 'copy'; readonly skill: string };

export interface HealthCheck {
  readonly area: string;
  readonly status: 'ok' | 'info' | 'warning' | 'error';
  readonly detail: string;
  readonly remedy: string | null;
  readonly repair: Repair | null;
}
