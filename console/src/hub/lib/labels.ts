import type { SkillName, VersionName } from './api.ts';

/** `@team/pdf` */
export function labelOf({ scope, name }: SkillName): string {
  return `@${scope}/${name}`;
}

/** `@team/pdf@1.4.0` */
export function versionLabel(version: VersionName): string {
  return `${labelOf(version)}@${version.version}`;
}

/** The scope and name of `@team/pdf`. */
export function parseLabel(label: string): SkillName {
  const [, scope = '', name = ''] = /^@([^/]+)\/(.+)$/.exec(label) ?? [];
  return { scope, name };
}

/** `2026-11-17 09:30` in UTC, the same for everyone who reads it. */
export function momentOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

const DAY_MS = 86_400_000;

/** The Mondays of the last weeks, the oldest first, as in 2026-11-16. */
export function lastWeeks(count: number, now: number = Date.now()): readonly string[] {
  // 1970 began on a Thursday, three days after a Monday.
  const days = Math.floor(now / DAY_MS) + 3;
  const monday = days - (days % 7) - 3;
  return Array.from({ length: count }, (_, at) =>
    new Date((monday - 7 * (count - 1 - at)) * DAY_MS).toISOString().slice(0, 10),
  );
}
