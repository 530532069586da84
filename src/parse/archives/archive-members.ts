/** An entry of an archive, still packed. */
export interface ArchiveMember {
  readonly name: string;
  readonly isFolder: boolean;
  /** Anything that is neither a file nor a folder, such as a link or a device. */
  readonly isLink: boolean;
  readonly isLocked: boolean;
  readonly isExecutable: boolean;
  /** The size and CRC-32 of the unpacked data, as the archive claims them; a tar has no CRC. */
  readonly claimed: { readonly size: number; readonly crc?: number };
  /** A zip archive's comment, which is not an entry. */
  readonly isComment?: boolean;
  /** Undefined if the compression method is not supported. */
  readonly packed: { readonly data: Buffer; readonly isDeflated: boolean } | undefined;
}

/** The entries of an archive. */
export interface ArchiveListing {
  readonly members: readonly ArchiveMember[];
  /** Ways in which the archive is damaged or contradicts itself. */
  readonly faults: readonly string[];
}
