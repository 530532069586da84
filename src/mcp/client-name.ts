import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

/**
 * The name that a client gives itself in a message: when it initializes in the older protocol, with every request in the newer one.
 * Undefined if the message has none.
 */
export function clientNameOf(message: unknown): string | undefined {
  const params = fieldOf(message, 'params');
  const info = fieldOf(params, 'clientInfo') ?? fieldOf(fieldOf(params, '_meta'), CLIENT_INFO_META_KEY);
  const name = fieldOf(info, 'name');
  return typeof name === 'string' ? name : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
