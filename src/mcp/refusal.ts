/** The codes that the SDK uses for refusals that are not faults of a JSON-RPC request. */
const REFUSED = -32_000;
const UNKNOWN_SESSION = -32_001;

/** A refusal as JSON-RPC; it reveals nothing about this machine. */
export function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const code = status === 404 ? UNKNOWN_SESSION : REFUSED;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}
