import { isUsualHost } from './git-hosts.ts';

/** A short form of an address, spelled out. */
export interface SpelledAddress {
  /** Begins with `https://`. */
  readonly url: string;
  /** A folder inside the repository. */
  readonly path: string | undefined;
  /** The skill to take. */
  readonly skill: string | undefined;
}

const PREFIXES: Readonly<Record<string, string>> = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  codeberg: 'codeberg.org',
};

/**
 * Spells out `owner/repo` and `owner/repo/path` of GitHub, `gitlab:owner/repo` and similar prefixes, and addresses of usual hosts
 * without the protocol; `@skill` may follow. Undefined for any other text.
 */
export function spellOutAddress(text: string): SpelledAddress | undefined {
  const [, place = '', skill] = /^(.+?)(?:@([^@/]+))?$/.exec(text.replace(/\/+$/, '')) ?? [];
  const [, prefix, rest = ''] = /^(?:([A-Za-z]+):)?(.+)$/.exec(place) ?? [];
  const [first = '', second = '', ...inner] = rest.split('/');
  if (prefix === undefined && isUsualHost(first.toLowerCase()))
    return { url: `https://${rest}`, path: undefined, skill };
  const host = PREFIXES[prefix?.toLowerCase() ?? 'github'];
  if (host === undefined || !OWNER.test(first) || !REPOSITORY.test(second)) return undefined;
  // GitLab's groups have any depth, so a folder cannot be told from a project.
  if (host === 'gitlab.com' || inner.length === 0 || isPage(inner))
    return { url: `https://${host}/${rest}`, path: undefined, skill };
  if (inner.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  return { url: `https://${host}/${first}/${second}`, path: inner.join('/').replace(/\/skill\.md$/i, ''), skill };
}

const OWNER = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;
const REPOSITORY = /^[A-Za-z0-9._-]+$/;

/** Is this the rest of a web page's path, as in `owner/repo/tree/main/skills`? */
function isPage([first = '', second]: readonly string[]): boolean {
  return ['tree', 'blob', '-'].includes(first) && second !== undefined;
}
