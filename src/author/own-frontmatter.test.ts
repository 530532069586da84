import { expect, test } from 'vitest';

import { takeOwnFrontmatter } from './own-frontmatter.ts';

test.for([
  ['no frontmatter', '# Title\n', '# Title\n', []],
  ['a rule at the start', '---\n\nText\n\n---\n', '---\n\nText\n\n---\n', []],
  ['other data', '---\nfoo: bar\n---\nText', '---\nfoo: bar\n---\nText', []],
  ['broken data', '---\n[\n---\nText', '---\n[\n---\nText', []],
  ['a frontmatter', '---\nname: x\nhooks: y\nz: 1\n---\nText', 'Text', ['hooks', 'z']],
  ['a frontmatter with invalid YAML', '---\ndescription: a: b\n---\nText', 'Text', []],
] as const)(
  'frontmatter in agent-written content is removed only if it is a skill’s: %s',
  ([, content, body, leftOut]) => {
    expect(takeOwnFrontmatter(content)).toMatchObject({ body, leftOut });
  },
);
