import { openSkills } from '../../engine/open-skills.ts';
import { answerPrompt, noteAsked, readAsked, readHookEvent, recordUse } from '../../engine/prompt-hook.ts';
import { mayGetHint } from '../../engine/skill-hint.ts';
import { findHostId, type HostId } from '../../model/agents.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Io } from '../io.ts';

/** Milliseconds from the start of the process. Later than that, a person would notice. */
const LIMIT_MS = 150;
const MAX_EVENT_BYTES = 4_194_304;
/** How often skills are read in the background if the hook is late. */
const WARM_UP_PAUSE_MS = 600_000;

/**
 * `skillplane hook <host>`: answers an event of a host on stdin. Exits with 0 whatever happens, and says nothing if anything
 * is wrong: a host may take any other code as a reason to throw the message away.
 */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, io, out } = invocation;
  const [id] = args;
  const host = findHostId(id);
  const limitMs = options.count('limit', { min: 1, expected: 'a number of milliseconds' }) ?? LIMIT_MS;
  if (host === undefined || io.stdin.isTTY) return 0;
  const timer = setTimeout(() => giveUp(host, invocation), Math.max(1, limitMs - io.elapsedMs()));
  try {
    await answer(host, invocation, {
      isLate: () => io.elapsedMs() > limitMs,
      onAnswer: () => clearTimeout(timer),
      say: (text) => out.raw(text),
    });
  } catch (error) {
    if (io.env['SKILLPLANE_DEBUG']) throw error;
  } finally {
    clearTimeout(timer);
  }
  return 0;
}

interface Answering {
  readonly isLate: () => boolean;
  /** Called when the answer is given, or needs no haste. */
  readonly onAnswer: () => void;
  readonly say: (text: string) => void;
}

async function answer(host: HostId, invocation: Invocation, { isLate, onAnswer, say }: Answering): Promise<void> {
  const { cwd, env, io } = invocation;
  const event = await readHookEvent(host, await readInput(io));
  if (event === undefined) return;
  if (event.kind === 'prompt' && !mayGetHint(event.prompt)) {
    onAnswer();
    noteAsked({ environment: readEnvironment({ cwd: event.cwd ?? cwd, env }) }, host, 'nothing');
    return;
  }
  if (event.kind === 'use') onAnswer();
  await using engine = await openSkills({ cwd: event.cwd ?? cwd, env });
  if (event.kind === 'use') {
    await recordUse(engine, host, event);
    return;
  }
  const text = await answerPrompt(engine, host, event);
  if (isLate()) {
    giveUp(host, invocation);
    return;
  }
  onAnswer();
  if (text !== '') say(text);
  noteAsked(engine, host, text === '' ? 'nothing' : 'spoke');
}

async function readInput({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes > MAX_EVENT_BYTES) return '';
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString();
}

/** Exits immediately, because running work must not delay the message. A background process indexes new skills. */
function giveUp(host: HostId, { cwd, env, io }: Invocation): void {
  const engine = { environment: readEnvironment({ cwd, env }) };
  const isDue = Date.now() - readAsked(engine, host).late > WARM_UP_PAUSE_MS;
  noteAsked(engine, host, 'late');
  if (isDue) {
    // Lazy: loading it would delay every command.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const [program = '', ...args] = io.program;
    spawn(program, [...args, 'search', '--quiet', 'all skills'], {
      cwd,
      env,
      stdio: 'ignore',
      detached: true,
    }).unref();
  }
  io.exit(0);
}
