/** The parts of a path on a web server: the repository, and the ref and folder that a page of it shows. */
export interface WebPath {
  /** Begins with `/`, without `.git`. */
  readonly repository: string;
  /** `.git`, where it was written so. */
  readonly suffix: string;
  readonly ref: string | undefined;
  readonly path: string | undefined;
}

const USUAL_HOSTS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

/** Hosts whose repositories all answer to `<path>.git`. */
export function isUsualHost(host: string): boolean {
  return USUAL_HOSTS.has(host);
}

/** Takes `/owner/repo/tree/<ref>/<path>` and its like apart; the path begins with `/` or is empty. */
export function parseWebPath(host: string, path: string): WebPath | { readonly fault: string } {
  const page = isUsualHost(host) ? PAGE.exec(path) : GITLAB_PAGE.exec(path);
  const repository = page?.groups?.['repository'] ?? path;
  if (repository === '') return { fault: 'the path of the repository is missing' };
  const plain = repository.replace(/\.git$/, '');
  const depth = plain.split('/').length - 1;
  if (isUsualHost(host) && (host === 'gitlab.com' ? depth < 2 : depth !== 2))
    return { fault: 'a repository of this host is named by owner and name' };
  const ref = page?.groups?.['ref'];
  const inner = decodeURIComponent(page?.groups?.['path'] ?? '').replace(/\/?skill\.md$/i, '');
  return {
    repository: plain,
    suffix: plain === repository ? '' : '.git',
    ref: ref === undefined ? undefined : decodeURIComponent(ref),
    path: inner === '' ? undefined : inner,
  };
}

/** The ref is one part: of a branch with a slash in its name, a page's address does not say where it ends. */
const REF_AND_PATH = String.raw`(?<ref>[^/]+)(?:/(?<path>.+))?$`;
const GITLAB_PAGE = new RegExp(String.raw`^(?<repository>/.+?)/-/(?:tree|blob)/${REF_AND_PATH}`);
const PAGE = new RegExp(
  String.raw`^(?<repository>/.+?)/(?:(?:-/)?(?:tree|blob)|src(?:/(?:branch|tag|commit))?)/${REF_AND_PATH}`,
);
