import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The error for a request that is invalid or names something unknown. The message must not reveal paths. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** Wraps a handler so that unexpected errors go to the log, not to the client: their messages may contain paths. */
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
