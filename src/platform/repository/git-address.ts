import type { Environment } from '../environment.ts';

/** What must be known of a repository to fetch it. */
export interface RemoteAddress {
  readonly kind: 'https' | 'http' | 'ssh' | 'file' | 'directory';
  /** What git is given, without credentials; of a directory its path. */
  readonly url: string;
  /** `user:password`, for https. */
  readonly credentials?: { readonly reveal: () => string } | undefined;
  readonly ref?: string | undefined;
  /** The folder in it that is asked for; it only makes messages better. */
  readonly path?: string | undefined;
}

export interface FetchProgress {
  readonly phase: string;
  readonly percent: number;
}

export interface FetchOptions {
  readonly environment: Environment;
  /** Where the private folder of this fetch is made; it is gone with the repository. */
  readonly into: string;
  /** In place of the address's. */
  readonly ref?: string | undefined;
  /** For all of it together; 120 s. */
  readonly timeoutMs?: number | undefined;
  /** What may come to lie on disk; 200 MiB. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  /** Called when git is at work and we have nothing to do but wait. */
  readonly onFetching?: (() => void) | undefined;
  /** Asks the credential helpers and ssh keys of the user; nothing else of their configuration is used. */
  readonly useGitCredentials?: boolean | undefined;
}

/** An address that git itself is given. */
export interface GitAddress extends RemoteAddress {
  readonly kind: Exclude<RemoteAddress['kind'], 'directory'>;
  readonly notices?: readonly string[];
}

/** One fetch: what, how, with which git, into which folder. */
export interface FetchJob {
  readonly address: GitAddress;
  readonly options: FetchOptions;
  readonly program: string;
  /** A private folder. */
  readonly dir: string;
  /** Of the private folder, in bytes. */
  readonly sizeNow: () => number;
}
