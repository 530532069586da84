import { decodePercent, looksLikeAddress } from '../../model/address.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { findRefFault, isCommitId } from '../../platform/repository/git-ref.ts';
import { suggestName } from './find-skills.ts';
import { findTextFault, parseUrl, refuseAddress, showTyped, type Secret } from './parse-url.ts';

export interface RepositoryAddress {
  /** How it is reached; `git@host:path` is ssh. */
  readonly kind: 'https' | 'http' | 'ssh' | 'file' | 'directory';
  /** The URL for git, without credentials; for a directory, the path as given. */
  readonly url: string;
  /** `user:password`, if the address had them. */
  readonly credentials: Secret | undefined;
  readonly ref: string | undefined;
  /** A folder inside the repository. */
  readonly path: string | undefined;
  /** From a web page: the ref may go on into the path, since branches can contain slashes. The remote knows. */
  readonly isSplitGuessed?: boolean | undefined;
  /** The skill to take, from `owner/repo@skill`. */
  readonly skill?: string | undefined;
  /** A name for a skill at its root. */
  readonly name: string;
  /** The address with ref and path, for people. */
  readonly display: string;
  /** Equal for all spellings of one repository, whatever the protocol. */
  readonly canonical: string;
}

type Parsed = Omit<RepositoryAddress, 'name' | 'display'>;

/**
 * Parses a repository as people write it: a URL, also of a folder or file in the web pages of a host, `git@host:path`, `owner/repo`
 * of GitHub with `/path` or `@skill`, `gitlab:owner/repo`, or a directory.
 */
export function parseRepositoryUrl(text: string): Outcome<RepositoryAddress> {
  const given = text.trim();
  const fault = findTextFault(given);
  const parsed = fault === undefined ? parse(given) : refuseAddress(fault);
  if (!parsed.ok) return fail(parsed.code, `${showTyped(given)}: ${parsed.message}`);
  const { ref } = parsed;
  const refFault = ref === undefined ? undefined : findRefFault(ref);
  if (refFault !== undefined) return refuseAddress(`the ref ${JSON.stringify(ref)} ${refFault}`);
  return { ok: true, ...describe(parsed) };
}

/** The address with another ref and folder. */
export function withRefAndPath(
  address: RepositoryAddress,
  { ref, path }: Pick<RepositoryAddress, 'ref' | 'path'>,
): RepositoryAddress {
  return describe({ ...address, ref, path, isSplitGuessed: false });
}

function describe(parsed: Parsed): RepositoryAddress {
  const { url, ref, path, canonical } = parsed;
  const name = suggestName((path ?? canonical).split(/[/\\]/).at(-1) ?? '');
  const display = [url, ref === undefined ? '' : `#${ref}`, path === undefined ? '' : ` (${path})`].join('');
  return { ...parsed, name, display };
}

function parse(text: string): Outcome<Parsed> {
  const at = text.indexOf('#');
  const [address, ref] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  if (isDirectory(address)) {
    if (looksLikeAddress(address)) return refuseAddress('an address begins with its protocol, such as https://');
    const url = address.replace(/(?<=.)[/\\]+$/, '');
    return { ok: true, kind: 'directory', url, credentials: undefined, ref, path: undefined, canonical: url };
  }
  if (/^[A-Za-z][\w+.-]*::/.test(address)) return refuseAddress('git remote helpers (name::address) are not supported');
  if (/^file:\/\//i.test(address)) return parseFile(address, ref);
  if (/[\s\\]/.test(address)) return refuseAddress('the address contains a space or a backslash');
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(address)) return parseRemote(address, ref);
  if (/^[^/]*@[^/]*:/.test(address)) return parseScp(address, ref);
  const short = spellOut(address);
  if (short === undefined) return refuseAddress(`not a repository, URL, folder, archive or npm package; use ${FORMS}`);
  const parsed = parseRemote(short.url, ref);
  return parsed.ok ? { ...parsed, path: short.path ?? parsed.path, skill: short.skill } : parsed;
}

const FORMS =
  'owner/repo, owner/repo@skill, owner/repo/folder, gitlab:owner/repo, https://…, git@host:path, npm:package, @team/skill, ./directory or ./archive.zip';

/** Is this only a directory path? */
export function isDirectory(text: string): boolean {
  return /^(?:[/\\]|\.{1,2}(?:[/\\]|$)|~(?:[/\\]|$)|[A-Za-z]:[/\\])/.test(text);
}

