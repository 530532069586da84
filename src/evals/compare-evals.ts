import { dirname, join, relative, sep } from 'node:path';

import { findSkill } from '../catalog/find.ts';
import { readBody } from '../catalog/read-body.ts';
import { openSkills, type Skills } from '../engine/open-skills.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { exists, isFile, readOwnText, realPath } from '../platform/files/files.ts';
import { SkillRegistry } from '../select/registry.ts';
import { placeSkill } from '../sources/place-skill.ts';
import { compareRuns, type EvalComparison } from './eval-comparison.ts';
import {
  listSearched,
  openEvaluated,
  openSearched,
  readEval,
  type EvaluatedEngine,
  type EvaluateSkillsOptions,
} from './evaluate-skills.ts';
import { judgeEach, type EvaluatedSkills } from './evaluation.ts';

/** Two runs of the same requests: `before` with the other state of the skills, `after` with the present one. */
export interface SkillEvalComparison extends EvalComparison {
  readonly file: string;
  /** A configuration file, or the id of a commit. */
  readonly other: string;
}

/**
 * Runs the requests twice: with the skills as they are, and with another state of them. `other` is a `config.yaml`, whose
 * settings are laid over yours, or a commit, branch or tag of the repository in which the requests lie: every skill of that
 * repository is then searched as it was there.
 */
export async function compareEvals(
  skills: Skills,
  path: string,
  { other, skill }: Pick<EvaluateSkillsOptions, 'skill'> & { readonly other: string },
): Promise<Outcome<SkillEvalComparison>> {
  await using engine = openEvaluated(skills);
  const read = await readEval(engine, path, skill);
  if (!read.ok) return read;
  const { cases, dir, tested } = read;
  const isConfig = /\.ya?ml$/i.test(other) && isFile(other);
  const states = await (isConfig
    ? openConfigs(engine, tested, other)
    : openCommits(skills, { tested, dir, ref: other }));
  if (!states.ok) return states;
  await using _ = states.opened;
  const after = judgeEach(cases, states.after);
  if (after.length === 0)
    return fail('RESOURCE_NOT_FOUND', `${path}: no request names a skill to find, so there is nothing to compare`);
  return { ok: true, file: path, other: states.name, ...compareRuns(judgeEach(cases, states.before), after) };
}

interface TwoStates {
  readonly name: string;
  readonly before: EvaluatedSkills;
  readonly after: EvaluatedSkills;
  /** Needed as long as they are asked. */
  readonly opened?: AsyncDisposable;
}

async function openConfigs(
  engine: EvaluatedEngine,
  tested: Skill | undefined,
  file: string,
): Promise<Outcome<TwoStates>> {
  const text = readOwnText(file);
  if (!text.ok) return text;
  // Lazy, like git below: only comparisons need it.
  const { parseConfig } = await import('../config/parse-config.ts');
  const parsed = parseConfig(text.text ?? '');
  if (!parsed.ok) return fail('CONFIG_INVALID', `${file}: ${parsed.message}`);
  // A setting that is ignored would make both runs the same.
  const [wrong] = parsed.faults;
  if (wrong !== undefined) return fail('CONFIG_INVALID', `${file}:${wrong.line}: ${wrong.message}`);
  const [unknown] = parsed.unknown;
  if (unknown !== undefined) return fail('CONFIG_INVALID', `${file}: unknown setting ${JSON.stringify(unknown.key)}`);
  if (Object.keys(parsed.section).length === 0)
    return fail('CONFIG_INVALID', `${file} has no settings under \`skills:\`, so there is nothing to compare`);
  const { cwd, home, variables } = engine.skills.environment;
  const other = await openSkills({ cwd, home, env: variables, config: parsed.section });
  const otherEngine = openEvaluated(other);
  return {
    ok: true,
    name: file,
    before: await openSearched(otherEngine, tested),
    after: await openSearched(engine, tested),
    opened: {
      async [Symbol.asyncDispose]() {
        await otherEngine[Symbol.asyncDispose]();
        await other[Symbol.asyncDispose]();
      },
    },
  };
}

interface CommitRequest {
  readonly tested: Skill | undefined;
  readonly dir: string;
  readonly ref: string;
}

async function openCommits(skills: Skills, { tested, dir, ref }: CommitRequest): Promise<Outcome<TwoStates>> {
  const root = findRepository(dir);
  if (root === undefined)
    return fail(
      'RESOURCE_NOT_FOUND',
      `${dir} is not in a git repository, so there is no commit ${JSON.stringify(ref)} to compare with`,
      { advice: 'Give a commit, branch or tag of the repository of the requests, or another config.yaml.' },
    );
  const { openLocalGit } = await import('../platform/repository/local-git.ts');
  const git = openLocalGit(skills.environment, root);
  const commit = await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
  if (commit === undefined)
    return fail(
      'RESOURCE_NOT_FOUND',
      `${root} has no commit, branch or tag ${JSON.stringify(ref)}, and there is no such config.yaml`,
    );
  const all = listSearched(skills, tested);
  const old = await readOldSkills((path) => git(['cat-file', 'blob', `${commit.trim()}:${path}`]), root, all);
  const bodies = new Map(old.map(({ skill, body }) => [skill, body]));
  const earlier = old.map(({ skill }) => skill);
  return {
    ok: true,
    name: commit.trim(),
    before: searchOver(earlier, (skill) => bodies.get(skill) ?? readBody(skill)),
    after: searchOver(all, readBody),
  };
}

function searchOver(all: readonly Skill[], read: (skill: Skill) => string): EvaluatedSkills {
  const registry = SkillRegistry.over(all, { readBody: read });
  return { rank: (query) => registry.search(query), find: (name) => findSkill(all, name) };
}

function findRepository(dir: string): string | undefined {
  for (let at = realPath(dir) ?? dir; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

interface OldSkill {
  readonly skill: Skill;
  /** Undefined for a skill outside of the repository, which is the same now. */
  readonly body: string | undefined;
}

/** The skills as they were; one of the repository that did not exist then, or could not be read, is left out. */
async function readOldSkills(
  readOld: (path: string) => Promise<string | undefined>,
  root: string,
  all: readonly Skill[],
): Promise<readonly OldSkill[]> {
  const found: OldSkill[] = [];
  for (const skill of all) {
    const path = relative(root, realPath(skill.file) ?? skill.file);
    if (path.startsWith('..')) {
      found.push({ skill, body: undefined });
      continue;
    }
    const text = await readOld(path.split(sep).join('/'));
    const parsed = text === undefined ? undefined : parseSkill(text, { dir: skill.dir });
    if (parsed?.ok !== true) continue;
    const { source, group, level } = skill;
    found.push({ skill: placeSkill(parsed.skill, { source, group, level }), body: parsed.body });
  }
  return found;
}
