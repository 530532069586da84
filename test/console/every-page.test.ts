import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { describeInBrowser } from '../support/console-world.ts';

interface Walked {
  readonly path: string;
  /** Shown once the page has what it shows. */
  readonly ready: string;
  /** Names of controls that the Tab key must reach. */
  readonly reached: readonly RegExp[];
}

const PAGES: readonly Walked[] = [
  {
    path: '/skills?q=logs',
    ready: '.found',
    reached: [/^Problems/, /^Filter/, /Select archive-logs/, /^archive-logs$/],
  },
  {
    path: '/skill?name=pdf',
    ready: '.skill-agents tbody tr',
    reached: [/^Disable$/, /Codex$/, /^Instructions/, /references\/forms\.md/],
  },
  { path: '/skill?name=pdf&tab=files', ready: '.code', reached: [/^Files/, /scripts\/fields\.py/, /rendered/] },
  { path: '/skill?name=setup-machine&tab=trust', ready: '.findings', reached: [/scripts\/setup\.sh:2/, /trust it/] },
  { path: '/skill?name=pdf&tab=usage', ready: '.chart', reached: [/^Usage/] },
  { path: '/skill?name=pdf&tab=versions', ready: '#panel h2', reached: [/^Hold$/, /Look for an update/] },
  {
    path: '/lab?request=archive+the+logs&case=archive-apis',
    ready: '.save-case .diff',
    reached: [/^Save$/, /Run the evals/],
  },
  { path: '/model', ready: '.segment', reached: [/In which client/, /Budget/, /Skills by their tokens/] },
  {
    path: '/model?as=mcp&skill=pdf',
    ready: '.tool-told .catalog-text',
    reached: [/In which client/, /Instructions of the MCP server/, /Skill to load/, /^query/],
  },
  { path: '/usage', ready: '.chart', reached: [/Review its description/, /^pdf$/] },
  {
    path: '/agents?marks=codex%2Barchive-apis',
    ready: '.pending .main:enabled',
    reached: [/^In no agent/, /^Connect/, /Claude Code: /, /^Discard$/, /^Apply$/, /^Show files/],
  },
  { path: '/agents?tab=connections&connect=codex', ready: '.diff', reached: [/MCP server/, /hook/, /^Apply$/] },
  {
    path: '/installed',
    ready: '.table',
    reached: [/Check for updates/, /Repository, URL or folder/, /More actions for pdf/, /^Claude Code/],
  },
  { path: '/health', ready: '.facts-list li', reached: [/^Fix it$/, /^Connect…$/, /checks passed/] },
  { path: '/start', ready: '.half', reached: [/^Codex$/, /^Save$/, /^Review changes…$/, /^Show problems$/] },
];

/** The name of the focused element, and whether one sees that it has the focus; undefined once the walk is over. */
const LOOK = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return undefined;
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const { width, height, top, bottom } = focused.getBoundingClientRect();
  const labels = [...(focused.labels ?? [])].map((label) => label.textContent).join(' ');
  return {
    name: (focused.getAttribute('aria-label') ?? (labels || focused.textContent || focused.title || '')).trim(),
    isSeen: width > 0 && height > 0 && bottom > 0 && top < innerHeight && outlineStyle !== 'none' && outlineWidth !== '0px',
  };
})()`;

/** By how much the page or its main part is wider than the window. */
const OVERFLOW = `[document.documentElement, document.querySelector('main')]
  .reduce((most, { scrollWidth, clientWidth }) => Math.max(most, scrollWidth - clientWidth), 0)`;

const MOST_STEPS = 260;

describeInBrowser('the console in a browser:', (world) => {
  test.each(PAGES)(
    '$path can be walked by Tab, has one main button at most, is accessible in light and dark, and fits from 360 pixels on',
    async ({ path, ready, reached }) => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit(path);
      await page.locator(ready).first().waitFor();
      const { names, unseen } = await walk(page);
      expect(unseen).toEqual([]);
      expect(missing(reached, names)).toEqual([]);
      expect(names.length).toBeLessThan(MOST_STEPS);
      expect(await page.locator('button.main').count()).toBeLessThan(2);
      // Rows of a list are alike: those of a low window stand for all. Nothing but the contrast depends on the colours.
      await page.setViewportSize({ width: 360, height: 480 });
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await watched.violations()).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 480 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await watched.violations(['color-contrast'])).toEqual([]);
      for (const width of [2_000, 1280, 720, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(() => page.evaluate<number>(OVERFLOW)).toBe(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test('every page is reached by its two keys', async () => {
    const { page } = world.watched;
    await world.watched.visit('/skills');
    await page.locator('.row').first().waitFor();
    for (const [key, path] of [
      ['l', 'lab'],
      ['m', 'model'],
      ['u', 'usage'],
      ['a', 'agents'],
      ['i', 'installed'],
      ['d', 'health'],
      ['s', 'skills'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/${path}`);
    }
  });
});

interface Walk {
  readonly names: readonly string[];
  /** Names of elements that had the focus, and did not look so. */
  readonly unseen: readonly string[];
}

/** Presses Tab until the page ends. */
async function walk(page: Page): Promise<Walk> {
  const names: string[] = [];
  const unseen: string[] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<{ readonly name: string; readonly isSeen: boolean } | undefined>(LOOK);
    if (at === undefined) break;
    names.push(at.name);
    if (!at.isSeen) unseen.push(at.name);
  }
  return { names, unseen };
}

function missing(wanted: readonly RegExp[], names: readonly string[]): readonly RegExp[] {
  return wanted.filter((one) => !names.some((name) => one.test(name)));
}
