import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { SKILLPLANE } from './command-line.ts';
import type { ConsoleHome } from './console-home.ts';

/** A running `skillplane console`. */
export interface ConsoleProcess extends AsyncDisposable {
  /** The address with its secret, which works once. */
  readonly url: string;
  readonly origin: string;
  readonly pid: number;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<unknown>;
  /** Ends it as Ctrl-C does; resolves to its exit code. */
  stop(): Promise<number | null>;
}

export async function startConsole(
  { home, project, env }: Pick<ConsoleHome, 'home' | 'project' | 'env'>,
  args: readonly string[] = [],
): Promise<ConsoleProcess> {
  const [node = '', ...words] = SKILLPLANE;
  const child = spawn(node, [...words, 'console', '--no-open', ...args], {
    cwd: project,
    env: { ...env, HOME: home, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+(?=\n)/.exec(output)?.[0];
        if (found !== undefined) resolve(found);
      });
    void closed.then(() => reject(new Error(`it ended: ${output}`)));
  });
  const stop = async (): Promise<number | null> => {
    child.kill('SIGINT');
    await closed;
    return child.exitCode;
  };
  return {
    url,
    origin: new URL(url).origin,
    pid: child.pid ?? 0,
    ended: closed,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** The cookie and the token of a browser that opened the address. */
export async function openSession({ url, origin }: ConsoleProcess): Promise<{ cookie: string; token: string }> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const session = await fetch(`${origin}/api/session`, { headers: { cookie } });
  const { changeToken } = (await session.json()) as { readonly changeToken: string };
  return { cookie, token: changeToken };
}
