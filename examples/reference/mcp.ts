import { PassThrough } from 'node:stream';

import { openSkills } from 'skillplane';
import { createMcpServer, openHttpHandler, serveHttp, serveStdio } from 'skillplane/mcp';

const skills = await openSkills({ dirs: ['./skills'] });

// #region createMcpServer
{
  const server = createMcpServer(skills, { allowScripts: true });
  console.log(server.allows); // [ 'run scripts' ]
  server[Symbol.dispose]();
}
// #endregion

// #region serveHttp
{
  const server = createMcpServer(skills);
  const started = await serveHttp(server, { port: 0 }); // any free port; without it, 7411
  if (!started.ok) throw new Error(started.message);
  console.log(started.service.url.endsWith('/mcp')); // true
  await started.service.close();
  server[Symbol.dispose]();
}
// #endregion

// #region openHttpHandler
{
  const server = createMcpServer(skills);
  const handler = openHttpHandler(server, {
    hosts: ['localhost'],
    origins: [],
    token: undefined,
    onError: console.error,
  });
  const request = new Request('http://localhost/other', { headers: { host: 'localhost' } }); // of your HTTP server
  const answer = await handler.fetch(request);
  console.log(answer.status); // 404
  await handler.close();
  server[Symbol.dispose]();
}
// #endregion

// #region serveStdio
{
  const server = createMcpServer(skills);
  const input = new PassThrough(); // process.stdin
  const output = new PassThrough(); // process.stdout
  const serving = serveStdio(server, { input, output, signal: AbortSignal.timeout(60_000) });
  input.end(); // the client hangs up
  await serving;
  console.log(output.readableLength); // 0
  server[Symbol.dispose]();
}
// #endregion

await skills.close();
