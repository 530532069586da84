export interface RefusalDetails {
  readonly code?: string;
  readonly hint?: string | undefined;
}

/** A refusal of the server itself, in the form of a failure. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export function refusal(status: number, message: string, { code = 'REFUSED', hint }: RefusalDetails = {}): Refusal {
  return { ok: false, status, code, message, hint: hint ?? null };
}

/** A refusal as an answer. */
export function answerRefusal(status: number, message: string, details?: RefusalDetails): Response {
  return Response.json(refusal(status, message, details), { status });
}
