/** A host as it may stand in an address, in lower case: a name, an IPv4 or a bracketed IPv6 address, nothing odder. */
export function parseHost(text: string): string | undefined {
  const host = text.toLowerCase();
  if (host.length > 253) return undefined;
  if (host.startsWith('[')) return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : undefined;
  if (!NAME.test(host)) return undefined;
  // Whatever ends in a number is taken for an IPv4 address, in octal, hexadecimal and with parts missing, too.
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host) && !IPV4.test(host) ? undefined : host;
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const IPV4 = new RegExp(String.raw`^(?!0\d|.*\.0\d)${BYTE}(?:\.${BYTE}){3}$`);
