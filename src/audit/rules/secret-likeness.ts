/** Examples in documentation look like keys, too: they repeat, count up, or say what they are. */
const PLACEHOLDER =
  /example|placeholder|your|xxxx|0000|1234567|abcdef|test|fake|dummy|sample|redacted|changeme|replace|secret|insert|here|todo|\.\.\.|\*\*/i;

/** Is a text with the form of a key as irregular as a real one? */
export function isLikelyKey(text: string): boolean {
  return !PLACEHOLDER.test(text) && entropyOf(text) > 3.2;
}

/** Is a value that was assigned to a password more than a word or a placeholder? */
export function isLikelyPassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds === 3 && !/[./]\w+[./]/.test(value) && !/pass|user|token|key/i.test(value) && isLikelyKey(value);
}

/** Bits per character: 0 for one letter repeated, about 4.5 and more for random letters and figures. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
