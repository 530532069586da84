/** Whether an IPv4 address (dotted, or as one number) is public: not local, private, reserved for examples or a well-known resolver. */
export function isForeignAddress(address: string): boolean {
  const parts = address.includes('.') ? address.split('.').map(Number) : splitNumber(Number(address));
  const [a = 0, b = 0, c = 0] = parts;
  if (parts.some((part) => part > 255)) return false;
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if ((a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  const isExample =
    (a === 192 && b === 0 && c === 2) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113);
  return !isExample && !/^(?:1\.2\.3\.4|8\.8\.[48]\.[48]|1\.1\.1\.1|1\.0\.0\.1|5\.6\.7\.8|9\.9\.9\.9)$/.test(address);
}

function splitNumber(number: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256);
}

/** Hosts that people and agents trust without a second look. */
const WELL_KNOWN = [
  'amazonaws.com',
  'anthropic.com',
  'bitbucket.org',
  'claude.ai',
  'cloudflare.com',
  'coinbase.com',
  'docker.com',
  'dropbox.com',
  'github.com',
  'github.io',
  'githubusercontent.com',
  'gitlab.com',
  'google.com',
  'googleapis.com',
  'huggingface.co',
  'metamask.io',
  'microsoft.com',
  'modelcontextprotocol.io',
  'npmjs.com',
  'npmjs.org',
  'openai.com',
  'paypal.com',
  'pypi.org',
  'pythonhosted.org',
  'slack.com',
  'stripe.com',
  'telegram.org',
  'vercel.com',
] as const;

/** Real names that are one letter away from a well-known one. */
const HONEST_NEIGHBOURS: ReadonlySet<string> = new Set([
  'openapi',
  'pypi',
  'slick',
  'black',
  'stack',
  'snack',
  'claud',
]);

/** Whether an authority (`user@host:port`) imitates a well-known host. */
export function isImitatedHost(authority: string): boolean {
  const [host = '', user] = authority.toLowerCase().split('@').toReversed();
  if (user !== undefined) return NAME.test(user);
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '');
  if (!NAME.test(name)) return false;
  if (name.split('.').some((label) => label.startsWith('xn--'))) return true;
  if (WELL_KNOWN.some((known) => name === known || name.endsWith(`.${known}`))) return false;
  return WELL_KNOWN.some((known) => isPrefixOf(known, name)) || isNearKnown(labelOf(name));
}

const NAME = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,20}$/;

/** `github.com.evil.net`, `github-com.net` */
function isPrefixOf(known: string, name: string): boolean {
  const isLong = known.indexOf('.') > 5;
  return (
    (isLong && (name.startsWith(`${known}.`) || name.includes(`.${known}.`))) ||
    name.startsWith(`${known.replace('.', '-')}.`)
  );
}

function labelOf(name: string): string {
  return name.split('.').at(-2) ?? '';
}

const SHORTEST_LABEL = 6;
const KNOWN_LABELS = new Set(WELL_KNOWN.map(labelOf).filter(({ length }) => length >= SHORTEST_LABEL));

function isNearKnown(label: string): boolean {
  if (KNOWN_LABELS.has(label) || HONEST_NEIGHBOURS.has(label)) return false;
  return KNOWN_LABELS.has(unmask(label)) || [...KNOWN_LABELS].some((known) => isOneSlipAway(label, known));
}

/** Replaces digits and letter pairs that look like a letter. */
function unmask(label: string): string {
  return label
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('3', 'e')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** One letter added, removed or changed, or two neighbours swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  const isSwap = restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
  return isSwap || (restA.length <= 1 && restB.length <= 1);
}
