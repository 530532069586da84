/** Where a server says what went wrong; none of it is for its clients. */
export interface ServerReports {
  /** Something that should not happen. */
  readonly onError: (error: unknown) => void;
  /** Something that a person may want to mend. */
  readonly onTrouble: (message: string) => void;
}
