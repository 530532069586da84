/** The codes that the SDK itself gives to refusals which are no fault of a JSON-RPC request. */
const REFUSED = -32_000;
const UNKNOWN_SESSION = -32_001;

/** A refusal as JSON-RPC: what is wrong, and nothing of this machine. */
export function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const code = status === 404 ? UNKNOWN_SESSION : REFUSED;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}
