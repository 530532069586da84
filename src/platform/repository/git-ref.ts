/** Is this a full commit id? */
export function isCommitId(ref: string): boolean {
  return /^[0-9a-f]{40}$/i.test(ref);
}

/** Could this be a commit id, full or abbreviated? */
export function looksLikeCommit(ref: string): boolean {
  return /^[0-9a-f]{7,40}$/i.test(ref);
}

const MAX_REF_LENGTH = 250;

/**
 * Why a text cannot be a ref, by git's own rules (git-check-ref-format) or because it is dangerous as an argument;
 * undefined if it can.
 */
export function findRefFault(ref: string): string | undefined {
  if (ref === '') return 'is empty';
  if (ref.length > MAX_REF_LENGTH) return `is longer than ${MAX_REF_LENGTH} characters`;
  if (ref.startsWith('-')) return 'begins with "-"';
  if (/[\0-\x20\x7f-\x9f\u2028\u2029]/.test(ref)) return 'contains a space or a control character';
  const bad = /[~^:?*[\\]|\.\.|@\{|\/\//.exec(ref);
  if (bad !== null) return `contains "${bad[0]}"`;
  if (ref === '@') return 'is only "@"';
  if (/^\/|[/.]$/.test(ref)) return 'begins or ends with "/", or ends with "."';
  if (/(?:^|\/)\.|\.lock(?:\/|$)/i.test(ref)) return 'has a part that begins with "." or ends with ".lock"';
  return undefined;
}
