import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../test/support/child.ts';
import { skillText, writeTree, type Tree } from '../../test/support/tree.ts';
import { makeWorld, type World } from '../../test/support/world.ts';
import { validateSkill } from '../author/validate.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { createGateway, type Gateway } from './gateway.ts';

const USER = 'home/.agent/skills';

interface Opened {
  readonly world: World;
  readonly skills: Skills;
  readonly gateway: Gateway;
}

async function open(tree: Tree = {}, settings = ''): Promise<Opened> {
  const world = makeWorld({
    'home/.agent/config.yaml': `skills:\n  disabledSources: [bundled]\n${settings}`,
    ...tree,
  });
  const skills = await openSkills({ cwd: world.project, home: world.home, env: world.env });
  onTestFinished(() => skills[Symbol.asyncDispose]());
  return { world, skills, gateway: createGateway(skills, { write: 'user', run: true }) };
}

/** The skills that the document describes, and one that it does not. */
const DOCUMENTED: Tree = {
  [`${USER}/deployment/SKILL.md`]: [
    '---',
    'description: "Step-by-step deployment workflow for production"',
    'domain: development',
    'version: 1.0.0',
    'tags: [devops, deploy, production]',
    '---',
    '',
    '# Deployment Workflow',
    '',
    '1. Run pre-deployment checks...',
    '2. Build production bundle...',
    '3. Deploy to staging...',
    '',
  ].join('\n'),
  [`${USER}/code-review/SKILL.md`]: skillText(
    { description: 'Reads changes.', tags: ['quality', 'devops'], domain: 'review' },
    '# Reading Changes\n\nLook twice.\n',
  ),
  [`${USER}/testing-strategy/SKILL.md`]: skillText(
    { description: 'Plans tests.', tags: 'quality, tests' },
    'No heading.\n',
  ),
  [`${USER}/secret/SKILL.md`]: skillText({
    description: 'Hidden deployment.',
    'disable-model-invocation': true,
    tags: ['devops'],
  }),
};

const DEPLOYMENT = {
  id: 'deployment',
  name: 'Deployment Workflow',
  description: 'Step-by-step deployment workflow for production',
  tags: ['devops', 'deploy', 'production'],
};
const REVIEW = {
  id: 'code-review',
  name: 'Reading Changes',
  description: 'Reads changes.',
  tags: ['quality', 'devops'],
};
const TESTING = {
  id: 'testing-strategy',
  name: 'testing-strategy',
  description: 'Plans tests.',
  tags: ['quality', 'tests'],
};

