import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { makeTemporaryTree, writeTree, type Tree } from '../../src/platform/files/temporary-tree.ts';
import { skillText } from '../../src/testing.ts';
import { compareAnswers, replay, type Comparison, type ProgramAnswer } from './answer.ts';
import { ASK } from './ask-programs.ts';
import { CLAUDE_MODEL } from './converse.ts';
import { fillIn, HOMES, placeIn, type TrapHome } from './homes.ts';
import type { ProgramId } from './programs.ts';
import { readRecording, writeRecording, type RecordedAnswer } from './recorded.ts';
import { openStubModel } from './stub-model.ts';

export interface AgreementRow {
  readonly id: ProgramId;
  readonly homes: number;
  /** Skills on which program and replay agree, and others. */
  readonly same: number;
  readonly differing: number;
}

export interface CheckOptions {
  /** The folder that the programs are installed in. */
  readonly programs: string;
  /** Are the answers kept as fixtures? */
  readonly records: boolean;
}

/** Asks each program in each of these homes, compares, and prints where they differ. */
export async function checkHomes(
  ids: readonly ProgramId[],
  titles: readonly string[],
  options: CheckOptions,
): Promise<readonly AgreementRow[]> {
  return Promise.all(ids.map((id) => checkProgram(id, titles, options)));
}

async function checkProgram(
  id: ProgramId,
  titles: readonly string[],
  { programs, records }: CheckOptions,
): Promise<AgreementRow> {
  const homes = titles.flatMap((title) => {
    const home = HOMES[title];
    return home === undefined || home.programs?.includes(id) === false ? [] : [{ title, home }];
  });
  let [same, differing] = [0, 0];
  for (const { title, home } of homes) {
    const checked = await checkHome(id, home, programs);
    console.log(`${id}, ${title}: ${checked.same} same, ${checked.differences.length} different`);
    for (const difference of checked.differences) console.log(`  ${difference}`);
    same += checked.same;
    differing += checked.differences.length;
    if (records) writeRecording(id, { ...readRecording(id).homes, [title]: checked.answer });
  }
  return { id, homes: homes.length, same, differing };
}

async function checkHome(
  id: ProgramId,
  home: TrapHome,
  programs: string,
): Promise<Comparison & { readonly answer: RecordedAnswer }> {
  const now = Date.now();
  using made = makeTemporaryTree({});
  await using stub = await openStubModel();
  const { root } = made;
  writeTree(root, fillIn(home.tree, { root, now }));
  const place = placeIn(home, root);
  const asked = await ASK[id]({ ...place, programs, model: stub.address }, stub, home);
  const answer = home.asks === undefined ? asked : { [home.asks]: asked[home.asks] };
  const ours = replay(HOSTS[id], place, { now, model: CLAUDE_MODEL });
  const { same, differences } = compareAnswers(answer, ours, { isOrdered: id !== 'gemini' });
  const brought = id === 'codex' ? readBrought(root) : undefined;
  return { same, differences: differences.map(neutral), answer: { ...neutralise(answer), brought } };

  function neutral(text: string): string {
    return text.replaceAll(root, '{root}');
  }

  function neutralise(given: ProgramAnswer): ProgramAnswer {
    return JSON.parse(neutral(JSON.stringify(given))) as ProgramAnswer;
  }
}

/** The skills that Codex puts into the home, as far as its list depends on them. */
function readBrought(root: string): Tree | undefined {
  const folder = 'home/.codex/skills/.system';
  if (!existsSync(join(root, folder))) return undefined;
  const names = readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, 'SKILL.md')));
  return Object.assign(
    {},
    ...names.map((name) => {
      const [, description = ''] =
        /^description: *"?(.*?)"?$/m.exec(readFileSync(join(root, folder, name, 'SKILL.md'), 'utf8')) ?? [];
      const policy = join(root, folder, name, 'agents/openai.yaml');
      const isHidden = existsSync(policy) && /allow_implicit_invocation: *false/.test(readFileSync(policy, 'utf8'));
      return {
        [`${folder}/${name}/SKILL.md`]: skillText({ name, description }),
        ...(isHidden
          ? { [`${folder}/${name}/agents/openai.yaml`]: 'policy:\n  allow_implicit_invocation: false\n' }
          : {}),
      };
    }),
  ) as Tree;
}
