import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { serveConsole } from '../../src/http/serve-console.ts';
import { openSkills } from '../../src/index.ts';
import { makeTemporaryTree } from '../../src/platform/files/temporary-tree.ts';
import { openSession, startConsole } from '../support/console-process.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { skillText } from '../support/tree.ts';

const ROUNDS = propertyRuns(100);

function makePlace() {
  const files = makeTemporaryTree({
    'home/.agent/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }),
    'home/.agent/skills/pdf/evals/evals.yaml': 'should_trigger:\n  - fill a form\n',
    'project/.git/': '',
  });
  const env = { PATH: process.env['PATH'] ?? '' };
  return { files, home: `${files.root}/home`, project: `${files.root}/project`, env };
}

/** Open files, sockets and pipes of a process, and the folders that it watches. */
function countHandles(pid: number): { readonly open: number; readonly watched: number } {
  const numbers = readdirSync(`/proc/${pid}/fd`);
  const infos = numbers.map((number) => {
    try {
      return readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8');
    } catch {
      // It was closed meanwhile.
      return '';
    }
  });
  return { open: numbers.length, watched: infos.join('').split('inotify wd:').length - 1 };
}

test('pages of the console that come, ask, start work and go leave no connection, stream or watch behind', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'this needs Linux');
  const { files, ...place } = makePlace();
  using _ = files;
  await using server = await startConsole(place);
  const { cookie, token } = await openSession(server);
  const headers = { cookie, 'x-skillplane-token': token, 'content-type': 'application/json' };
  const visit = async (): Promise<void> => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const events = await fetch(`${server.origin}/api/events`, { headers, signal });
    expect(events.status).toBe(200);
    await (await fetch(`${server.origin}/api/skills`, { headers })).text();
    await (await fetch(`${server.origin}/api/lab?request=fill+a+form`, { headers })).text();
    const job = await fetch(`${server.origin}/api/evals/run`, { method: 'POST', body: '{}', headers, signal });
    expect(job.status).toBe(200);
    leaving.abort();
  };
  for (let round = 0; round < 10; round += 1) await visit();
  const before = await settled(server.pid);
  for (let round = 0; round < ROUNDS; round += 1) await visit();
  // Connections that are kept for the next request may come and go.
  await expect.poll(() => countHandles(server.pid).open, { timeout: 20_000 }).toBeLessThanOrEqual(before.open + 4);
  expect(countHandles(server.pid).watched).toBe(before.watched);
  // No place of the sixty-four for pages is taken any more.
  const streams = await Promise.all(
    Array.from({ length: 64 }, () => fetch(`${server.origin}/api/events`, { headers })),
  );
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  for (const { body } of streams) await body?.cancel();
}, 60_000);

/** The handles once two looks agree. */
async function settled(pid: number): Promise<ReturnType<typeof countHandles>> {
  let last = countHandles(pid);
  await expect
    .poll(() => {
      const before = last;
      last = countHandles(pid);
      return before.open === last.open;
    })
    .toBe(true);
  return last;
}

test('consoles that are opened and closed leave no timer, file or socket behind', async () => {
  const { files, home, project, env } = makePlace();
  using _ = files;
  await using skills = await openSkills({ cwd: project, home, env });
  const openAndClose = async (): Promise<void> => {
    const served = await serveConsole(skills);
    if (!served.ok) throw new Error(served.message);
    await served.service.close();
  };
  await openAndClose();
  const count = (): number => process.getActiveResourcesInfo().length;
  const before = count();
  for (let round = 0; round < ROUNDS; round += 1) await openAndClose();
  await expect.poll(count).toBeLessThanOrEqual(before);
}, 60_000);