describe('a CTX search', () => {
  test('returns exactly the documented answer', async () => {
    const { gateway } = await open(DOCUMENTED);
    expect(await gateway.handle('?s "deployment" #devops ^3')).toEqual({
      ok: true,
      results: [{ ...DEPLOYMENT, score: 0.9 }],
    });
  });

  test.each([
    ['?s "deployment workflow"', [[DEPLOYMENT, 1]]],
    ['?s "deployment work"', [[DEPLOYMENT, 0.9]]],
    [
      '?s quality',
      [
        [REVIEW, 0.8],
        [TESTING, 0.8],
      ],
    ],
    ['?s code-review', [[REVIEW, 0.7]]],
    [
      '?s dev',
      [
        [DEPLOYMENT, 0.7],
        [REVIEW, 0.7],
      ],
    ],
    ['?s code', [[REVIEW, 0.6]]],
    ['?s "step-by-step"', [[DEPLOYMENT, 0.5]]],
  ] as const)('%s gives the documented scores, ties sorted by name', async (statement, expected) => {
    const { gateway } = await open(DOCUMENTED);
    const answer = await gateway.handle(statement);
    const fixed = 'results' in answer ? answer.results.filter(({ score }) => score >= 0.5) : answer;
    expect(fixed).toEqual(expected.map(([skill, score]) => ({ ...skill, score })));
  });

  test.each([
    ['?s #devops', [DEPLOYMENT, REVIEW]],
    ['?s "" #devops #quality', [REVIEW]],
    ['?s #DEVOPS @development', [DEPLOYMENT]],
    ['?s @review', [REVIEW]],
    ['?s @Review', []],
    ['?s #nothing', []],
    ['?s', [DEPLOYMENT, REVIEW, TESTING]],
    ['?s ^1', [DEPLOYMENT]],
  ])(
    '%s without a query lists the skills that pass the filters, by name, with score 0',
    async (statement, expected) => {
      const { gateway } = await open(DOCUMENTED);
      expect(await gateway.handle(statement)).toEqual({
        ok: true,
        results: expected.map((skill) => ({ ...skill, score: 0 })),
      });
    },
  );

  test('finds skills for a plain request, with scores below the documented ones', async () => {
    const { gateway } = await open(DOCUMENTED);
    const answer = await gateway.handle('?s "how do I build the bundle for staging"');
    expect(answer).toMatchObject({ ok: true, results: [{ id: 'deployment' }] });
    expect('results' in answer && answer.results[0]?.score).toBeLessThan(0.5);
  });

  test('returns ten by default, as many as asked for, or all with the given tags', async () => {
    const many = Array.from({ length: 25 }, (_, at) => [
      `${USER}/deploy-${at}/SKILL.md`,
      skillText({ description: 'Deploys.', tags: ['many'] }, `# Deploy to ${String.fromCharCode(122 - at)}\n`),
    ]);
    const { gateway } = await open(Object.fromEntries(many) as Tree);
    const names = async (statement: string): Promise<readonly string[]> => {
      const answer = await gateway.handle(statement);
      return 'results' in answer ? answer.results.map(({ name }) => name) : [];
    };
    expect(await names('?s deploy')).toHaveLength(10);
    expect(await names('?s deploy ^12')).toHaveLength(12);
    expect(await names('?s')).toHaveLength(10);
    expect(await names('?s #many ^3')).toEqual(['Deploy to b', 'Deploy to c', 'Deploy to d']);
    const all = await names('?s #many');
    expect(all).toHaveLength(25);
    expect(all).toEqual([...all].sort());
  });

  test('returns ids that load the skill found, even if another has the same', async () => {
    const { gateway } = await open({
      [`${USER}/report/SKILL.md`]: skillText({ name: 'weekly', description: 'One.' }, '# Weekly\n'),
      'home/.agents/skills/other/SKILL.md': skillText({ name: 'report', description: 'Two.' }, '# Report\n'),
      'home/.claude/skills/report/SKILL.md': skillText({ name: 'monthly', description: 'Three.' }, '# Monthly\n'),
    });
    const found = await gateway.handle('?s');
    const ids = 'results' in found ? found.results.map(({ id, name }) => [id, name]) : [];
    expect(ids.map(([, name]) => name)).toEqual(['Monthly', 'Report', 'Weekly']);
    for (const [id, name] of ids) expect(await gateway.handle(`!s ${id}`)).toMatchObject({ skill: { name } });
  });
});

