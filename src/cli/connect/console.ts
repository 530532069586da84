import { parseDuration } from '../../model/duration.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { reportConfigTrouble } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import { openBrowser } from './open-browser.ts';

/** `skillplane console` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, env, isJson, out } = invocation;
  const port = options.count('port', { max: 65_535, expected: 'a number up to 65535' });
  const idleMs = options.parsed('idle', parseDuration, '10m, 1h or another time');
  using stop = listenForInterrupt(invocation.io);
  const [{ serveConsole }, { openSkills }] = await Promise.all([
    import('../../http/serve-console.ts'),
    import('../../engine/open-skills.ts'),
  ]);
  await using engine = await openSkills({ cwd, env });
  reportConfigTrouble(engine.catalog(), out);
  const ended = Promise.withResolvers<void>();
  stop.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  const started = await serveConsole(engine, {
    port,
    idleMs,
    readOnly: options.has('readOnly'),
    onIdle: () => ended.resolve(),
    onError: (error) =>
      out.error({ text: 'console: ', style: 'red' }, error instanceof Error ? error.message : String(error)),
  });
  if (!started.ok) return reportFailure(invocation, started);
  const { service } = started;
  const url = service.makeUrl();
  if (isJson) out.json({ ok: true, url });
  else out.line(url);
  using opened = options.has('noOpen') || isJson ? undefined : await openBrowser(service.makeUrl(), env);
  const say = opened === undefined ? 'Open this address in your browser.' : 'Opened in your browser.';
  if (!isJson) out.note({ text: `${say} ${REACH}`, style: 'dim' });
  await ended.promise;
  await service.close();
  return 0;
}

const REACH = 'Only this machine can open it, and the link works once. Press Ctrl-C to stop.';
