/** Numbers and times as people read them, the same in every locale. */

export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 skill`, `3 skills` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `Codex`, `Codex and Cursor`, `Claude Code, Codex and Cursor` */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** A reason as a sentence. An identifier at its beginning stays as it is. */
export function sentence(text: string): string {
  const isWord = /^[a-z]+(?![\w.])/.test(text);
  return text === '' ? '' : `${isWord ? text.charAt(0).toUpperCase() : text.charAt(0)}${text.slice(1)}.`;
}

/** `3 days ago`, for a date or for milliseconds since 1970; `never` without one. */
export function since(time: string | number | null | undefined, now: number = Date.now()): string {
  const at = typeof time === 'string' ? Date.parse(time) : time;
  if (at === null || at === undefined || at === 0) return 'never';
  const days = Math.floor((now - at) / 86_400_000);
  if (days < 1) return 'today';
  if (days < 14) return `${counted(days, 'day')} ago`;
  return days < 60 ? `${counted(Math.floor(days / 7), 'week')} ago` : `${counted(Math.floor(days / 30), 'month')} ago`;
}

export function sized(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(kib < 10 ? 1 : 0)} kB` : `${(kib / 1024).toFixed(1)} MB`;
}

/** A path as people write it. */
export function shortPath(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** A sentence with the paths in it as people write them. */
export function shortPaths(text: string, home: string): string {
  return text.replaceAll(`${home}/`, '~/');
}

/** A number of an address that a person may have typed. */
export function wholeNumber(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : otherwise;
}
