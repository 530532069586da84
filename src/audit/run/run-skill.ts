import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { uniqueName } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { readInside } from '../../platform/files/inside.ts';
import { openProgramFinder, temporaryFolder, type ProgramFinder } from '../../platform/process/programs.ts';
import { detonate, type Detonation } from '../../platform/sandbox/detonation.ts';
import { openSandbox, type Sandbox } from '../../platform/sandbox/sandbox.ts';
import type { Audit } from '../audit-files.ts';
import { hostsOfSecret } from '../flow/value-kinds.ts';
import type { AuditedScript } from '../inventory.ts';
import { openReport, type AuditFinding, type AuditReport } from '../report.ts';
import { RUN_RULES } from '../rules/run.ts';
import { INPUTS, makeDecoys, type Decoy } from './decoys.ts';
import { describeEvent, findMarks } from './find-marks.ts';

/** The acts of a skill's scripts when they were run. */
export interface SkillRun {
  readonly findings: readonly AuditFinding[];
  /** How many scripts were run. */
  readonly count: number;
  /** The sandbox in which they ran. */
  readonly isolation: string;
  /** Whole sentences about everything that could not be seen. */
  readonly blind: readonly string[];
}

export interface SkillRunOptions {
  readonly environment: Environment;
  /** By default, that of this machine. */
  readonly sandbox?: Sandbox | undefined;
}

const MAX_SCRIPTS = 20;
const TIMEOUT_MS = 10_000;

/**
 * Runs the scripts of a skill in the strongest sandbox, with planted secrets and an internet that only records, and reports what they did
 * with them. Fails where no sandbox closes files and network. Gives the skill no trust.
 */
export async function runSkill(
  dir: string,
  audit: Pick<Audit, 'scripts'>,
  options: SkillRunOptions,
): Promise<Outcome<SkillRun>> {
  const own = options.sandbox === undefined ? openSandbox() : undefined;
  const sandbox = options.sandbox ?? own;
  if (sandbox === undefined) return fail('SANDBOX_UNAVAILABLE', 'there is no sandbox');
  try {
    const chosen = await sandbox.choose('require');
    if (!chosen.ok) return chosen;
    const programs = openProgramFinder(options.environment, [dir]);
    const report = openReport();
    const blind = new Set<string>();
    let count = 0;
    for (const script of audit.scripts.slice(0, MAX_SCRIPTS)) {
      const ran = await runScript(script, { dir, programs, sandbox, report });
      if (!ran.ok) return ran;
      if (ran.isRun) count += 1;
      for (const sentence of ran.blind) blind.add(sentence);
    }
    for (const { path } of audit.scripts.slice(MAX_SCRIPTS))
      report.add(RUN_RULES.notRun, { file: path }, { excerpt: `only ${MAX_SCRIPTS} scripts of a skill are run` });
    const { findings } = report.close();
    return { ok: true, findings, count, isolation: chosen.backend.isolation, blind: [...blind] };
  } finally {
    await own?.[Symbol.asyncDispose]();
  }
}

interface Running {
  readonly dir: string;
  readonly programs: ProgramFinder;
  readonly sandbox: Sandbox;
  readonly report: AuditReport;
}

type Ran = Outcome<{ readonly isRun: boolean; readonly blind: readonly string[] }>;

async function runScript({ path, interpreter }: AuditedScript, running: Running): Promise<Ran> {
  const { dir, programs, sandbox, report } = running;
  const place = { file: path };
  const program = interpreter === 'node' ? programs.node() : programs.find(interpreter ?? '');
  if (program === undefined) {
    const excerpt =
      interpreter === undefined ? 'the file does not say what runs it' : `${interpreter} is not installed`;
    report.add(RUN_RULES.notRun, place, { excerpt });
    return { ok: true, isRun: false, blind: [] };
  }
  const decoys = makeDecoys(uniqueName());
  const text = readInside(dir, path, { maxBytes: MAX_SCRIPT_BYTES });
  const ports = text.ok ? findPorts(Buffer.from(text.bytes).toString('latin1')) : [];
  const blind: string[] = [];
  // Most scripts want a file, some want nothing.
  for (const args of [[], ['input.txt'], ['input.json', 'output.txt']]) {
    const done = await detonate(sandbox, {
      command: [program.path, join(dir, path), ...args],
      toolPaths: program.toolPaths,
      skillDir: dir,
      home: Object.fromEntries(
        decoys.filter(({ kind }) => kind !== 'variable').map(({ name, text: content }) => [name, content]),
      ),
      work: { ...INPUTS, '.env': `API_SECRET=${decoys[0]?.mark ?? ''}\n` },
      env: Object.fromEntries(
        decoys.filter(({ kind }) => kind === 'variable').map(({ name, text: value }) => [name, value]),
      ),
      input: 'y\n'.repeat(20),
      ports,
      node: programs.node(),
      program: '#!/bin/sh\n: > "$HOME/.ran-download"\n',
      tmpDir: temporaryFolder(),
      timeoutMs: TIMEOUT_MS,
    });
    if (!done.ok) return done;
    blind.push(...done.blind);
    reportRun(path, done, { decoys, report });
    if (done.exitCode === 0 || done.ended === 'timeout') break;
  }
  return { ok: true, isRun: true, blind };
}

