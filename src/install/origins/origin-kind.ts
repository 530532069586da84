import type { Origin } from '../../model/origin.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { FetchOptions } from '../../platform/repository/git-address.ts';
import type { Repository } from '../../platform/repository/repository.ts';
import type { WebReaders } from '../../platform/web/web-reader.ts';
import type { InstallPlace } from '../install-place.ts';
import type { RepositorySkills } from './find-skills.ts';
import type { IsOwnAddress } from './own-addresses.ts';

/** An origin with its files, which are judged, audited and staged from here. The caller closes it. */
export interface OpenOrigin extends AsyncDisposable {
  /** The address with ref and path, for people. */
  readonly display: string;
  /** The address as the lock records it. */
  readonly url: string;
  /** The skill that the address names, as in `owner/repo@skill`. */
  readonly skill?: string | undefined;
  /** Remarks for the person who asked. */
  readonly notices: readonly string[];
  /** The choice for all skills together, in full; undefined if each has its own, or for a directory. */
  readonly choice: string | undefined;
  /**
   * Exactly what was chosen for the skill in a folder: its commit, version or digest; and the folder that the lock is to
   * record, if it is another one. Fetches nothing.
   */
  readonly originOf: (path: string) => Outcome<{ readonly origin: Origin; readonly path?: string }>;
  /** The skills there are. Fetches no more than it must. */
  find(): Promise<Outcome<RepositorySkills>>;
  /** Says which folders are read next, in this order, so that they can be fetched while others are read. */
  readonly expect?: (paths: readonly string[]) => void;
  /** The files. An origin may fetch those of a folder when they are listed. */
  readonly files: Repository;
}

export interface OriginOptions extends FetchOptions {
  /** Where skills are installed; directories of a project are recorded relative to it. */
  readonly place?: InstallPlace | undefined;
  /** Given if no person typed the address: unless the user chose it, it must not lead into their network. */
  readonly isOwnAddress?: IsOwnAddress | undefined;
  /** Connections that several origins share; by default, each opens its own. */
  readonly readers?: WebReaders | undefined;
}

/** Facts that decide how an address is parsed. */
export type AddressOptions = Pick<OriginOptions, 'environment' | 'ref'>;

export type Opening = Promise<Outcome<{ readonly opened: OpenOrigin }>>;

/**
 * A kind of origin. It runs nothing from an origin and writes only to `options.into`, which closing deletes. A new kind
 * is a type in `model/origin.ts`, a file with these functions and a row in `origin-kinds.ts`.
 */
export interface OriginKind<Chosen extends Origin = Origin, Address extends object = object> {
  /** Parses an address as people write it; undefined if it is not of this kind. */
  parse(text: string, options: AddressOptions): Outcome<{ readonly address: Address }> | undefined;
  /** Opens the current content of an address. */
  resolve(address: Address, options: OriginOptions): Opening;
  /** Opens exactly the locked version, or fails. */
  fetch(origin: Chosen, options: OriginOptions): Opening;
  /** Opens the newest version. Fetches no files of unchanged content, if that is known. */
  newest(origin: Chosen, options: OriginOptions): Opening;
}