describe('loading a skill with CTX', () => {
  test('returns the skill, its instructions and their token count', async () => {
    const { gateway, world } = await open(DOCUMENTED);
    const content =
      '# Deployment Workflow\n\n1. Run pre-deployment checks...\n2. Build production bundle...\n3. Deploy to staging...';
    expect(await gateway.handle('!s deployment')).toEqual({
      ok: true,
      skill: {
        ...DEPLOYMENT,
        domain: 'development',
        version: '1.0.0',
        source: 'user',
        dir: join(world.root, USER, 'deployment'),
      },
      content,
      tokens: Math.ceil(content.length / 4),
    });
  });

  test('finds the skill by another spelling of its name, or by its title', async () => {
    const { gateway } = await open(DOCUMENTED);
    for (const name of ['DEPLOYMENT', '"Deployment Workflow"', '"deployment workflow"'])
      expect(await gateway.handle(`!s ${name}`)).toMatchObject({ ok: true, skill: { id: 'deployment' } });
  });

  test('answers an unknown name with the skills that exist', async () => {
    const { gateway } = await open(DOCUMENTED);
    expect(await gateway.handle('!s deploymant')).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: 'Unknown skill: deploymant. Available: deployment, code-review, testing-strategy',
      nearest: ['deployment', 'code-review', 'testing-strategy'],
    });
  });

  test('treats hidden, disabled and unavailable skills as unknown', async () => {
    const { gateway } = await open(
      {
        ...DOCUMENTED,
        [`${USER}/needy/SKILL.md`]: skillText({
          description: 'Needs.',
          metadata: { requires: 'no-such-command' },
          tags: ['devops'],
        }),
      },
      '  disabled: [code-review]\n',
    );
    for (const name of ['secret', 'code-review'])
      for (const statement of [`!s ${name}`, `-s ${name}`, `~s ${name} "new"`, `>s ${name} script=x`]) {
        const answer = await gateway.handle(statement);
        expect(answer).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
        expect(JSON.stringify({ ...answer, message: '' })).not.toContain(name);
      }
    expect(await gateway.handle('?s #devops')).toMatchObject({ results: [{ id: 'deployment' }] });
  });

  test('fails if the file can no longer be read', async () => {
    const { gateway, world } = await open(DOCUMENTED);
    writeTree(world.root, { [`${USER}/deployment/SKILL.md`]: Buffer.from([0xff, 0xfe, 0x00]) });
    expect(await gateway.handle('!s deployment')).toMatchObject({ ok: false });
  });

  test('shows invisible characters to the model', async () => {
    const { gateway } = await open({
      [`${USER}/odd/SKILL.md`]: skillText({ description: 'Seems\u200Bfine.' }, '# O\u202Edd\n\nText\u{E0041}.\n'),
    });
    expect(await gateway.handle('!s odd')).toMatchObject({
      skill: { name: 'O\uFFFDdd', description: 'Seems\uFFFDfine.' },
      content: '# O\uFFFDdd\n\nText\uFFFD.',
    });
  });
});

describe('storing a skill with CTX', () => {
  test('writes a valid skill and returns its path', async () => {
    const { gateway, world } = await open();
    const path = join(world.root, USER, 'new-workflow/SKILL.md');
    const statement = String.raw`+s "new-workflow" content="# New\n\nDo: \"it\"." description="Does it: well." tags="a, b" domain=ops version=1.10 #b #c`;
    expect(await gateway.handle(statement)).toEqual({ ok: true, id: 'new-workflow', path });
    expect(readFileSync(path, 'utf8')).toMatch(/\n# New\n\nDo: "it"\.\n$/);
    expect(validateSkill(dirname(path)).errors).toEqual([]);
    expect(await gateway.handle('!s new-workflow')).toMatchObject({
      skill: { name: 'New', description: 'Does it: well.', tags: ['a', 'b', 'c'], domain: 'ops', version: '1.10' },
      content: '# New\n\nDo: "it".',
    });
  });

  test('accepts tags and domain before and after the payload', async () => {
    const { gateway } = await open();
    await gateway.handle('+s before #a @ops "Text."');
    await gateway.handle('+s after "Text." @ops #a');
    for (const id of ['before', 'after'])
      expect(await gateway.handle(`!s ${id}`)).toMatchObject({ skill: { tags: ['a'], domain: 'ops' } });
  });

  test('writes the same with and without a key for the payload', async () => {
    const [keyed, bare] = [await open(), await open()];
    await keyed.gateway.handle('+s "new-workflow" content="Steps: lint, test, deploy"');
    await bare.gateway.handle('+s new-workflow "Steps: lint, test, deploy"');
    const read = ({ world }: Opened): string => readFileSync(join(world.root, USER, 'new-workflow/SKILL.md'), 'utf8');
    expect(read(keyed)).toBe(read(bare));
  });

  test.each([
    ['Steps: lint, test, deploy', 'Steps: lint, test, deploy'],
    [String.raw`# Deploy\n\nPuts it\nonline. Carefully.\n\nMore.`, 'Puts it online. Carefully.'],
    [String.raw`# Deploy`, 'Deploy'],
    ['```\\ncode\\n```', 'x'],
    [String.raw`---\nname: y\ndescription: Said in it.\n---\n\n# Body`, 'Said in it.'],
    ['word '.repeat(100), `${'word '.repeat(38)}word…`],
  ])('derives a missing description from the content %j', async (content, description) => {
    const { gateway, world } = await open();
    expect(await gateway.handle(`+s x content="${content}"`)).toMatchObject({ ok: true, id: 'x' });
    expect(validateSkill(join(world.root, USER, 'x')).errors).toEqual([]);
    expect(await gateway.handle('!s x')).toMatchObject({
      skill: { description },
    });
  });

  test('refuses an id that exists in any source', async () => {
    const { gateway } = await open({
      ...DOCUMENTED,
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'PDF.' }),
    });
    for (const name of ['deployment', 'pdf'])
      expect(await gateway.handle(`+s ${name} "new"`)).toMatchObject({ ok: false, code: 'ALREADY_EXISTS' });
    expect(await gateway.handle('!s deployment')).toMatchObject({ skill: { name: 'Deployment Workflow' } });
  });

  test.each(['../evil', 'Big', 'a--b', '/etc/x', 'a/b', '.', 'two words'])('refuses the name %j', async (name) => {
    const { gateway, world } = await open();
    expect(await gateway.handle(`+s "${name}" "text"`)).toMatchObject({ ok: false, code: 'INVALID_NAME' });
    expect(existsSync(join(world.root, 'home/.agent/evil'))).toBe(false);
  });
});

