import { expect, test } from 'vitest';
import { z } from 'zod';

import { memoryFolder } from '../../../test/support/memory-folder.ts';
import { fenced } from '../../../test/support/parsed.ts';
import { toPlain } from '../fields.ts';
import { readFrontmatter } from '../frontmatter.ts';
import { SkillManifestSchema } from './manifest-schema.ts';
import { validateFolder } from './validate.ts';

const REQUIRED = 'name: demo\ndescription: Fills forms.';

test.each([
  REQUIRED,
  `${REQUIRED}\nlicense: MIT\ncompatibility: Node\nallowed-tools: Read\nmetadata:\n  version: 1.0`,
  `${REQUIRED}\nallowed-tools: [Read, Write]`,
  `${REQUIRED}\nlicense:\ncompatibility: ~`,
  `${REQUIRED}\ntags: [a]`,
  `${REQUIRED}\ntriggers:\n  keywords: [a]`,
  'name: demo',
  'description: d',
  'name: ""\ndescription: d',
  'name: demo\ndescription: " "',
  'name: -Bad--Name_\ndescription: d',
  `name: ${'a'.repeat(65)}\ndescription: d`,
  `name: demo\ndescription: ${'é'.repeat(1024)}`,
  `name: demo\ndescription: ${'x'.repeat(1025)}`,
  `${REQUIRED}\ncompatibility: ${'x'.repeat(501)}`,
  `${REQUIRED}\nlicense: [MIT]`,
])('the manifest schema accepts exactly what strict validation accepts: %j', (yaml) => {
  const manifest = toPlain(readFrontmatter(fenced(yaml)).map ?? null);
  const dir = `/skills/${/^name: (\S+)$/m.exec(yaml)?.[1] ?? 'demo'}`;
  const validation = validateFolder(memoryFolder({ 'SKILL.md': fenced(yaml) }, { dir }), { spec: true });
  expect(SkillManifestSchema.safeParse(manifest).success).toBe(validation.ok);
});

test('the manifest schema names every fault with its field', () => {
  const parsed = SkillManifestSchema.safeParse({ name: 'Bad--Name', description: '', mood: 'good' });
  expect(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['name', 'the name "Bad--Name" must be lowercase'],
    ['name', 'the name cannot contain consecutive hyphens'],
    ['description', 'must be non-empty text'],
    ['', 'Unrecognized key: "mood"'],
  ]);
});

test('the manifest schema is a Zod schema: it can be extended, nested and rendered as JSON Schema', () => {
  const more = SkillManifestSchema.extend({ mood: z.string() });
  expect(more.parse({ name: 'a', description: 'b', mood: 'good' })).toEqual({
    name: 'a',
    description: 'b',
    mood: 'good',
  });
  expect(z.array(SkillManifestSchema).safeParse([{ name: 'a' }]).success).toBe(false);
  expect(SkillManifestSchema).toBeInstanceOf(z.ZodObject);
  expect(z.toJSONSchema(SkillManifestSchema)).toMatchObject({
    required: ['name', 'description'],
    additionalProperties: false,
    properties: { name: { type: 'string', maxLength: 64 }, description: { maxLength: 1024 } },
  });
});
