import { fail, type Outcome } from '../../model/outcome.ts';
import type { Environment } from '../../platform/environment.ts';
import { expandPath } from '../../platform/environment.ts';
import { isFile, isTaken } from '../../platform/files/files.ts';
import { isUsualHost } from './git-hosts.ts';
import { isHubAddress, parseHubAddress, type HubAddress } from './hub-address.ts';
import { parseNpmAddress, type NpmAddress } from './npm-address.ts';
import { findTextFault, parseRepositoryUrl, showAddress, type RepositoryAddress } from './repository-url.ts';
import {
  ARCHIVE_ENDING,
  isIndexAddress,
  parseWebAddress,
  type ArchiveAddress,
  type WebAddress,
} from './web-address.ts';

/** An address, with the kind of origin that it has. A `site` may have an index of skills, or be a repository. */
export type OriginAddress =
  | { readonly kind: 'git'; readonly address: RepositoryAddress }
  | { readonly kind: 'archive'; readonly address: ArchiveAddress }
  | { readonly kind: 'web'; readonly address: WebAddress }
  | { readonly kind: 'site'; readonly address: WebAddress; readonly repository: RepositoryAddress | undefined }
  | { readonly kind: 'npm'; readonly address: NpmAddress }
  | { readonly kind: 'hub'; readonly address: HubAddress };

/**
 * Parses an address as people write it. `.skill`, `.zip` and `.tar.gz` are archives, if they have a protocol or are files
 * here; `npm:` is a package; an https address of no usual git host may be an index of skills; everything else is a
 * repository or a directory.
 */
export function parseAddress(
  text: string,
  { environment, ref }: { readonly environment: Environment; readonly ref?: string | undefined },
): Outcome<{ readonly parsed: OriginAddress }> {
  const given = text.trim();
  const fault = findTextFault(given);
  if (fault !== undefined) return fail('INSTALL_FAILED', `${showAddress(given)}: ${fault.fault}`);
  if (/^npm:/i.test(given)) return parseNpm(given, ref);
  if (isHubAddress(given)) return parseHub(given, environment, ref);
  if (/^https?:\/\//i.test(given)) return parseHttp(given, ref);
  const expanded = ARCHIVE_ENDING.test(given) ? expandPath(given, environment, environment.cwd) : undefined;
  if (expanded?.ok === true && isFile(expanded.path))
    return parsedAs({ kind: 'archive', address: { url: expanded.path, isFile: true } });
  const repository = parseRepositoryUrl(given);
  const isPath = repository.ok ? repository.kind === 'directory' : !given.includes(':');
  if (expanded?.ok === true && isPath && !isTaken(expanded.path))
    return fail('INSTALL_FAILED', `${expanded.path} does not exist`);
  return repository.ok ? parsedAs({ kind: 'git', address: repository }) : repository;
}

function parsedAs(parsed: OriginAddress): Outcome<{ readonly parsed: OriginAddress }> {
  return { ok: true, parsed };
}

function parseNpm(given: string, ref: string | undefined): Outcome<{ readonly parsed: OriginAddress }> {
  const npm = parseNpmAddress(given, ref);
  return npm.ok ? parsedAs({ kind: 'npm', address: npm.address }) : npm;
}

function parseHub(
  given: string,
  { agentHome }: Environment,
  ref: string | undefined,
): Outcome<{ readonly parsed: OriginAddress }> {
  const hub = parseHubAddress(ref === undefined ? given : `${given}@${ref}`, agentHome);
  return hub.ok ? parsedAs({ kind: 'hub', address: hub.address }) : hub;
}

function parseHttp(given: string, ref: string | undefined): Outcome<{ readonly parsed: OriginAddress }> {
  const web = parseWebAddress(given);
  const repository = parseRepositoryUrl(given);
  if (!web.ok) return repository.ok ? parsedAs({ kind: 'git', address: repository }) : repository;
  const { hostname, pathname } = new URL(web.address.url);
  const isGit = ref !== undefined || pathname.endsWith('.git') || (repository.ok && repository.ref !== undefined);
  const isPage = isUsualHost(hostname) && /\/(?:tree|blob|src)\//.test(pathname);
  if (ARCHIVE_ENDING.test(pathname) && !isGit && !isPage)
    return parsedAs({ kind: 'archive', address: { ...web.address, isFile: false } });
  if (isIndexAddress(web.address.url) && !isUsualHost(hostname)) return parsedAs({ kind: 'web', address: web.address });
  if (isGit || isUsualHost(hostname))
    return repository.ok ? parsedAs({ kind: 'git', address: repository }) : repository;
  return parsedAs({ kind: 'site', address: web.address, repository: repository.ok ? repository : undefined });
}
