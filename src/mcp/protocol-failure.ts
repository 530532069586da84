import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** What a client asked for is not there, or is no valid question; it hears nothing of this machine. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** A handler whose bugs reach the log and not the client: a message of the system may hold paths. */
export function shielded<Args extends readonly unknown[], Answer>(
  handle: (...args: Args) => Answer | Promise<Answer>,
  onError: (error: unknown) => void,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    try {
      return await handle(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      onError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
    }
  };
}
