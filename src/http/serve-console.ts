import type { Skills } from '../engine/open-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import { now } from '../platform/clock.ts';
import { watchDirectories } from '../platform/files/watch.ts';
import { inBrackets, listenHttp } from '../platform/http/listen.ts';
import { openConsoleApp } from './console-app.ts';
import { openConsoleGuard } from './console-guard.ts';
import { answerRefusal, type ConsoleContext } from './endpoint.ts';
import { openLiveEvents, type LiveEvents } from './live-events.ts';
import { readPageFiles } from './page-files.ts';

export interface ConsoleOptions {
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** Show everything and change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Call `onIdle` when no page was open for this long; never by default. */
  readonly idleMs?: number | undefined;
  readonly onIdle?: (() => void) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface ConsoleService {
  /** Makes an address with a secret. The first browser that opens it can use the console, and no other. */
  makeUrl(): string;
  readonly port: number;
  /** Ends all pages and requests. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** A change elsewhere shows within a second. */
const DEBOUNCE_MS = 100;

/** Serves the page over these skills, to this machine only. */
export async function serveConsole(
  skills: Skills,
  options: ConsoleOptions = {},
): Promise<Outcome<{ readonly service: ConsoleService }>> {
  const { readOnly = false, onError = () => undefined } = options;
  let port = options.port ?? 0;
  const guard = openConsoleGuard(() => port);
  const events = openLiveEvents();
  const { cwd, home, variables: env } = skills.environment;
  const context: ConsoleContext = {
    skills,
    place: { cwd, home, env },
    isReadOnly: readOnly,
    changeToken: guard.changeToken,
    now,
    async announce() {
      await skills.refresh();
      events.send({ kind: 'state', names: [] });
    },
  };
  const app = openConsoleApp({ context, guard, events, files: readPageFiles(), onError });
  const idle = watchIdleness(events, options);
  const answer = async (request: Request): Promise<Response> => {
    idle.noticed();
    return app.fetch(request);
  };
  const listening = await listenHttp(answer, { port, host: HOST, refuse: answerRefusal, onError });
  if (!listening.ok) {
    idle.close();
    events.close();
    return listening;
  }
  const { listener } = listening;
  port = listener.port;
  const watching = await watchEverything(skills, events);
  const service: ConsoleService = {
    makeUrl: () => `http://${inBrackets(HOST)}:${port}/?token=${guard.issueToken()}`,
    port,
    close: () =>
      listener.close(async () => {
        idle.close();
        watching.close();
        events.close();
      }),
  };
  return { ok: true, service };
}

/** Tells pages of changes to skills, and of those to trust and the history of use, which other processes may make. */
async function watchEverything(skills: Skills, events: LiveEvents): Promise<{ close(): void }> {
  const watch = await skills.watch(
    ({ added, changed, removed }) =>
      events.send({ kind: 'skills', names: [...added, ...changed, ...removed].map(({ name }) => name) }),
    { debounceMs: DEBOUNCE_MS },
  );
  let timer: NodeJS.Timeout | undefined;
  const state = watchDirectories(() => {
    clearTimeout(timer);
    timer = setTimeout(() => events.send({ kind: 'state', names: [] }), DEBOUNCE_MS).unref();
  });
  state.update([{ dir: skills.environment.agentHome, names: STATE_FILES }]);
  return {
    close() {
      watch.close();
      clearTimeout(timer);
      state.close();
    },
  };
}

const STATE_FILES: ReadonlySet<string> = new Set(['trust.json', 'audit-allowed.json']);

interface Idleness {
  noticed(): void;
  close(): void;
}

function watchIdleness(events: LiveEvents, { idleMs, onIdle }: ConsoleOptions): Idleness {
  if (idleMs === undefined || onIdle === undefined) return { noticed: () => undefined, close: () => undefined };
  let last = performance.now();
  const look = setInterval(
    () => {
      if (events.count() > 0) last = performance.now();
      else if (performance.now() - last >= idleMs) onIdle();
    },
    Math.min(1_000, idleMs / 2),
  ).unref();
  return {
    noticed() {
      last = performance.now();
    },
    close: () => clearInterval(look),
  };
}
