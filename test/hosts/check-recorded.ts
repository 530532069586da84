import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { makeTemporaryTree, writeTree } from '../../src/platform/files/temporary-tree.ts';
import { compareAnswers, replay, type Comparison, type ProgramAnswer } from './answer.ts';
import { CLAUDE_MODEL } from './converse.ts';
import { fillIn, HOMES, placeIn } from './homes.ts';
import type { ProgramId } from './programs.ts';
import type { RecordedAnswer } from './recorded.ts';

/** Any time will do: those in the homes are relative to it. */
const NOW = Date.UTC(2026, 10, 17);

/** Makes the home again, and compares our replay with the answer that the program once gave in it. */
export function checkRecorded(id: ProgramId, title: string, { brought = {}, ...recorded }: RecordedAnswer): Comparison {
  const home = HOMES[title];
  if (home === undefined) throw new Error(`there is no home "${title}"`);
  using made = makeTemporaryTree({});
  const { root } = made;
  writeTree(root, { ...brought, ...fillIn(home.tree, { root, now: NOW }) });
  const answer = JSON.parse(JSON.stringify(recorded).replaceAll('{root}', root)) as ProgramAnswer;
  const ours = replay(HOSTS[id], placeIn(home, root), { now: NOW, model: CLAUDE_MODEL });
  return compareAnswers(answer, ours, { isOrdered: id !== 'gemini' });
}
