import { dirname, join } from 'node:path';

import { isClosed, isTaken, readOwnBytes, realPath } from '../platform/files/files.ts';
import { replaceFile } from '../platform/files/replace-file.ts';
import { packageFile } from '../platform/package-file.ts';

const COPY = 'config.schema.json';

/** The first line of a new `config.yaml`. Editors that know it complete and check the settings. */
export const SCHEMA_LINE: string = `# yaml-language-server: $schema=./${COPY}\n`;

/** The path of the JSON Schema of `config.yaml` in this package. */
export function findConfigSchema(): string {
  return packageFile('docs/reference/config.schema.json');
}

/**
 * Puts a copy of the schema beside a `config.yaml` whose first line names it, or brings the copy up to date. The copy works
 * offline and on every machine; the path of the package changes with its version. Failing is harmless: only editors use it.
 */
export function placeConfigSchema(file: string): void {
  if (readOwnBytes(file)?.toString().startsWith(SCHEMA_LINE) !== true) return;
  const dir = realPath(dirname(file)) ?? dirname(file);
  const copy = join(dir, COPY);
  // A clone could bring a link that leads anywhere.
  if (isTaken(copy) && realPath(copy) !== copy) return;
  const schema = readOwnBytes(findConfigSchema());
  if (schema !== undefined && readOwnBytes(copy)?.equals(schema) !== true)
    replaceFile(copy, schema, { isPrivate: isClosed(file) });
}
