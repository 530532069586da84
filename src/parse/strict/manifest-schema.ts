import type { z } from 'zod';

import { MAX_COMPATIBILITY_LENGTH, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '../../model/limits.ts';
import { once } from '../../model/once.ts';
import { countCodePoints } from '../code-points.ts';
import { loadZod } from '../lazy-packages.cjs';
import { findNameFaults } from '../name-rules.ts';

type Optional<Field extends z.ZodType> = z.ZodOptional<z.ZodNullable<Field>>;

type ManifestSchema = z.ZodObject<
  {
    name: z.ZodString;
    description: z.ZodString;
    license: Optional<z.ZodString>;
    compatibility: Optional<z.ZodString>;
    metadata: Optional<z.ZodRecord<z.ZodString, z.ZodString>>;
    'allowed-tools': Optional<z.ZodUnion<readonly [z.ZodString, z.ZodArray<z.ZodString>]>>;
  },
  z.core.$strict
>;

/**
 * The Zod schema of the frontmatter that the Agent Skills specification allows, for frontmatter that you read yourself. It is strict:
 * another field is an error. `parseSkill` is lenient, and `validate` checks whole folders.
 *
 * Zod is loaded when the schema is first used, because most programs that import this package never use it.
 */
export const SkillManifestSchema: ManifestSchema = lazily(once(buildSchema));

function buildSchema(): ManifestSchema {
  const { z } = loadZod();
  const text = (maxLength: number): z.ZodString =>
    z
      .string()
      .refine((value) => value.trim() !== '', 'must be non-empty text')
      .refine((value) => countCodePoints(value) <= maxLength, `must have at most ${maxLength} characters`)
      .meta({ minLength: 1, maxLength });
  const name = z
    .string()
    .refine((value) => value.trim() !== '', 'must be non-empty text')
    .superRefine((value, context) => {
      for (const message of findNameFaults(value)) context.addIssue({ code: 'custom', message });
    })
    .meta({ minLength: 1, maxLength: MAX_NAME_LENGTH });
  return z.strictObject({
    name,
    description: text(MAX_DESCRIPTION_LENGTH),
    license: z.string().nullish(),
    compatibility: text(MAX_COMPATIBILITY_LENGTH).nullish(),
    metadata: z.record(z.string(), z.string()).nullish(),
    'allowed-tools': z.union([z.string(), z.array(z.string())]).nullish(),
  });
}

/** Creates an object on first access. */
function lazily<T extends object>(make: () => T): T {
  // Every trap answers for the real object, so that the stand-in is never seen.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new Proxy({} as T, {
    get: (_, key): unknown => Reflect.get(make(), key),
    has: (_, key) => Reflect.has(make(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(make()),
  });
}
