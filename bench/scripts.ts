import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { runSandboxed, type ScriptOutcome } from '../src/platform/sandbox/run-sandboxed.ts';
import { openSandbox, type Sandbox } from '../src/platform/sandbox/sandbox.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 41;

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly toolPaths: readonly string[];
}

/** Starts a program that does nothing, plainly and contained: the cost of containment per start. */
export async function measureScripts(): Promise<Section> {
  const contained = openSandbox();
  const limited = openSandbox({ tools: { ...contained.tools, bwrap: undefined } });
  const ability = await contained.bubblewrap();
  const rows = await withScratch(async (dir) => {
    const skillDir = join(dir, 'skill');
    mkdirSync(skillDir);
    // Where root runs this, folders must be open to the user whom the scripts run as, as most are.
    chmodSync(dir, 0o755);
    const measured = [];
    for (const program of writePrograms(skillDir))
      measured.push(await measure({ skillDir, program, contained, limited, hasBwrap: ability.works }));
    return measured;
  });
  return {
    title: 'Start of a script',
    note: `Median of ${ROUNDS} interleaved rounds, from the call until all is gone: a plain spawn, the tier \`limits\`, the tier \`bwrap\` (both with their private folder made, listed and removed).${ability.works ? '' : ` No bubblewrap: ${ability.reason}.`} Goal: bwrap at most 4× of a plain spawn.`,
    columns: ['script', 'plain', 'limits', 'ratio', 'bwrap', 'ratio'],
    rows,
  };
}

function writePrograms(dir: string): readonly Program[] {
  const bash = join(dir, 'script.sh');
  const node = join(dir, 'script.mjs');
  writeFileSync(bash, 'echo done\n');
  writeFileSync(node, 'console.log("done");\n');
  return [
    { name: '`true`', command: ['/bin/true'], toolPaths: [] },
    { name: 'bash', command: ['/bin/bash', bash], toolPaths: [] },
    { name: 'Node', command: [process.execPath, node], toolPaths: [dirname(dirname(process.execPath))] },
  ];
}

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
    expectDone(await runSandboxed(sandbox, { ...program, ...bounds, skillDir, scratchParent: dirname(skillDir) }));
  };
  const times = { plain: [] as number[], limits: [] as number[], bwrap: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.plain.push(await time(() => spawnPlain(program.command, skillDir)));
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