describe('updating a skill with CTX', () => {
  test('changes the given fields and keeps the rest', async () => {
    const { gateway, world } = await open(DOCUMENTED);
    const path = join(world.root, USER, 'deployment/SKILL.md');
    expect(await gateway.handle('~s deployment version=2.0 #devops')).toEqual({ ok: true, id: 'deployment', path });
    expect(await gateway.handle('!s deployment')).toMatchObject({
      skill: { ...DEPLOYMENT, tags: ['devops'], version: '2.0' },
      content: expect.stringContaining('Deploy to staging'),
    });
    expect(await gateway.handle('~s deployment "# Other"')).toMatchObject({ ok: true });
    expect(await gateway.handle('!s deployment')).toMatchObject({
      skill: { name: 'Other', description: DEPLOYMENT.description, version: '2.0' },
      content: '# Other',
    });
    await gateway.handle('~s deployment tags=""');
    expect(await gateway.handle('!s deployment')).toMatchObject({ skill: { tags: [] } });
  });

  test('fails if the skill does not exist', async () => {
    const { gateway, world } = await open(DOCUMENTED);
    expect(await gateway.handle('~s deploy-2 "new"')).toMatchObject({
      code: 'SKILL_NOT_FOUND',
      nearest: expect.arrayContaining(['deployment']),
    });
    expect(existsSync(join(world.root, USER, 'deploy-2'))).toBe(false);
  });
});

describe('removing a skill with CTX', () => {
  test('deletes a skill that was stored here', async () => {
    const { gateway, world } = await open(DOCUMENTED);
    const path = join(world.root, USER, 'deployment/SKILL.md');
    expect(await gateway.handle('-s deployment')).toEqual({ ok: true, id: 'deployment', path });
    expect(existsSync(path)).toBe(false);
    expect(await gateway.handle('-s deployment')).toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });

  test('never deletes or changes a skill of another source', async () => {
    const { gateway, world } = await open({
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'PDF.' }),
    });
    for (const statement of ['-s pdf', '~s pdf "mine now"'])
      expect(await gateway.handle(statement)).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(existsSync(join(world.root, 'home/.claude/skills/pdf/SKILL.md'))).toBe(true);
  });
});

