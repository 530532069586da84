/* oxlint-disable vitest/no-standalone-expect, vitest/expect-expect -- `requirement` makes the tests */
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readProperties, toPrompt } from '../../src/author/read-skill.ts';
import { validateSkill } from '../../src/author/validate.ts';
import { fromFile } from '../../src/index.ts';
import type { Validation } from '../../src/parse/strict/validation.ts';
import { makeTree } from '../support/tree.ts';
import { findUncited, requirements, type RequirementId } from './agent-skills.ts';

const cited = new Set<RequirementId>();

/** A test of one requirement, under its own sentence. */
function requirement(id: RequirementId, check: () => void): void {
  cited.add(id);
  test(`${id}: ${requirements[id]}`, check);
}

/** Makes a directory with this SKILL.md (or other file) and returns its path. */
function skillDir(text: string, name = 'my-skill', file = 'SKILL.md'): string {
  return join(makeTree({ [`${name}/${file}`]: text }), name);
}

function text(yaml: string): string {
  return `---\n${yaml}\n---\n# My Skill\n\nInstructions.\n`;
}

function judge(dir: string): Validation {
  return validateSkill(dir, { spec: true });
}

/** The messages of all errors; a valid skill has none. */
function errors(dir: string): readonly string[] {
  return judge(dir).errors.map(({ message }) => message);
}

/** The skill in a directory of its own name, as the reference tool judges it. */
function errorsOfName(name: string): readonly string[] {
  return errors(skillDir(text(`name: ${name}\ndescription: A test skill`), name));
}

function containing(words: string): unknown {
  return expect.stringContaining(words);
}

const MINIMAL = 'name: my-skill\ndescription: A test skill';

describe('reading', () => {
  requirement('P1', () => {
    const outcome = fromFile(join(skillDir(text(MINIMAL)), 'SKILL.md'));
    expect(outcome).toMatchObject({ ok: true, skill: { name: 'my-skill', description: 'A test skill' } });
    expect(outcome.ok && outcome.body).toContain('# My Skill');
  });

  const refused: readonly [RequirementId, string, string][] = [
    ['P2', '# No frontmatter here', 'must start with'],
    ['P3', '---\nname: my-skill\ndescription: A test skill\n', 'not properly closed'],
    ['P4', text('name: [invalid\ndescription: broken'), 'invalid YAML'],
    ['P5', text('- just\n- a\n- list'), 'must be a mapping'],
    ['P9', text('description: A test skill'), 'missing required field: name'],
    ['P10', text('name: my-skill'), 'missing required field: description'],
  ];
  for (const [id, content, words] of refused) {
    requirement(id, () => {
      const dir = skillDir(content);
      expect(readProperties(dir)).toEqual({ ok: false, code: 'PARSE_FAILED', message: containing(words) });
      expect(errors(dir)).toEqual([containing(words)]);
    });
  }

  requirement('P6', () => {
    expect(readProperties(skillDir(text(`${MINIMAL}\nlicense: MIT`)))).toMatchObject({
      ok: true,
      properties: { name: 'my-skill', description: 'A test skill', license: 'MIT' },
    });
  });

  requirement('P7', () => {
    const dir = skillDir(text(`${MINIMAL}\nmetadata:\n  author: Test Author\n  version: 1.0`));
    const metadata = { author: 'Test Author', version: '1.0' };
    expect(readProperties(dir)).toMatchObject({ ok: true, properties: { metadata } });
    expect(fromFile(join(dir, 'SKILL.md'))).toMatchObject({ ok: true, skill: { metadata, version: '1.0' } });
  });

  requirement('P8', () => {
    const dir = makeTree({ 'README.md': '' });
    expect(readProperties(dir)).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message: containing('not found') });
  });
});

describe('the file', () => {
  const lower = text('name: my-skill\ndescription: From skill.md');

  requirement('P11', () => {
    const root = makeTree({ 'my-skill/skill.md': lower, 'my-skill/SKILL.md': text(MINIMAL) });
    expect(readProperties(join(root, 'my-skill'))).toMatchObject({
      ok: true,
      properties: { description: 'A test skill' },
    });
  });

  requirement('P12', () => {
    const dir = skillDir(lower, 'my-skill', 'skill.md');
    expect(toPrompt([dir])).toMatchObject({ ok: true, text: containing(join(dir, 'skill.md')) });
    expect(judge(dir)).toMatchObject({ ok: true, errors: [], warnings: [{ code: 'FILE_NAME_CASE' }] });
  });

  requirement('P13', () => {
    const dir = makeTree({ 'README.md': '', 'SKILL.txt': '' });
    expect(toPrompt([dir])).toEqual({ ok: false, code: 'SKILL_NOT_FOUND', message: containing('not found') });
  });

  requirement('P14', () => {
    expect(readProperties(skillDir(lower, 'my-skill', 'skill.md'))).toMatchObject({
      ok: true,
      properties: { name: 'my-skill', description: 'From skill.md' },
    });
  });

  requirement('P15', () => {
    const dir = skillDir(text(`${MINIMAL}\nallowed-tools: Bash(jq:*)  Bash(git:*)`));
    expect(readProperties(dir)).toMatchObject({
      ok: true,
      properties: { 'allowed-tools': 'Bash(jq:*)  Bash(git:*)' },
    });
  });
});

