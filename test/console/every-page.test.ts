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
  { path: '/skills?q=logs', ready: '.found', reached: [/all sources/, /Select archive-logs/, /^archive-logs$/] },
  { path: '/skill?name=pdf', ready: '.markdown', reached: [/^Disable$/, /^Instructions/, /references\/forms\.md/] },
  { path: '/skill?name=pdf&tab=files', ready: '.code', reached: [/^Files/, /scripts\/fields\.py/, /rendered/] },
  { path: '/skill?name=setup-machine&tab=trust', ready: '.findings', reached: [/scripts\/setup\.sh:2/, /trust it/] },
  { path: '/skill?name=pdf&tab=usage', ready: '.chart', reached: [/^Usage/] },
  { path: '/skill?name=pdf&tab=versions', ready: '#panel h2', reached: [/^Hold$/, /Look for an update/] },
  {
    path: '/lab?request=archive+the+logs&case=archive-apis',
    ready: '.save-case .diff',
    reached: [/^Save$/, /Run the evals/],
  },
  { path: '/model', ready: '.segment', reached: [/Whose catalog/, /Budget/, /Skills by their tokens/] },
  { path: '/usage', ready: '.chart', reached: [/Review its description/, /^pdf$/] },
  {
    path: '/hosts?cells=codex!archive-apis',
    ready: '.plan',
    reached: [/^What they see/, /archive-apis/, /^Apply$/, /^Discard$/],
  },
  { path: '/hosts?tab=connections&connect=codex', ready: '.diff', reached: [/MCP server/, /hook/, /^Apply$/] },
  { path: '/installed', ready: '.table', reached: [/Look for updates/, /Roll back/, /Address/] },
  { path: '/health', ready: '.checks li', reached: [/^Fix it$/, /^Connect…$/] },
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

const MOST_STEPS = 260;

describeInBrowser('every page, in a browser', (world) => {
  test.each(PAGES)('$path is accessible and fits, light and dark, from 360 pixels on', async ({ path, ready }) => {
    const { watched } = world;
    const { page } = watched;
    await watched.visit(path);
    await page.locator(ready).first().waitFor();
    // Colours do not depend on the width, nor the layout on the colours.
    for (const [width, colorScheme] of [
      [360, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect([width, colorScheme, await watched.violations()]).toEqual([width, colorScheme, []]);
    }
    for (const width of [360, 720, 1280, 2_000]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test.each(PAGES)(
    '$path is walked by the Tab key alone, and one sees where one is',
    async ({ path, ready, reached }) => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit(path);
      await page.locator(ready).first().waitFor();
      const names: string[] = [];
      const unseen: string[] = [];
      for (let step = 0; step < MOST_STEPS; step += 1) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate<{ readonly name: string; readonly isSeen: boolean } | undefined>(LOOK);
        if (at === undefined) break;
        names.push(at.name);
        if (!at.isSeen) unseen.push(at.name);
      }
      expect(unseen).toEqual([]);
      expect(reached.filter((name) => !names.some((one) => name.test(one)))).toEqual([]);
      // A matrix of hundreds of rows goes on; nothing that one needs comes after it.
      expect(names.length < MOST_STEPS || path.includes('cells=')).toBe(true);
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
      ['h', 'hosts'],
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
