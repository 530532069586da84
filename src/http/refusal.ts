import type { Failure } from '../model/outcome.ts';

export interface RefusalDetails {
  readonly code?: string;
  readonly hint?: string | undefined;
}

/** A failure as the page reads it: the engine's own, or a refusal of the server. */
export function refuse(status: number, message: string, { code = 'REFUSED', hint }: RefusalDetails = {}): Response {
  return Response.json({ ok: false, code, message, hint: hint ?? null }, { status });
}

const STATUS: Readonly<Partial<Record<Failure['code'], number>>> = {
  SKILL_NOT_FOUND: 404,
  RESOURCE_NOT_FOUND: 404,
  NOT_ALLOWED: 403,
  PATH_REFUSED: 403,
};

export function refuseFailure({ code, message, hint }: Failure): Response {
  return refuse(STATUS[code] ?? 422, message, { code, hint });
}
