import { createRequire } from 'node:module';

import { isNestedTooDeeply } from '../../model/json.ts';
import { once } from '../../model/once.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { TOO_DEEP } from './json-text.ts';

const require = createRequire(import.meta.url);
// Lazy: most hosts have no file of this kind. `require` is untyped.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const toml: () => typeof import('smol-toml') = once(() => require('smol-toml') as typeof import('smol-toml'));

export function parseTomlText(text: string): Outcome<{ readonly value: Readonly<Record<string, unknown>> }> {
  const { parse, TomlError } = toml();
  try {
    const value = parse(text.replace(/^\uFEFF/, ''));
    // The parser limits lists and inline tables, but not dotted keys.
    return isNestedTooDeeply(value) ? TOO_DEEP : { ok: true, value };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return fail('CONFIG_INVALID', `line ${error.line} is not valid TOML`);
  }
}