describe('the prompt', () => {
  requirement('Q1', () => {
    expect(toPrompt([])).toEqual({ ok: true, text: '<available_skills>\n</available_skills>' });
  });

  requirement('Q2', () => {
    const dir = skillDir(text(MINIMAL));
    const outcome = toPrompt([dir]);
    expect(outcome).toEqual({
      ok: true,
      text: `<available_skills>
<skill>
<name>
my-skill
</name>
<description>
A test skill
</description>
<location>
${join(dir, 'SKILL.md')}
</location>
</skill>
</available_skills>`,
    });
  });

  requirement('Q3', () => {
    const one = skillDir(text('name: skill-a\ndescription: First'), 'skill-a');
    const two = skillDir(text('name: skill-b\ndescription: Second'), 'skill-b');
    const outcome = toPrompt([one, two]);
    const lines = outcome.ok ? outcome.text.split('\n') : [];
    for (const tag of ['<skill>', '</skill>']) expect(lines.filter((line) => line === tag)).toHaveLength(2);
    expect(lines).toEqual(expect.arrayContaining(['skill-a', 'skill-b']));
  });

  requirement('Q4', () => {
    const outcome = toPrompt([skillDir(text('name: my-skill\ndescription: Use <foo> & <bar> tags'))]);
    expect(outcome.ok && outcome.text.split('\n')).toContain('Use &lt;foo&gt; &amp; &lt;bar&gt; tags');
    expect(outcome.ok && outcome.text).not.toMatch(/<foo>|<bar>/);
  });
});

describe('validating', () => {
  requirement('V1', () => {
    const dir = skillDir(text(MINIMAL));
    expect(judge(dir)).toEqual({ path: dir, ok: true, errors: [], warnings: [] });
  });

  requirement('V2', () => {
    expect(errors(join(makeTree(), 'nonexistent'))).toEqual([containing('does not exist')]);
  });

  requirement('V3', () => {
    expect(errors(join(makeTree({ 'file.txt': '' }), 'file.txt'))).toEqual([containing('not a directory')]);
  });

  requirement('V4', () => {
    expect(errors(makeTree())).toEqual([containing('missing required file')]);
  });

  const faultyNames: readonly [RequirementId, string, readonly string[]][] = [
    ['V5', 'MySkill', ['lowercase']],
    ['V6', 'a'.repeat(70), ['exceeds', '64 character limit']],
    ['V7', '-my-skill', ['cannot start or end with a hyphen']],
    ['V8', 'my--skill', ['consecutive hyphens']],
    ['V9', 'my_skill', ['invalid characters']],
    ['V17', 'НАВЫК', ['lowercase']],
  ];
  for (const [id, name, words] of faultyNames) {
    requirement(id, () => {
      const messages = errorsOfName(name);
      expect(messages).toHaveLength(1);
      for (const word of words) expect(messages[0]).toContain(word);
    });
  }

  requirement('V10', () => {
    const dir = skillDir(text('name: correct-name\ndescription: A test skill'), 'wrong-name');
    expect(errors(dir)).toEqual([containing('must match skill name')]);
  });

  requirement('V11', () => {
    expect(errors(skillDir(text(`${MINIMAL}\nunknown_field: should not be here`)))).toEqual([
      containing('unexpected fields: unknown_field'),
    ]);
  });

  const validFields: readonly [RequirementId, string][] = [
    ['V12', 'license: MIT\nmetadata:\n  author: Test'],
    ['V13', 'allowed-tools: Bash(jq:*) Bash(git:*)'],
    ['V19', 'compatibility: Requires Python 3.11+'],
  ];
  for (const [id, lines] of validFields) {
    requirement(id, () => {
      expect(errors(skillDir(text(`${MINIMAL}\n${lines}`)))).toEqual([]);
    });
  }

  const validNames: readonly [RequirementId, string][] = [
    ['V14', '技能'],
    ['V15', 'мой-навык'],
    ['V16', 'навык'],
  ];
  for (const [id, name] of validNames) {
    requirement(id, () => {
      expect(errorsOfName(name)).toEqual([]);
    });
  }

  requirement('V18', () => {
    const messages = errors(skillDir(text(`name: my-skill\ndescription: ${'x'.repeat(1100)}`)));
    expect(messages).toEqual([expect.stringMatching(/exceeds.*1024/)]);
  });

  requirement('V20', () => {
    const messages = errors(skillDir(text(`${MINIMAL}\ncompatibility: ${'x'.repeat(550)}`)));
    expect(messages).toEqual([expect.stringMatching(/exceeds.*500/)]);
  });

  requirement('V21', () => {
    const dir = skillDir(text('name: cafe\u0301\ndescription: A test skill'), 'caf\u00e9');
    expect(errors(dir)).toEqual([]);
  });
});

describe('the list of requirements', () => {
  test('has the forty facts of the reference tests', () => {
    expect(Object.keys(requirements)).toHaveLength(40);
  });

  test('has a test for each', () => {
    expect(findUncited(cited)).toEqual([]);
  });

  test('would tell one that has none', () => {
    const others = new Set(cited);
    others.delete('V5');
    expect(findUncited(others)).toEqual(['V5']);
  });
});
