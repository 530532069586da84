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
 * Writes or updates a copy of the schema next to a `config.yaml` whose first line refers to it. Unlike the package's
 * path, the copy works offline, on every machine and with every version. Failures are ignored: only editors use it.
 */
export function placeConfigSchema(file: string): void {
  if (readOwnBytes(file)?.toString().startsWith(SCHEMA_LINE) !== true) return;
  const dir = realPath(dirname(file)) ?? dirname(file);
  const copy = join(dir, COPY);
  // A clone could contain a link to anywhere.
  if (isTaken(copy) && realPath(copy) !== copy) return;
  const schema = readOwnBytes(findConfigSchema());
  if (schema !== undefined && readOwnBytes(copy)?.equals(schema) !== true)
    replaceFile(copy, schema, { isPrivate: isClosed(file) });
}