describe('running a script with CTX', () => {
  const scripts: Tree = {
    [`${USER}/tool/SKILL.md`]: skillText({ name: 'tool', description: 'Runs.' }),
    [`${USER}/tool/scripts/say.sh`]: `printf '<%s>' "$@"\nexit 0\n`,
    [`${USER}/tool/scripts/fail.sh`]: 'echo bad >&2\nexit 3\n',
    [`${USER}/tool/scripts/much.sh`]: 'yes | head -c 100000\n',
  };

  test.each([
    ['>s tool script=say.sh', '<>'],
    ['>s tool script=say args=a', '<a>'],
    [`>s tool script=say.sh args="a 'b c'  $(d)"`, '<a><b c><$(d)>'],
    [String.raw`>s tool script=say.sh args="[\"a b\", \"\", \"c\"]"`, '<a b><><c>'],
    ['>s tool script=say.sh args="[]"', '<>'],
  ])('passes the arguments to the script: %s', async (statement, stdout) => {
    const { gateway } = await open(scripts);
    expect(await gateway.handle(statement)).toEqual({
      ok: true,
      exitCode: 0,
      signal: null,
      stdout,
      stderr: '',
      truncated: false,
      durationMs: expect.any(Number),
      isolation: expect.any(String),
      promises: expect.any(Object),
      notes: expect.any(Array),
      visible: expect.any(Array),
      warnings: [],
      files: [],
      filesCut: false,
    });
  });

  test('reports how the script failed, and truncates long output', async () => {
    const { gateway } = await open(scripts);
    expect(await gateway.handle('>s tool script=fail')).toMatchObject({
      ok: false,
      code: 'SCRIPT_FAILED',
      exitCode: 3,
      stderr: 'bad\n',
    });
    const much = await gateway.handle('>s tool script=much');
    expect('stdout' in much && much.stdout.length).toBeLessThan(20_100);
    expect(much).toMatchObject({ stdout: expect.stringContaining('characters omitted') });
  });

  test.each([
    ['>s tool script=nope', 'RESOURCE_NOT_FOUND'],
    ['>s tul script=say', 'SKILL_NOT_FOUND'],
    ['>s tool script=say args="[1]"', 'CTX_INVALID'],
    ['>s tool script=say args="[oops"', 'CTX_INVALID'],
    [`>s tool script=say args="${'x '.repeat(101)}"`, 'ARGS_TOO_LARGE'],
  ])('refuses %s with %s', async (statement, code) => {
    const { gateway } = await open(scripts);
    expect(await gateway.handle(statement)).toMatchObject({ ok: false, code });
  });

  test('is refused for an untrusted skill, and only the user may change that', async () => {
    const { gateway } = await open({
      'project/.claude/skills/tool/SKILL.md': skillText({ name: 'tool', description: 'Runs.' }),
      'project/.claude/skills/tool/scripts/say.sh': 'echo ran\n',
    });
    expect(await gateway.handle('>s tool script=say')).toMatchObject({
      code: 'NOT_TRUSTED',
      message: expect.stringContaining('or ask the user to run `skillplane trust tool`; do not run that'),
    });
  });

  test('stops when the caller aborts', async () => {
    const { gateway } = await open({ ...scripts, [`${USER}/tool/scripts/slow.sh`]: 'sleep 60\n' });
    const answer = await gateway.handle('>s tool script=slow', { signal: AbortSignal.timeout(200) });
    expect(answer).toMatchObject({ ok: false, message: 'the script was cancelled' });
  });
});

describe('the CTX gateway', () => {
  test.each(['k', 't', 'm', 'a', 'i', 'l'])('refuses the plane %s, which is known but not served', async (plane) => {
    const { gateway } = await open();
    expect(await gateway.handle(`?${plane} "x"`)).toEqual({
      ok: false,
      code: 'CTX_INVALID',
      message: `plane ${plane} is not served here`,
      position: 1,
      found: plane,
      expected: 's',
    });
  });

  test('refuses a text that is not a statement, with the position of the error', async () => {
    const { gateway } = await open();
    expect(await gateway.handle('find me something')).toMatchObject({ ok: false, code: 'CTX_INVALID', position: 0 });
  });
});

