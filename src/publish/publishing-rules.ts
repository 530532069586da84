import {
  MAX_COMPATIBILITY_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PUBLISHED_BYTES,
  MAX_PUBLISHED_FILES,
  MAX_RESOURCE_BYTES,
} from '../model/limits.ts';
import { countCodePoints } from '../parse/code-points.ts';
import type { TypedFields } from '../parse/strict/strict-fields.ts';

/** The first rule of MCP's Skills extension that a skill's frontmatter breaks, or undefined. */
export function findFieldFault(name: string, fields: TypedFields): string | undefined {
  const { name: written, description, compatibility, metadata } = fields;
  if (!PLAIN_NAME.test(name) || name.length > MAX_NAME_LENGTH)
    return `its name must be 1 to ${MAX_NAME_LENGTH} characters of a-z, 0-9 and single hyphens`;
  if (written !== name) return `its frontmatter must contain name: ${name}`;
  if (!isText(description, MAX_DESCRIPTION_LENGTH))
    return `its frontmatter must contain a description of 1 to ${MAX_DESCRIPTION_LENGTH} characters`;
  if (compatibility !== undefined && !isText(compatibility, MAX_COMPATIBILITY_LENGTH))
    return `compatibility must be a string of 1 to ${MAX_COMPATIBILITY_LENGTH} characters`;
  return metadata === undefined ? undefined : findMetadataFault(metadata);
}

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value !== '' && countCodePoints(value) <= most;
}

function findMetadataFault(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return 'metadata must map keys to strings';
  const [key] = Object.entries(metadata).find(([, value]: [string, unknown]) => typeof value !== 'string') ?? [];
  return key === undefined ? undefined : `metadata.${key} must be a string; put it in quotation marks`;
}

/** Why these files exceed the limits of one skill over MCP, or undefined. */
export function findSizeFault(files: readonly { readonly path: string; readonly size: number }[]): string | undefined {
  if (files.length > MAX_PUBLISHED_FILES) return `it has ${files.length} files; the limit is ${MAX_PUBLISHED_FILES}`;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_PUBLISHED_BYTES) return `its files have ${bytes} bytes; the limit is ${MAX_PUBLISHED_BYTES}`;
  const large = files.find(({ size }) => size > MAX_RESOURCE_BYTES);
  return large && `${large.path} has ${large.size} bytes; the limit for one file is ${MAX_RESOURCE_BYTES}`;
}