const MAX_SCRIPT_BYTES = 1024 * 1024;

/** Ports that a script names. */
function findPorts(text: string): readonly number[] {
  const numbers = [...text.matchAll(/[:,=\s(](\d{2,5})\b/g)].map(([, digits = '']) => Number(digits));
  return [...new Set(numbers)].filter((port) => port > 20 && port < 65_536).slice(0, MAX_PORTS);
}

const MAX_PORTS = 40;

interface Evidence {
  readonly decoys: readonly Decoy[];
  readonly report: AuditReport;
}

function reportRun(file: string, done: Detonation, { decoys, report }: Evidence): void {
  const place = { file };
  const sent = new Set<string>();
  for (const { decoy, encoding, to } of findLeft(done, decoys)) {
    sent.add(decoy.name);
    report.add(RUN_RULES.sent, place, { excerpt: `${decoy.name} went to ${to} (${encoding})` });
  }
  for (const [path, text] of Object.entries(done.written)) {
    if (path === '.ran-download') report.add(RUN_RULES.ran, place, { excerpt: 'the answer to a download was run' });
    else report.add(RUN_RULES.changed, place, { excerpt: `~/${path}: ${lastLine(text)}` });
  }
  for (const name of done.read ?? []) {
    const decoy = decoys.find((one) => one.name === name);
    if (decoy === undefined || sent.has(name) || decoy.kind === 'tool' || decoy.kind === 'start') continue;
    const severity = decoy.kind === 'document' ? 'medium' : undefined;
    report.add(RUN_RULES.read, place, { excerpt: `~/${name}`, severity, certainty: 'likely' });
  }
  const hosts = new Set([...done.network.map((event) => hostOf(describeEvent(event).to)), ...done.unanswered]);
  if (hosts.size > 0) report.add(RUN_RULES.hosts, place, { excerpt: [...hosts].slice(0, 20).join(', ') });
  const started = (done.started ?? []).filter(
    (command) => !command.includes(`/${file}`) && !command.startsWith('/usr/bin/sh -c {'),
  );
  if (started.length > 0) report.add(RUN_RULES.started, place, { excerpt: started.slice(0, 10).join('; ') });
  if (done.ended !== 'exited')
    report.add(RUN_RULES.notRun, place, { excerpt: `it was stopped after ${TIMEOUT_MS / 1000} seconds` });
}

interface Left {
  readonly decoy: Decoy;
  readonly encoding: string;
  readonly to: string;
}

/** The planted secrets that left, each once. A key that goes to its own service does not count. */
function findLeft({ network }: Detonation, decoys: readonly Decoy[]): readonly Left[] {
  const marks = decoys.map(({ mark }) => mark);
  const names = network.flatMap((event) => (event.kind === 'name' ? [event.name] : []));
  // A secret may be cut into the names of many hosts.
  const spelled = [...new Set(names)].map((name) => name.split('.')[0]).join('');
  const joined = { to: names.at(-1) ?? '', parts: [Buffer.from(spelled)] };
  const left = new Map<string, Left>();
  for (const { to, parts } of [...network.map(describeEvent), joined])
    for (const { mark, encoding } of parts.flatMap((part) => findMarks(part, marks))) {
      const decoy = decoys.find((one) => one.mark === mark);
      if (decoy === undefined || left.has(decoy.name)) continue;
      if (decoy.kind === 'variable' && hostsOfSecret(decoy.name)?.test(hostOf(to)) === true) continue;
      left.set(decoy.name, { decoy, encoding, to });
    }
  return [...left.values()];
}

function hostOf(address: string): string {
  return address.replace(/^\w+:\/\//, '').replace(/[/?#].*$/s, '');
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
