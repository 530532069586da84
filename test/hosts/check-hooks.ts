import { resolve } from 'node:path';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { connectHost } from '../../src/hosts/connecting/connect-host.ts';
import { HINT_MARK } from '../../src/hosts/hint-mark.ts';
import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { skillText } from '../../src/testing.ts';
import { skillplane, SKILLPLANE } from '../support/command-line.ts';
import { converse } from './converse.ts';
import type { ProgramId } from './programs.ts';
import { openStubModel, type StubCall } from './stub-model.ts';

/** Whether a program asked our hook and its model was told, and how often the use that followed counts. */
export interface HookRow {
  readonly id: ProgramId;
  readonly isTold: boolean;
  readonly uses: number;
}

const MESSAGE = 'Fill in this PDF form, please';

/** How the model of each program loads the skill. */
const LOAD: Readonly<Record<ProgramId, (file: string) => StubCall>> = {
  'claude-code': () => ({ tool: 'Skill', input: { skill: 'pdf' } }),
  codex: (file) => ({ tool: 'exec', input: `text(await tools.exec_command({ cmd: "cat ${file}" }));` }),
  copilot: () => ({ tool: 'skill', input: { skill: 'pdf' } }),
  gemini: () => ({ tool: 'activate_skill', input: { name: 'pdf' } }),
  opencode: () => ({ tool: 'skill', input: { name: 'pdf' } }),
};

/** Connects our hook to each program in a home of its own, sends a message, and looks at what reaches the model. */
export async function checkHooks(ids: readonly ProgramId[], programs: string): Promise<readonly HookRow[]> {
  const rows: HookRow[] = [];
  for (const id of ids) {
    const row = await checkHook(id, programs);
    console.log(
      `${id}, hook: ${row.isTold ? 'its model was told' : 'its model was not told'}, ${row.uses} uses counted`,
    );
    rows.push(row);
  }
  return rows;
}

async function checkHook(id: ProgramId, programs: string): Promise<HookRow> {
  const folder = id === 'claude-code' ? '.claude' : '.agents';
  const others = ['mail', 'chart', 'review', 'deploy'].map((name) => [
    `home/${folder}/skills/${name}/SKILL.md`,
    skillText({ name, description: `Helps with ${name} and everything around it.` }, `Do ${name}.`),
  ]);
  using made = makeTemporaryTree({
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'project/.git/objects/': '',
    'project/.git/refs/': '',
    [`home/${folder}/skills/pdf/SKILL.md`]: skillText(
      { name: 'pdf', description: 'Fill in PDF forms. Use when a PDF form must be filled in.' },
      'x',
    ),
    ...Object.fromEntries(others),
  });
  await using stub = await openStubModel();
  const home = `${made.root}/home`;
  const variables = { GEMINI_CLI_TRUST_WORKSPACE: 'true', AGENT_HOME: `${home}/.agent` };
  const place = { home, cwd: `${made.root}/project`, variables };
  // The limit is that of a person; machines that run this may be slow.
  const hook = [...SKILLPLANE.map((word) => resolve(word)), 'hook', id, '--limit', '60000'];
  const connected = await connectHost(
    HOSTS[id],
    { ...place, agentHome: variables.AGENT_HOME },
    { hook, recordsUse: true },
  );
  if (!connected.ok) throw new Error(connected.message);
  stub.reset([LOAD[id](`${home}/${folder}/skills/pdf/SKILL.md`)]);
  await converse(id, { ...place, programs, model: stub.address }, MESSAGE);
  const report: unknown = JSON.parse((await skillplane(['usage', '--json'], { home })).stdout);
  const { skills } = report as { readonly skills: readonly { readonly name: string; readonly uses: number }[] };
  return {
    id,
    isTold: stub.requests.some((body) => body.includes(`${HINT_MARK} The skill`)),
    uses: skills.find(({ name }) => name === 'pdf')?.uses ?? 0,
  };
}
