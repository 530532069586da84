import { resolve } from 'node:path';

import type { HttpOptions, McpOptions, SkillServer } from '../../mcp.ts';
import type { Outcome } from '../../model/outcome.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Output } from '../output.ts';
import { hasOwnOutput, takeOutput, withOwnOutput } from '../protocol-output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, values } = invocation;
  const wrong = findUsageFault(invocation);
  if (wrong !== undefined) return reportUsage(invocation, wrong);
  if (values.has('printConfig')) return (await import('./mcp-config.ts')).run(invocation);
  if (flags.has('http')) return serve(invocation, overHttp);
  return flags.has('allowToolsets') && !hasOwnOutput() ? withOwnOutput() : serve(invocation, overStdio);
}

type Serving = (server: SkillServer, signal: AbortSignal, invocation: Invocation) => Promise<ExitCode>;

async function serve(invocation: Invocation, bring: Serving): Promise<ExitCode> {
  const { flags, cwd, out } = invocation;
  using stop = listenForInterrupt();
  // All at once: clients wait for the first answer, and most of that time is loading code.
  const [{ createMcpServer }, { openSkills }] = await Promise.all([
    import('../../mcp/skill-server.ts'),
    import('../../index.ts'),
    flags.has('http') ? import('../../mcp/serve-http.ts') : import('../../mcp/serve-stdio.ts'),
  ]);
  const engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  using server = createMcpServer(engine, { ...readPermissions(invocation), ...reportTo(out) });
  const code = await bring(server, stop.signal, invocation);
  await engine[Symbol.asyncDispose]();
  return code;
}

async function overStdio(server: SkillServer, signal: AbortSignal, { out }: Invocation): Promise<ExitCode> {
  const { serveStdio } = await import('../../mcp/serve-stdio.ts');
  if (process.stdin.isTTY)
    out.note('waiting for an MCP client on stdin; skillplane mcp --print-config <client> sets one up');
  await serveStdio(server, { input: process.stdin, output: takeOutput(), signal, onError: reportTo(out).onError });
  return 0;
}

async function overHttp(server: SkillServer, signal: AbortSignal, invocation: Invocation): Promise<ExitCode> {
  const { out, isJson } = invocation;
  const options = await readHttpOptions(invocation);
  if (!options.ok) return reportFailure(invocation, options);
  const { serveHttp } = await import('../../mcp/serve-http.ts');
  const started = await serveHttp(server, { ...options.http, onError: reportTo(out).onError });
  if (!started.ok) return reportFailure(invocation, started);
  const { service } = started;
  if (isJson) out.json({ ok: true, url: service.url });
  else out.line(service.url);
  await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
  await service.close();
  return 0;
}

async function readHttpOptions({ values, cwd }: Invocation): Promise<Outcome<{ readonly http: HttpOptions }>> {
  const port = values.get('port')?.at(-1);
  const file = values.get('tokenFile')?.at(-1);
  const { readToken } = await import('../../mcp.ts');
  const read = file === undefined ? undefined : readToken(resolve(cwd, file));
  if (read?.ok === false) return read;
  const http: HttpOptions = {
    port: port === undefined ? undefined : Number(port),
    host: values.get('host')?.at(-1),
    token: read?.token,
    allowedHosts: values.get('allowHost'),
    allowedOrigins: values.get('allowOrigin'),
  };
  return { ok: true, http };
}

function readPermissions({ flags, values }: Invocation): McpOptions {
  const budget = values.get('budget')?.at(-1);
  return {
    allowScripts: flags.has('allowScripts'),
    allowWrite: flags.has('allowWrite'),
    allowToolsets: flags.has('allowToolsets'),
    budget: budget === undefined ? undefined : Number(budget),
  };
}

const HTTP_ONLY = { port: '--port', host: '--host', tokenFile: '--token-file', allowHost: '--allow-host' } as const;

function findUsageFault({ flags, values }: Invocation): string | undefined {
  const port = values.get('port')?.at(-1);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    return `--port takes a number up to 65535, not "${port}"`;
  const budget = values.get('budget')?.at(-1);
  if (budget !== undefined && !/^\d{1,7}$/.test(budget)) return `--budget takes a number of tokens, not "${budget}"`;
  const stray = Object.entries(HTTP_ONLY).find(([key]) => values.has(key) && !flags.has('http'));
  if (stray !== undefined) return `${stray[1]} is for --http`;
  return flags.has('write') && !values.has('printConfig') ? '--write is for --print-config' : undefined;
}

function reportTo(out: Output): Required<Pick<McpOptions, 'onError' | 'onTrouble'>> {
  return {
    onError: (error) =>
      out.note({ text: 'mcp: ', style: 'red' }, error instanceof Error ? error.message : String(error)),
    onTrouble: (text) => out.note({ text: 'mcp: ', style: 'yellow' }, text),
  };
}
