/** An entry of an archive, still packed. */
export interface ArchiveMember {
  readonly name: string;
  readonly isFolder: boolean;
  /** A link, a device, or anything else that is neither a file nor a folder. */
  readonly isLink: boolean;
  readonly isLocked: boolean;
  /** Undefined if the compression method is not supported. */
  readonly packed: { readonly data: Buffer; readonly isDeflated: boolean } | undefined;
}

/** The entries of an archive. */
export interface ArchiveListing {
  readonly members: readonly ArchiveMember[];
  /** Ways in which the archive is damaged or contradicts itself. */
  readonly faults: readonly string[];
}
