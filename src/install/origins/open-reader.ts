import { openWebReader, type WebReader } from '../../platform/web/web-reader.ts';
import type { OriginOptions } from './origin-kind.ts';
import type { Secret } from './parse-url.ts';

/** An address that we fetch ourselves. */
export interface WebAddress {
  /** Without credentials and fragment. */
  readonly url: string;
  /** `user:password`, if the address had them. */
  readonly credentials?: Secret | undefined;
}

/** Opens a reader that sends this URL's credentials to no other host. `asked` is its purpose. */
export function openReader({ url, credentials }: WebAddress, options: OriginOptions, asked: string = url): WebReader {
  const { environment, signal, timeoutMs, readers, isOwnAddress } = options;
  const authorization = credentials && {
    reveal: () => `Basic ${Buffer.from(credentials.reveal()).toString('base64')}`,
  };
  const isTyped = isOwnAddress === undefined || isOwnAddress(asked);
  const settings = { environment, typed: url, isTyped, authorization, signal, timeoutMs };
  return readers?.open(settings) ?? openWebReader(settings);
}
