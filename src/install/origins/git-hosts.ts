/** The path of a web address: the repository, and the ref and folder that the page shows. */
export interface WebPath {
  /** Begins with `/`, without `.git`. */
  readonly repository: string;
  /** `.git` if the address had it, else empty. */
  readonly suffix: string;
  /** The first part: a branch whose name contains a slash goes on in `path`. */
  readonly ref: string | undefined;
  readonly path: string | undefined;
}

const USUAL_HOSTS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

/** Hosts that serve every repository as `/<owner>/<name>.git`. */
export function isUsualHost(host: string): boolean {
  return USUAL_HOSTS.has(host);
}

/** Splits `/owner/repo/tree/<ref>/<path>` and similar paths; `path` begins with `/` or is empty. */
export function parseWebPath(host: string, path: string): WebPath | { readonly fault: string } {
  const page = isUsualHost(host) ? PAGE.exec(path) : GITLAB_PAGE.exec(path);
  const repository = page?.groups?.['repository'] ?? path;
  if (repository === '') return { fault: 'the path of the repository is missing' };
  const plain = repository.replace(/\.git$/, '');
  const depth = plain.split('/').length - 1;
  if (isUsualHost(host) && (host === 'gitlab.com' ? depth < 2 : depth !== 2))
    return { fault: 'this host names repositories as owner/name' };
  const shown = decodeURIComponent(page?.groups?.['shown'] ?? '');
  // A page of a file means the skill in its folder.
  const folder = page?.groups?.['kind'] === 'blob' ? shown.replace(/\/[^/]*$/, '') : shown.replace(/\/skill\.md$/i, '');
  const [ref, ...inner] = folder.split('/');
  return {
    repository: plain,
    suffix: plain === repository ? '' : '.git',
    ref: ref === '' ? undefined : ref,
    path: inner.join('/') || undefined,
  };
}

const GITLAB_PAGE = /^(?<repository>\/.+?)\/-\/(?<kind>tree|blob)\/(?<shown>.+)$/;
const PAGE = /^(?<repository>\/.+?)\/(?:(?:-\/)?(?<kind>tree|blob)|src(?:\/(?:branch|tag|commit))?)\/(?<shown>.+)$/;

/** A host in lower case: a plain name, an IPv4 address or a bracketed IPv6 address; undefined for anything else. */
export function parseHost(text: string): string | undefined {
  const host = text.toLowerCase();
  if (host.length > 253) return undefined;
  if (host.startsWith('[')) return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : undefined;
  if (!NAME.test(host)) return undefined;
  // A host that ends in a number is read as an IPv4 address, even in octal, in hexadecimal or with parts missing.
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host) && !IPV4.test(host) ? undefined : host;
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const IPV4 = new RegExp(String.raw`^(?!0\d|.*\.0\d)${BYTE}(?:\.${BYTE}){3}$`);
