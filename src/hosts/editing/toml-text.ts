import { isNestedTooDeeply } from '../../model/json.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { loadToml } from '../../parse/lazy-packages.cjs';
import { TOO_DEEP } from './json-text.ts';

export function parseTomlText(text: string): Outcome<{ readonly value: Readonly<Record<string, unknown>> }> {
  const { parse, TomlError } = loadToml();
  try {
    const value = parse(text.replace(/^\uFEFF/, ''));
    // The parser limits lists and inline tables, but not dotted keys.
    return isNestedTooDeeply(value) ? TOO_DEEP : { ok: true, value };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return fail('CONFIG_INVALID', `line ${error.line} is not valid TOML`);
  }
}
