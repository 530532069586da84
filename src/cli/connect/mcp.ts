import { resolve } from 'node:path';

import type { HttpOptions } from '../../mcp/serve-http.ts';
import type { McpOptions } from '../../mcp/server-options.ts';
import type { SkillServer } from '../../mcp/skill-server.ts';
import { findHostId, HOST_IDS, type HostId } from '../../model/agents.ts';
import { mapTexts, toFlag } from '../../model/next-step.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { WrongUsage, type Options } from '../input/options.ts';
import { reportConfigTrouble } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { hasOwnOutput, withOwnOutput } from '../output/protocol-output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, io } = invocation;
  checkOptions(invocation);
  if (options.has('printConfig')) return (await import('./mcp-config.ts')).run(invocation);
  if (options.has('http')) return serve(invocation, overHttp);
  return options.has('allowToolsets') && !hasOwnOutput(io.env)
    ? withOwnOutput(invocation)
    : serve(invocation, overStdio);
}

type Serving = (server: SkillServer, signal: AbortSignal, invocation: Invocation) => Promise<ExitCode>;

async function serve(invocation: Invocation, bring: Serving): Promise<ExitCode> {
  const { options, cwd, env, out } = invocation;
  using stop = listenForInterrupt(invocation.io);
  // Loads everything in parallel: most of the wait for the first answer is loading code.
  const [{ createMcpServer }, { openSkills }] = await Promise.all([
    import('../../mcp/skill-server.ts'),
    import('../../engine/open-skills.ts'),
    options.has('http') ? import('../../mcp/serve-http.ts') : import('../../mcp/serve-stdio.ts'),
  ]);
  await using engine = await openSkills({ cwd, env });
  reportConfigTrouble(engine.catalog(), out);
  const host = readHost(options);
  const served =
    host === undefined ? engine : await (await import('../../engine/beyond-host.ts')).beyondHost(engine, host);
  const hints = host === undefined ? undefined : { host, skills: engine };
  using server = createMcpServer(served, { ...readPermissions(invocation), ...reportTo(out), hints });
  return await bring(server, stop.signal, invocation);
}

async function overStdio(server: SkillServer, signal: AbortSignal, { io, out }: Invocation): Promise<ExitCode> {
  const { serveStdio } = await import('../../mcp/serve-stdio.ts');
  if (io.stdin.isTTY)
    out.note('Waiting for an MCP client on stdin. Run `skillplane agents connect <agent>` to connect one.');
  const output = await io.takeOutput();
  await serveStdio(server, { input: io.stdin, output, signal, onError: reportTo(out).onError });
  return 0;
}

async function overHttp(server: SkillServer, signal: AbortSignal, invocation: Invocation): Promise<ExitCode> {
  const { out, isJson } = invocation;
  const options = await readHttpOptions(invocation);
  if (!options.ok) return reportFailure(invocation, options);
  const { serveHttp } = await import('../../mcp/serve-http.ts');
  const started = await serveHttp(server, { ...options.http, onError: reportTo(out).onError });
  if (!started.ok) {
    // The command line reads the token from a file.
    const next = started.next && mapTexts(started.next, (text) => (text === 'token' ? 'tokenFile' : text));
    return reportFailure(invocation, next === undefined ? started : { ...started, next });
  }
  const { url, token, reach } = started.service;
  const made = options.http.token === undefined ? token : undefined;
  if (isJson) out.json({ ok: true, url, reach, allows: server.allows, ...(made === undefined ? {} : { token: made }) });
  else {
    out.line(url);
    if (made !== undefined) out.line(`Authorization: Bearer ${made}`);
    out.note({ text: describeService(server, reach), style: 'dim' });
  }
  await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
  await started.service.close();
  return 0;
}

function describeService({ allows }: SkillServer, reach: string): string {
  return `${reach} Clients can ${['read skills', ...allows].join(', ')}.`;
}

async function readHttpOptions({ options, cwd }: Invocation): Promise<Outcome<{ readonly http: HttpOptions }>> {
  const file = options.text('tokenFile');
  const { readToken } = await import('../../platform/http/token.ts');
  const read = file === undefined ? undefined : readToken(resolve(cwd, file));
  if (read?.ok === false) return read;
  const http: HttpOptions = {
    port: readPort(options),
    host: readAddress(options),
    token: read?.token,
    allowedHosts: options.all('allowHost'),
    allowedOrigins: options.all('allowOrigin'),
  };
  return { ok: true, http };
}

function readPermissions({ options, cwd }: Invocation): McpOptions {
  const workspace = options.text('workspace');
  return {
    allowScripts: options.has('allowScripts'),
    workspace: workspace === undefined ? undefined : resolve(cwd, workspace),
    allowWrite: options.has('allowWrite'),
    allowToolsets: options.has('allowToolsets'),
    contextFiles: options.has('contextFiles'),
    structured: options.has('structured'),
    ctx: options.has('ctx'),
    budget: readBudget(options),
  };
}

/** Older settings of agents have `--host` for the agent that is served, too. */
function readHost(options: Options): HostId | undefined {
  const agent = options.oneOf('agent', HOST_IDS);
  return agent ?? HOST_IDS.find((id) => options.all('host').includes(id));
}

function readAddress(options: Options): string | undefined {
  return options.all('host').findLast((value) => findHostId(value) === undefined);
}

function readPort(options: Options): number | undefined {
  return options.count('port', { max: 65_535, expected: 'a number up to 65535' });
}

function readBudget(options: Options): number | undefined {
  return options.count('budget', { max: 9_999_999, expected: 'a number of tokens' });
}

const HTTP_ONLY = ['port', 'tokenFile', 'allowHost', 'allowOrigin'];

/** Finds wrong usage before anything is opened. */
function checkOptions({ options }: Invocation): void {
  readPort(options);
  readBudget(options);
  const stray = HTTP_ONLY.find((name) => options.has(name) && !options.has('http'));
  if (stray !== undefined) throw new WrongUsage(`${toFlag(stray)} needs --http`);
  const address = options.has('http') ? undefined : readAddress(options);
  if (address !== undefined) throw new WrongUsage(`--host ${address} needs --http`, 'It is the address to listen on.');
  if (options.has('write') && !options.has('printConfig')) throw new WrongUsage('--write needs --print-config');
}

function reportTo(out: Output): Required<Pick<McpOptions, 'onError' | 'onTrouble'>> {
  return {
    onError: (error) =>
      out.error({ text: 'mcp: ', style: 'red' }, error instanceof Error ? error.message : String(error)),
    onTrouble: (text) => out.note({ text: 'mcp: ', style: 'yellow' }, text),
  };
}
