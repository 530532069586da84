import { hasUnclearCredentials, hideCredentials } from '../../model/address.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { findInvisible } from '../../parse/invisible.ts';
import { findRefFault, isCommitId } from '../../platform/repository/git-ref.ts';
import { isUsualHost, parseHost, parseWebPath } from './git-hosts.ts';
import { spellOutAddress } from './short-address.ts';
import { suggestName } from './suggest-name.ts';

/** A text that does not appear when it is printed or stored by mistake. */
export interface Secret {
  readonly reveal: () => string;
}

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

/**
 * Parses a repository as people write it: a URL, also of a folder or file in the web pages of a host, `git@host:path`, `owner/repo`
 * of GitHub with `/path` or `@skill`, `gitlab:owner/repo`, or a directory.
 */
export function parseRepositoryUrl(text: string): Outcome<RepositoryAddress> {
  const given = text.trim();
  const parsed = findTextFault(given) ?? parse(given);
  if ('fault' in parsed) return fail('INSTALL_FAILED', `${showAddress(given)}: ${parsed.fault}`);
  const { ref } = parsed;
  const refFault = ref === undefined ? undefined : findRefFault(ref);
  if (refFault !== undefined) return fail('INSTALL_FAILED', `the ref ${JSON.stringify(ref)} ${refFault}`);
  return { ok: true, ...parsed, display: display(parsed) };
}

/** The address with another ref and folder. */
export function withRefAndPath(
  address: RepositoryAddress,
  { ref, path }: Pick<RepositoryAddress, 'ref' | 'path'>,
): RepositoryAddress {
  const name = suggestName((path ?? address.canonical).split('/').at(-1) ?? '');
  const changed = { ...address, ref, path, name, isSplitGuessed: false };
  return { ...changed, display: display(changed) };
}

function display({ url, ref, path }: Parsed): string {
  return [url, ref === undefined ? '' : `#${ref}`, path === undefined ? '' : ` (${path})`].join('');
}

type Parsed = Omit<RepositoryAddress, 'display'>;
interface Fault {
  readonly fault: string;
}

const MAX_LENGTH = 2_048;

export function findTextFault(text: string): Fault | undefined {
  if (text === '') return { fault: 'the address is empty' };
  if (text.length > MAX_LENGTH) return { fault: `the address is longer than ${MAX_LENGTH} characters` };
  if (text.startsWith('-')) return { fault: 'an address cannot begin with "-"' };
  if (hasUnclearCredentials(text))
    return { fault: 'a "/" in a name or password must be written as %2F, and an "@" in a path as %40' };
  if (/[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(text) || findInvisible(text, 1).length > 0)
    return { fault: 'the address contains an invisible character' };
  return undefined;
}

function parse(text: string): Parsed | Fault {
  const { address, ref } = splitRef(text);
  if (isDirectory(address)) return parseDirectory(address, ref);
  if (/^[A-Za-z][\w+.-]*::/.test(address)) return { fault: 'git remote helpers (name::address) are not supported' };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'file') return parseFile(address, ref);
  if (/[\s\\]/.test(address)) return { fault: 'the address contains a space or a backslash' };
  if (scheme === 'https' || scheme === 'http') return parseWeb(scheme, address, ref);
  if (scheme === 'ssh') return parseSsh(address, ref);
  if (scheme !== undefined) return { fault: `the protocol ${scheme} is not supported; use https, ssh or file` };
  if (/^[^/]*@[^/]*:/.test(address)) return parseScp(address, ref);
  return parseShort(address, ref);
}

function splitRef(text: string): { readonly address: string; readonly ref: string | undefined } {
  const at = text.indexOf('#');
  if (at === -1) return { address: text, ref: undefined };
  return { address: text.slice(0, at), ref: text.slice(at + 1) };
}

function isDirectory(text: string): boolean {
  return /^(?:[/\\]|\.{1,2}(?:[/\\]|$)|~(?:[/\\]|$)|[A-Za-z]:[/\\])/.test(text);
}

function parseDirectory(url: string, ref: string | undefined): Parsed {
  const trimmed = url.replace(/(?<=.)[/\\]+$/, '');
  const name = suggestName(trimmed.split(/[/\\]/).at(-1) ?? '');
  return { kind: 'directory', url: trimmed, credentials: undefined, ref, path: undefined, name, canonical: trimmed };
}

function parseFile(address: string, ref: string | undefined): Parsed | Fault {
  const given = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(address)?.[1];
  const path = given?.replace(/(?<=.)\/+$/, '');
  const decoded = path === undefined ? undefined : decodePath(path);
  if (path === undefined || decoded === undefined) return { fault: 'a file address has the form file:///path' };
  if (decoded.split('/').includes('..') || /[\0-\x1f\x7f\\]/.test(decoded)) return { fault: 'the path is not plain' };
  const name = suggestName(decoded.split('/').at(-1) ?? '');
  const url = `file://${path}`;
  return { kind: 'file', url, credentials: undefined, ref, path: undefined, name, canonical: decoded };
}

/** `[user[:password]@]host[:port]/path`; its parts are checked afterwards. */
const AUTHORITY = /^[a-z]+:\/\/(?:([^/@]*)@)?(\[[^\]/@]*\]|[^/@:[\]]*)(?::([^/@]*))?(\/.*)?$/i;

interface Place {
  readonly user: string | undefined;
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function parsePlace(address: string): Place | Fault {
  const [, user, givenHost = '', port, path = ''] = AUTHORITY.exec(address) ?? [];
  const host = parseHost(givenHost);
  if (host === undefined) return { fault: 'the host is not a plain host name or IP address' };
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) < 65_536))
    return { fault: 'the port is not a number from 1 to 65535' };
  const fault = findPathFault(path);
  if (fault !== undefined) return { fault };
  return { user, host, port: port === undefined ? '' : `:${port}`, path: path.replace(/\/+$/, '') };
}

