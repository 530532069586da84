import { join } from 'node:path';

import type { CDPSession, Page } from 'playwright-core';

import { launchBrowser, CHROMIUM } from '../test/support/browser.ts';
import { startConsole } from '../test/support/console-process.ts';
import { generateSkills } from './generate.ts';
import { withScratch } from './scratch.ts';
import { median, ms, type Section } from './table.ts';

const SKILLS = 5_000;
const QUERY = 'convert deployments';
const ROUNDS = 3;

/** The work of the page's main thread while one thing happens, in milliseconds of its own time. */
interface Work {
  /** The longest task: so long the page answers to nothing else. */
  readonly longest: number;
  readonly total: number;
}

/** Measures, in the browser's own trace, how long the page of a console with thousands of skills is busy. */
export async function measureConsole(): Promise<Section> {
  const works = CHROMIUM === undefined ? new Map<string, readonly Work[]>() : await withScratch(measureIn);
  const rows = [...works].map(([step, own]) => [
    step,
    ms(Math.max(...own.map(({ longest }) => longest))),
    ms(median(own.map(({ total }) => total))),
  ]);
  return {
    title: `The console with ${SKILLS.toLocaleString('en')} skills`,
    note: 'Time of the page’s main thread by the browser’s own trace: the longest task of all rounds, and the median sum of a step.',
    columns: ['step', 'longest task', 'all tasks'],
    rows,
  };
}

async function measureIn(home: string): Promise<ReadonlyMap<string, readonly Work[]>> {
  generateSkills(join(home, '.agent/skills'), SKILLS);
  await using server = await startConsole({ home, project: home, env: { PATH: process.env['PATH'] ?? '' } });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.locator('.row').first().waitFor({ timeout: 120_000 });
  const works = new Map<string, Work[]>();
  const note = (step: string, work: Work): void => void works.set(step, [...(works.get(step) ?? []), work]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const opened = await trace(page, () => openList(page, server.origin));
    const painted = findFirstPaint(opened);
    note(
      'first paint of the list',
      workOf(opened, ({ ts }) => ts <= painted),
    );
    note(
      'all other rows, once they are here',
      workOf(opened, ({ ts }) => ts > painted),
    );
    await page.locator('#search').focus();
    for (const letter of QUERY)
      note('a letter typed into the search', workOf(await trace(page, () => type(page, letter))));
    note('scrolling through 3,000 rows', workOf(await trace(page, () => scroll(page))));
  }
  await browser.close();
  return works;
}

async function openList(page: Page, origin: string): Promise<void> {
  // Looking for the first row would run a script of the bench in the page, and count as its work.
  const listed = page.waitForEvent('requestfinished', (request) => request.url() === `${origin}/api/skills`);
  await page.goto(`${origin}/skills`);
  await listed;
  await settle(page);
}

async function type(page: Page, letter: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/api/search'));
  await page.keyboard.type(letter);
  await answered;
  await settle(page);
}

async function scroll(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('.scroller').scrollTop = 100000");
  await settle(page);
}

/** Until the page has been drawn and nothing is under way. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(SETTLED_MS);
}

const SETTLED_MS = 500;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly elementCount?: number };
}

/** Events of the page's main thread while something happens. */
async function trace(page: Page, work: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const client = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as readonly TraceEvent[])));
  await client.send('Tracing.start', { categories: CATEGORIES });
  await work();
  await endTrace(client);
  await client.detach();
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events.filter(({ pid, tid }) => main.has(`${pid} ${tid}`)).sort((a, b) => a.ts - b.ts);
}

const CATEGORIES = 'toplevel,devtools.timeline,disabled-by-default-devtools.timeline,__metadata';

function workOf(events: readonly TraceEvent[], isCounted: (event: TraceEvent) => boolean = () => true): Work {
  const tasks = events
    .filter((event) => event.name === 'RunTask' && isCounted(event))
    .map(({ tdur = 0 }) => tdur / 1_000);
  return { longest: Math.max(0, ...tasks), total: tasks.reduce((sum, task) => sum + task, 0) };
}

/** More elements than the page has without rows, and fewer than those of the rows on a screen. */
const ELEMENTS_OF_ROWS = 200;

/** When the first frame with rows went to the screen: the first after a style calculation of so many elements. */
function findFirstPaint(events: readonly TraceEvent[]): number {
  const loaded = events.findLast(({ name }) => name === 'CommitLoad')?.ts ?? 0;
  const styled = events.find(
    ({ name, ts, args }) => name === 'UpdateLayoutTree' && ts > loaded && (args?.elementCount ?? 0) > ELEMENTS_OF_ROWS,
  );
  const frame = events.find(({ name, ts }) => name === 'Commit' && styled !== undefined && ts > styled.ts);
  if (frame === undefined) throw new Error('the trace shows no rows');
  return frame.ts;
}

async function endTrace(client: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
}
