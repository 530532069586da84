import type { Environment } from '../environment.ts';
import type { GitProtocol } from './git-environment.ts';

/** The address of a repository that git fetches. */
export interface GitAddress {
  readonly kind: GitProtocol;
  /** Without credentials. */
  readonly url: string;
  /** `user:password`, for https. */
  readonly credentials?: { readonly reveal: () => string } | undefined;
  readonly ref?: string | undefined;
  /** The wanted folder; used to find the end of the ref. */
  readonly path?: string | undefined;
  /** From a web page: the ref may go on into the path, since branches can contain slashes. */
  readonly isSplitGuessed?: boolean | undefined;
  /** Is a redirect within the host followed, even if no person typed the address? */
  readonly mayRedirect?: boolean | undefined;
  /** Passed on to the repository's own notices. */
  readonly notices?: readonly string[];
}

export interface FetchProgress {
  readonly phase: string;
  readonly percent: number;
}

export interface FetchOptions {
  readonly environment: Environment;
  /** The parent of this fetch's private folder, which closing the repository removes. */
  readonly into: string;
  /** Overrides the address's ref. */
  readonly ref?: string | undefined;
  /** For the whole fetch; 120 s by default. */
  readonly timeoutMs?: number | undefined;
  /** The most the fetch may put on disk, and the largest object that git may hold in memory; 200 MiB by default. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** False if nobody typed the address: git then reaches no private host. */
  readonly isTyped?: boolean | undefined;
  /**
   * Lets git use the user's credential helpers, but no other configuration. Always true for ssh, which needs their
   * keys.
   */
  readonly useGitCredentials?: boolean | undefined;
}

/** The branch or tag and the folder that a web page of a repository shows. */
export interface RepositoryPage {
  readonly ref: string;
  readonly path: string | undefined;
}