function parseFile(address: string, ref: string | undefined): Outcome<Parsed> {
  const parsed = parseUrl(address);
  const path = parsed.ok && parsed.url.host === '' ? parsed.url.pathname.replace(/(?<=.)\/+$/, '') : '';
  const written = address.replace(/^file:\/\/(?:localhost)?/i, 'file://');
  const fault = path === '' ? 'a file address has the form file:///path' : findUrlFault(written, `file://${path}`);
  if (fault !== undefined) return refuseAddress(fault);
  const canonical = decodePercent(path) ?? path;
  return { ok: true, kind: 'file', url: `file://${path}`, credentials: undefined, ref, path: undefined, canonical };
}

function parseRemote(address: string, ref: string | undefined): Outcome<Parsed> {
  const parsed = parseUrl(address);
  if (!parsed.ok) return parsed;
  const { url, credentials } = parsed;
  if (url.search !== '' || address.includes('?')) return refuseAddress('the address of a repository has no "?"');
  if (!isPlainHost(url.hostname.toLowerCase()) || url.port === '0')
    return refuseAddress('the host is not a plain host name or IP address, or the port is 0');
  const path = url.pathname.replace(/\/+$/, '');
  const host = url.host.toLowerCase();
  const fault = findUrlFault(address, `${url.protocol}//${host}${path}`);
  if (fault !== undefined) return refuseAddress(fault);
  if (path === '') return refuseAddress('the path of the repository is missing');
  return url.protocol === 'ssh:'
    ? buildSsh({ host, path, user: credentials?.reveal() ?? ':' }, ref)
    : buildWeb(url, path, { credentials, ref });
}

/**
 * Git and its helpers parse the URL again, so it must be unambiguous: no `..`, no numeric notation of an IP address, no
 * `%2f`.
 */
function findUrlFault(written: string, canonical: string): string | undefined {
  const bare = written
    .replace(/^([^/]*\/\/)(?:[^/@]*@)?([^/]*)/, (_all, scheme: string, host: string) =>
      `${scheme}${host}`.toLowerCase(),
    )
    .replace(/^(https:\/\/[^/]*):443(?=\/|$)|^(http:\/\/[^/]*):80(?=\/|$)/, '$1$2')
    .replace(/(?<=[^/])\/+$/, '');
  const [one, other] = [decodePercent(bare), decodePercent(canonical)];
  if (one === undefined || other === undefined) return 'the path contains an invalid %XX';
  if (one !== other) return `it is not written plainly; it can be read as ${canonical}`;
  const parts = canonical.replace(/^[^/]*\/\/[^/]*\//, '').split('/');
  return parts.some((part) => part === '' || /[/\\\0-\x1f\x7f]/.test(decodePercent(part) ?? ''))
    ? 'the path has an empty part, or a hidden slash, backslash or control character'
    : undefined;
}

/** A host name or an IP address in its canonical form: there are many notations for IP addresses. */
function isPlainHost(host: string): boolean {
  if (host.length > 253 || !/^\[|^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.(?!$)|$))+$/.test(host)) return false;
  return URL.canParse(`https://${host}/`) && new URL(`https://${host}/`).hostname === host;
}

interface WebFacts {
  readonly credentials: Secret | undefined;
  readonly ref: string | undefined;
}

function buildWeb(url: URL, path: string, { credentials, ref }: WebFacts): Outcome<Parsed> {
  const { protocol, hostname, host } = url;
  const kind = protocol === 'http:' ? 'http' : 'https';
  const page = splitPage(hostname, path);
  const repository = page.repository.replace(/\.git$/, '');
  const depth = repository.split('/').length - 1;
  if (isUsualHost(hostname) && (hostname === 'gitlab.com' ? depth < 2 : depth !== 2))
    return refuseAddress('this host names repositories as owner/name');
  if (ref !== undefined && page.ref !== undefined) return refuseAddress('it names a ref twice');
  const suffix = isUsualHost(hostname) || page.repository !== repository ? '.git' : '';
  return {
    ok: true,
    kind,
    url: `${protocol}//${host}${repository}${suffix}`,
    credentials,
    ref: ref ?? page.ref,
    path: page.path,
    isSplitGuessed: page.ref !== undefined && page.path !== undefined && !isCommitId(page.ref),
    canonical: canonicalOf(host, repository),
  };
}

const USUAL_HOSTS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

/** Hosts that serve every repository as `/<owner>/<name>.git`. */
export function isUsualHost(host: string): boolean {
  return USUAL_HOSTS.has(host);
}

/** Usual hosts ignore case. */
function canonicalOf(host: string, repository: string): string {
  return `${host}${isUsualHost(host) ? repository.toLowerCase() : repository}`;
}

