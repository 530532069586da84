import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { copyFolder } from '../src/catalog/trust.ts';
import { copyTree } from '../src/platform/files/copy-tree.ts';
import { openSkillFolder } from '../src/platform/files/skill-folder.ts';
import { runSandboxed, type ScriptOutcome } from '../src/platform/sandbox/run-sandboxed.ts';
import { openSandbox, type Sandbox } from '../src/platform/sandbox/sandbox.ts';
import { makeScratchFolder } from '../src/platform/sandbox/scratch-folder.ts';
import { findSandboxTools } from '../src/platform/sandbox/system-view.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 41;

interface Program {
  readonly name: string;
  /** For a skill that the script sees at this path. */
  readonly command: (skillDir: string) => readonly string[];
  readonly toolPaths: readonly string[];
  /** Does it run from a copy of the skill, made at each start? */
  readonly isCopied?: boolean;
}

/** Starts a program that does nothing, plainly and contained: the cost of containment per start. */
export async function measureScripts(): Promise<Section> {
  const contained = openSandbox();
  const limited = openSandbox({ tools: { ...findSandboxTools(), bwrap: undefined } });
  const chosen = await contained.choose('require');
  const rows = await withScratch(async (dir) => {
    const skillDir = join(dir, 'skill');
    mkdirSync(skillDir);
    // Where root runs this, folders must be open to the user whom the scripts run as, as most are.
    chmodSync(dir, 0o755);
    const measured = [];
    for (const program of writePrograms(skillDir))
      measured.push(await measure({ skillDir, program, contained, limited, hasBwrap: chosen.ok }));
    return measured;
  });
  return {
    title: 'Start of a script',
    note: `Median of ${ROUNDS} interleaved rounds, from the call until all is gone: a plain spawn, the tier \`limits\`, the tier \`bwrap\` (both with their private folder made, listed and removed).${chosen.ok ? '' : ` No bubblewrap: ${chosen.message}.`} Goals: bwrap at most 4× of a plain spawn; from a copy at most 3 ms more than in place.`,
    columns: ['script', 'plain', 'limits', 'ratio', 'bwrap', 'ratio'],
    rows,
  };
}

function writePrograms(dir: string): readonly Program[] {
  writeFileSync(join(dir, 'script.sh'), 'echo done\n');
  writeFileSync(join(dir, 'script.mjs'), 'console.log("done");\n');
  for (let count = 3; count <= FILES; count += 1) writeFileSync(join(dir, `${count}.md`), 'text '.repeat(1_000));
  const bash = (skillDir: string): readonly string[] => ['/bin/bash', join(skillDir, 'script.sh')];
  return [
    { name: '`true`', command: () => ['/bin/true'], toolPaths: [] },
    { name: 'bash', command: bash, toolPaths: [] },
    { name: `bash, from the copy of a skill of ${FILES} files`, command: bash, toolPaths: [], isCopied: true },
    {
      name: 'Node',
      command: (skillDir) => [process.execPath, join(skillDir, 'script.mjs')],
      toolPaths: [dirname(dirname(process.execPath))],
    },
  ];
}

const FILES = 20;

interface Setting {
  readonly skillDir: string;
  readonly program: Program;
  readonly contained: Sandbox;
  readonly limited: Sandbox;
  readonly hasBwrap: boolean;
}

async function measure(setting: Setting): Promise<readonly string[]> {
  const { skillDir, program, contained, limited, hasBwrap } = setting;
  const bounds = { timeoutMs: 30_000, maxOutputBytes: 1024 * 1024 };
  const inSandbox = async (sandbox: Sandbox): Promise<void> => {
    const scratch = makeScratchFolder(dirname(skillDir));
    const chosen = await sandbox.choose();
    if (!scratch.ok || !chosen.ok) throw new Error('the sandbox could not be prepared');
    const copied = program.isCopied === true ? copyFolder(openSkillFolder(skillDir), scratch.skillDir) : undefined;
    // The working folder of every script is a copy, too.
    if (copied !== undefined) copyTree(skillDir, join(scratch.dir, 'copy'));
    const skillContent = copied?.ok === true ? scratch.skillDir : skillDir;
    const place = chosen.promises.skillAtOwnPath ? skillDir : skillContent;
    const command = program.command(place);
    const request = { ...bounds, command, toolPaths: program.toolPaths, skillDir: place, skillContent, scratch };
    expectDone(await runSandboxed(sandbox, request));
  };
  const times = { plain: [] as number[], limits: [] as number[], bwrap: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.plain.push(await time(() => spawnPlain(program.command(skillDir), skillDir)));
    times.limits.push(await time(() => inSandbox(limited)));
    if (hasBwrap) times.bwrap.push(await time(() => inSandbox(contained)));
  }
  const [plain, limits, bwrap] = [median(times.plain), median(times.limits), median(times.bwrap)];
  const last = hasBwrap ? [ms(bwrap), ratio(bwrap, plain)] : ['-', '-'];
  return [program.name, ms(plain), ms(limits), ratio(limits, plain), ...last];
}

async function spawnPlain([file = '', ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(file, args, { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

function expectDone(outcome: ScriptOutcome): void {
  if (!outcome.ok) throw new Error(outcome.message);
  outcome.dispose();
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