test('a skill stored, updated and removed with CTX is seen by another process at once', async () => {
  const { world, gateway } = await open();
  const other = (statement: string): Promise<unknown> =>
    runModule(
      `import { openSkills } from '${sourceUrl('engine/open-skills.ts')}';
       import { createGateway } from '${sourceUrl('ctx/gateway.ts')}';
       const [cwd, home, env, statement] = process.argv.slice(1);
       const skills = await openSkills({ cwd, home, env: JSON.parse(env) });
       console.log(JSON.stringify(await createGateway(skills, { write: 'user' }).handle(statement)));
       await skills[Symbol.asyncDispose]();`,
      [world.project, world.home, JSON.stringify(world.env), statement],
    );
  const path = join(world.root, USER, 'release/SKILL.md');
  const search = '?s "cut a release" #git';
  expect(await gateway.handle(search)).toEqual({ ok: true, results: [] });
  expect(await gateway.handle(String.raw`+s release "# Cut a Release\n\nTag, then push." #git`)).toEqual({
    ok: true,
    id: 'release',
    path,
  });
  const found = { id: 'release', name: 'Cut a Release', description: 'Tag, then push.', tags: ['git'], score: 1 };
  expect(await gateway.handle(search)).toEqual({ ok: true, results: [found] });
  expect(await other(search)).toEqual({ ok: true, results: [found] });
  expect(await other('!s release')).toMatchObject({
    ok: true,
    content: '# Cut a Release\n\nTag, then push.',
    tokens: 8,
  });
  expect(await other('~s release description="Publishes." content="# Cut a Release\\n\\nPush."')).toMatchObject({
    ok: true,
    path,
  });
  expect(await gateway.handle('!s release')).toMatchObject({
    skill: { description: 'Publishes.' },
    content: '# Cut a Release\n\nPush.',
  });
  expect(await other('+s hotfix "Only what is broken."')).toMatchObject({ ok: true, id: 'hotfix' });
  expect(await gateway.handle('?s hotfix ^1')).toMatchObject({ results: [{ id: 'hotfix' }] });
  expect(await gateway.handle('!s hotfix')).toMatchObject({ content: 'Only what is broken.' });
  expect(await gateway.handle('-s release')).toEqual({ ok: true, id: 'release', path });
  expect(await other('!s release')).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  expect(await gateway.handle(search)).toEqual({ ok: true, results: [] });
});

test('simultaneous CTX statements are all answered, and only one of two stores the same skill', async () => {
  const { gateway } = await open();
  const statements = ['+s same "One."', '+s same "Two."', '?s same', '!s same', '+s other "Three."'];
  const answers = await Promise.all(statements.map((statement) => gateway.handle(statement)));
  expect(
    answers
      .slice(0, 2)
      .map((answer) => (answer.ok ? 'ok' : answer.code))
      .sort(),
  ).toEqual(['ALREADY_EXISTS', 'ok']);
  expect(answers[4]).toMatchObject({ ok: true, id: 'other' });
  expect(await gateway.handle('!s same')).toMatchObject({ ok: true });
});

describe('a broken skill in CTX', () => {
  const TREE = { [`${USER}/forms/SKILL.md`]: '---\nname: &a forms\ndescription: *a\n---\n\nFill it.\n' };

  test('is reported as broken when it is loaded or searched for by its name, and found by no other search', async () => {
    const { gateway, world } = await open(TREE);
    const dir = join(world.home, '.agent/skills/forms');
    expect(await gateway.handle('!s forms')).toEqual({
      ok: false,
      code: 'PARSE_FAILED',
      message: expect.stringMatching(
        new RegExp(`cannot read "forms": ${dir}/SKILL.md:3: .*\`skillplane validate --fix ${dir}\``),
      ),
    });
    expect(await gateway.handle('>s forms script=scripts/run.sh')).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await gateway.handle('?s forms')).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
    expect(await gateway.handle('?s fill')).toEqual({ ok: true, results: [] });
    expect(await gateway.handle('!s form')).toMatchObject({ code: 'SKILL_NOT_FOUND', nearest: [] });
  });

  test('can be rewritten by the user, but not by an agent', async () => {
    const { gateway, skills } = await open(TREE);
    const agent = createGateway(skills, { write: 'agent' });
    expect(await agent.handle('~s forms description="Mine." content="Mine."')).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await agent.handle('+s forms "Mine."')).toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await gateway.handle('~s forms content="New."')).toMatchObject({ code: 'PARSE_FAILED' });
    expect(await gateway.handle('~s forms description="Fills forms."')).toMatchObject({ ok: true, id: 'forms' });
    expect(await gateway.handle('!s forms')).toMatchObject({ ok: true, content: 'Fill it.' });
  });

  test('can be removed by the user', async () => {
    const { gateway, world } = await open(TREE);
    expect(await gateway.handle('-s forms')).toMatchObject({ ok: true, id: 'forms' });
    expect(existsSync(join(world.home, '.agent/skills/forms'))).toBe(false);
  });
});