/** Is this a page of a folder or file in a repository of a usual host? */
export function isPage({ hostname, pathname }: URL): boolean {
  return isUsualHost(hostname) && /\/(?:tree|blob|src)\//.test(pathname);
}

interface WebPage {
  /** The path of the repository. */
  readonly repository: string;
  /** The first part: a branch name with a slash continues in `path`. */
  readonly ref: string | undefined;
  readonly path: string | undefined;
}

/** Splits `/owner/repo/tree/<ref>/<path>` and similar paths of web pages. */
function splitPage(host: string, path: string): WebPage {
  const { repository = path, kind, shown = '' } = (isUsualHost(host) ? PAGE : GITLAB_PAGE).exec(path)?.groups ?? {};
  const whole = decodePercent(shown) ?? '';
  // A page of a file means the skill in its folder.
  const folder = kind === 'blob' ? whole.replace(/\/[^/]*$/, '') : whole.replace(/\/skill\.md$/i, '');
  const [ref, ...inner] = folder.split('/');
  return { repository, ref: ref === '' ? undefined : ref, path: inner.join('/') || undefined };
}

const GITLAB_PAGE = /^(?<repository>\/.+?)\/-\/(?<kind>tree|blob)\/(?<shown>.+)$/;
const PAGE = /^(?<repository>\/.+?)\/(?:(?:-\/)?(?<kind>tree|blob)|src(?:\/(?:branch|tag|commit))?)\/(?<shown>.+)$/;

const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

interface SshPlace {
  readonly host: string;
  readonly path: string;
  /** `user:password`. */
  readonly user: string;
}

function buildSsh({ host, path, user: both }: SshPlace, ref: string | undefined): Outcome<Parsed> {
  const [user = '', password] = both.split(':');
  if (password !== '') return refuseAddress('an ssh address cannot have a password');
  if (user !== '' && !USER.test(user)) return refuseAddress('the user name is not plain');
  const url = `ssh://${user === '' ? '' : `${user}@`}${host}${path}`;
  const canonical = canonicalOf(host.replace(/:22$/, ''), path.replace(/\.git$/, ''));
  return { ok: true, kind: 'ssh', url, credentials: undefined, ref, path: undefined, canonical };
}

/** `user@host:path` is `ssh://user@host/path`, except that its path may begin in the user's home. */
function parseScp(address: string, ref: string | undefined): Outcome<Parsed> {
  const [, user = '', host = '', path = ''] = /^([^@:]*)@([^:@[\]]*):(.*)$/.exec(address) ?? [];
  if (!USER.test(user) || host === '') return refuseAddress('it is not user@host:path with plain names');
  if (path === '' || /^[-:]/.test(path)) return refuseAddress('the path is missing, or begins with "-" or ":"');
  const parsed = parseRemote(`ssh://${user}@${host}/${path.replace(/^\//, '')}`, ref);
  if (!parsed.ok) return parsed;
  return { ...parsed, url: `${user}@${host.toLowerCase()}:${path.replace(/\/+$/, '')}` };
}

const PREFIXES: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  codeberg: 'codeberg.org',
};

interface SpelledAddress {
  readonly url: string;
  /** A folder inside the repository. */
  readonly path?: string | undefined;
  /** The skill to take. */
  readonly skill: string | undefined;
}

/**
 * Spells out `owner/repo` and `owner/repo/path` of GitHub, `gitlab:owner/repo` and similar prefixes, and addresses of usual hosts
 * without the protocol; `@skill` may follow. Undefined for any other text.
 */
function spellOut(text: string): SpelledAddress | undefined {
  const [, place = '', skill] = /^(.+?)(?:@([^@/]+))?$/.exec(text.replace(/\/+$/, '')) ?? [];
  const [, prefix, rest = ''] = /^(?:([A-Za-z]+):)?(.+)$/.exec(place) ?? [];
  const [first = '', second = '', ...inner] = rest.split('/');
  if (prefix === undefined && isUsualHost(first.toLowerCase())) return { url: `https://${rest}`, skill };
  const host = PREFIXES[prefix?.toLowerCase() ?? 'github'];
  if (host === undefined || !OWNER.test(first) || !REPOSITORY.test(second)) return undefined;
  const isPage = ['tree', 'blob', '-'].includes(inner[0] ?? '') && inner.length > 1;
  // GitLab's groups have any depth, so a folder cannot be told from a project.
  if (host === 'gitlab.com' || inner.length === 0 || isPage) return { url: `https://${host}/${rest}`, skill };
  if (inner.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  return { url: `https://${host}/${first}/${second}`, path: inner.join('/').replace(/\/skill\.md$/i, ''), skill };
}

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;
const REPOSITORY = /^[A-Za-z0-9._-]+$/;
