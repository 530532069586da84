/** A piece of a request, and whether it names what is not wanted. */
export interface RequestPiece {
  readonly text: string;
  readonly isRuledOut: boolean;
}

/**
 * A request in pieces, apart from what it rules out: "in FastAPI, not Litestar", "a brief without charts or tables".
 * What merely fails ("the form is not saved") stays, since the request is about it.
 */
export function splitRuledOut(request: string): readonly RequestPiece[] {
  const pieces: RequestPiece[] = [];
  let start = 0;
  for (const match of request.matchAll(RULED_OUT)) {
    pieces.push({ text: request.slice(start, match.index), isRuledOut: false });
    pieces.push({ text: match[0], isRuledOut: true });
    start = match.index + match[0].length;
  }
  pieces.push({ text: request.slice(start), isRuledOut: false });
  return pieces;
}

/** Up to the end of the sentence or the next clause; after "not", up to the next comma. */
const RULED_OUT =
  /\b(?:without|instead of|rather than|with no|other than)\s(?:(?!\b(?:but|because|so|since|that|which|when|while|please|I)\b)[^.!?;:\n]|\.(?=\w))*|[,(\u2013\u2014]\s*(?:and |but )?not\s(?:(?!\b(?:but|because|so|since|that|which|when|while|please|I)\b)[^.!?;:,)\n]|\.(?=\w))*/gu;
