import {
  answerPrompt,
  mayGetHint,
  noteAsked,
  openSkills,
  readAsked,
  readEnvironment,
  readHookEvent,
  recordUse,
} from '../../index.ts';
import { HOST_IDS, type HostId } from '../../model/host-id.ts';
import type { ExitCode, Invocation } from '../command.ts';

/** Milliseconds from the start of the process. Later than that, a person would notice. */
const LIMIT_MS = 150;
const MAX_EVENT_BYTES = 4_194_304;
/** How often skills are read in the background if the hook is late. */
const WARM_UP_PAUSE_MS = 600_000;

/**
 * `skillplane hook <host>`: answers an event of a host on stdin. Exits with 0 whatever happens, and says nothing if anything
 * is wrong: a host may take any other code as a reason to throw the message away.
 */
export async function run({ args: [id], options, cwd, out }: Invocation): Promise<ExitCode> {
  const host = HOST_IDS.find((each) => each === id);
  const limitMs = options.count('limit', { min: 1, expected: 'a number of milliseconds' }) ?? LIMIT_MS;
  if (host === undefined || process.stdin.isTTY) return 0;
  const timer = setTimeout(() => giveUp(host, cwd), Math.max(1, limitMs - performance.now()));
  try {
    await answer(host, cwd, {
      isLate: () => performance.now() > limitMs,
      onAnswer: () => clearTimeout(timer),
      say: (text) => out.raw(text),
    });
  } catch (error) {
    if (process.env['SKILLPLANE_DEBUG']) throw error;
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

async function answer(host: HostId, cwd: string, { isLate, onAnswer, say }: Answering): Promise<void> {
  const event = readHookEvent(host, await readInput());
  if (event === undefined) return;
  if (event.kind === 'prompt' && !mayGetHint(event.prompt)) {
    onAnswer();
    noteAsked({ environment: readEnvironment({ cwd: event.cwd ?? cwd }) }, host, 'nothing');
    return;
  }
  if (event.kind === 'use') onAnswer();
  await using engine = await openSkills({ cwd: event.cwd ?? cwd });
  if (event.kind === 'use') {
    await recordUse(engine, host, event);
    return;
  }
  const text = await answerPrompt(engine, host, event);
  if (isLate()) {
    giveUp(host, cwd);
    return;
  }
  onAnswer();
  if (text !== '') say(text);
  noteAsked(engine, host, text === '' ? 'nothing' : 'spoke');
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes > MAX_EVENT_BYTES) return '';
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString();
}

/** Ends at once: whatever still runs must not hold up the message. Skills that are new are read by a process of their own. */
function giveUp(host: HostId, cwd: string): void {
  const engine = { environment: readEnvironment({ cwd }) };
  const isDue = Date.now() - readAsked(engine, host).late > WARM_UP_PAUSE_MS;
  noteAsked(engine, host, 'late');
  const program = process.argv[1];
  if (isDue && program !== undefined) {
    // Lazy: loading it would delay every command.
    const { spawn } = process.getBuiltinModule('node:child_process');
    spawn(process.execPath, [program, 'search', '--quiet', 'all skills'], {
      cwd,
      stdio: 'ignore',
      detached: true,
    }).unref();
  }
  // oxlint-disable-next-line unicorn/no-process-exit
  process.exit(0);
}
