/** An entry of an archive as it lies there. */
export interface Member {
  readonly name: string;
  readonly isFolder: boolean;
  /** A link, or a device: anything that is neither file nor folder. */
  readonly isLink: boolean;
  readonly isLocked: boolean;
  /** Undefined where it is packed in a way that is not read here. */
  readonly packed: { readonly data: Buffer; readonly isDeflated: boolean } | undefined;
}

export interface Packing {
  readonly members: readonly Member[];
  /** Where the archive is broken or contradicts itself. */
  readonly faults: readonly string[];
}