function findPathFault(path: string): string | undefined {
  const decoded = decodePath(path);
  if (decoded === undefined || /[^A-Za-z0-9._~!$&'()*+,;=:@%/-]/.test(path))
    return 'the path contains a character that must be written as %XX, or an invalid %XX';
  if (path.includes('//') || path.split('/').length - 1 < decoded.split('/').length - 1)
    return 'the path has an empty part or a hidden slash';
  if (decoded.split('/').some((part) => part === '..' || part === '.')) return 'the path contains ".." or "."';
  return /[\0-\x1f\x7f\\]/.test(decoded) ? 'the path contains a backslash or a control character' : undefined;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function parseWeb(kind: 'https' | 'http', address: string, ref: string | undefined): Parsed | Fault {
  if (address.includes('?')) return { fault: 'the address of a repository has no "?"' };
  const place = parsePlace(address);
  if ('fault' in place) return place;
  const { user, host, port } = place;
  if (kind === 'http' && !LOOPBACK.test(host))
    return { fault: 'http is not supported, since anyone on the network path can change the content; use https' };
  const web = parseWebPath(host, place.path);
  if ('fault' in web) return web;
  if (ref !== undefined && web.ref !== undefined) return { fault: 'it names a ref twice' };
  const credentials = user === undefined ? undefined : parseCredentials(user);
  if (credentials !== undefined && 'fault' in credentials) return credentials;
  const url = `${kind}://${host}${port}${web.repository}${isUsualHost(host) ? '.git' : web.suffix}`;
  const canonical = canonicalOf(host, port.replace(DEFAULT_PORTS[kind], ''), web.repository);
  const name = suggestName((web.path ?? web.repository).split('/').at(-1) ?? '');
  const isSplitGuessed = web.ref !== undefined && web.path !== undefined && !isCommitId(web.ref);
  return { kind, url, credentials, ref: ref ?? web.ref, path: web.path, isSplitGuessed, name, canonical };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const DEFAULT_PORTS = { https: /^:443$/, http: /^:80$/, ssh: /^:22$/ } as const;

function parseCredentials(user: string): Secret | Fault {
  const [name, password] = [user.split(':', 1)[0] ?? '', user.includes(':') ? user.slice(user.indexOf(':') + 1) : ''];
  const [plainName, plainPassword] = [decodePath(name), decodePath(password)];
  if (plainName === undefined || plainPassword === undefined || /[\0-\x1f\x7f]/.test(plainName + plainPassword))
    return { fault: 'the credentials contain a character that must be written as %XX' };
  return { reveal: () => `${plainName}:${plainPassword}` };
}

function parseSsh(address: string, ref: string | undefined): Parsed | Fault {
  const place = parsePlace(address);
  if ('fault' in place) return place;
  const { user, host, port, path } = place;
  if (user?.includes(':') === true) return { fault: 'an ssh address cannot have a password' };
  if (user !== undefined && !USER.test(user)) return { fault: 'the user name is not plain' };
  if (path === '') return { fault: 'the path of the repository is missing' };
  const url = `ssh://${user === undefined ? '' : `${user}@`}${host}${port}${path}`;
  return buildSsh({ url, host, port: port.replace(DEFAULT_PORTS.ssh, ''), path }, ref);
}

const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

function parseScp(address: string, ref: string | undefined): Parsed | Fault {
  const [, user = '', givenHost = '', path = ''] = /^([^@:]*)@([^:@[\]]*):(.*)$/.exec(address) ?? [];
  const host = parseHost(givenHost);
  if (!USER.test(user) || host === undefined) return { fault: 'it is not user@host:path with plain names' };
  const trimmed = path.replace(/\/+$/, '');
  const fault = findPathFault(trimmed);
  if (fault !== undefined) return { fault };
  if (trimmed === '' || /^[-:]/.test(trimmed)) return { fault: 'the path is missing, or begins with "-" or ":"' };
  return buildSsh({ url: `${user}@${host}:${trimmed}`, host, port: '', path: `/${trimmed.replace(/^\//, '')}` }, ref);
}

interface SshPlace {
  readonly url: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function buildSsh({ url, host, port, path }: SshPlace, ref: string | undefined): Parsed {
  const repository = path.replace(/\.git$/, '');
  const name = suggestName(repository.split('/').at(-1) ?? '');
  const canonical = canonicalOf(host, port, repository);
  return { kind: 'ssh', url, credentials: undefined, ref, path: undefined, name, canonical };
}

function parseShort(address: string, ref: string | undefined): Parsed | Fault {
  const spelled = spellOutAddress(address);
  if (spelled === undefined) return { fault: `this is not an address of skills; use ${FORMS}` };
  const { url, path, skill } = spelled;
  const parsed = parseWeb('https', url, ref);
  if ('fault' in parsed) return parsed;
  return path === undefined
    ? { ...parsed, skill }
    : { ...parsed, path, skill, name: suggestName(path.split('/').at(-1) ?? '') };
}

const FORMS =
  'owner/repo, owner/repo@skill, owner/repo/folder, gitlab:owner/repo, https://…, git@host:path, npm:package, @team/skill, ./directory or ./archive.zip';

/** Usual hosts ignore case. */
function canonicalOf(host: string, port: string, repository: string): string {
  const path = isUsualHost(host) ? repository.toLowerCase() : repository;
  return `${host}${port}${path}`;
}

/** An address as it was typed, for messages. */
export function showAddress(text: string): string {
  return hideCredentials(text).slice(0, MAX_SHOWN);
}

const MAX_SHOWN = 200;
