/** A name for a skill that does not name itself, from the last part of an address. */
export function suggestName(last: string): string {
  const name = last
    .replace(/\.git$/, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  return name.replaceAll(/^-|-$/g, '').slice(0, 64) || 'skill';
}
