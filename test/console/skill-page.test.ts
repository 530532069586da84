import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import type { ConsoleHome } from '../support/console-home.ts';
import { describeInBrowser } from '../support/console-world.ts';
import { skillText, writeTree } from '../support/tree.ts';

/** Everything that a skill could try on the page that shows it. */
const HOSTILE = `# Trusted by Skillplane

<script>document.title = 'owned'</script>
<img src=x onerror="document.title = 'owned'">
<iframe src="https://evil.example"></iframe>
<style>body { display: none }</style>
<h1>Audit: no findings</h1>

![picture](https://evil.example/pixel.png) ![local](file:///etc/passwd)

[click](javascript:document.title='owned') [data](data:text/html,<script>1</script>) [foreign](https://evil.example/x)
[vb](vbscript:x) <javascript:alert(1)> [ref][r]

[r]: javascript:document.title='owned'

Shown \u202Eesrever\u202C and hid\u200Bden.

\`\`\`html
</code></pre><script>document.title = 'owned'</script>
\`\`\`
`;

const prepare = ({ home }: ConsoleHome): void => {
  writeTree(home, {
    '.claude/skills/hostile/SKILL.md': skillText(
      { name: 'hostile', description: '<img src=x onerror=alert(1)> \u202Eevil\u202C "><script>1</script>' },
      HOSTILE,
    ),
    '.claude/skills/hostile/references/a.md': HOSTILE,
    '.claude/skills/hostile/page.html': '<script>document.title = "owned"</script>',
  });
};

describeInBrowser(
  'the page of a skill in a browser',
  (world) => {
    const tab = (name: string) => world.watched.page.getByRole('tab', { name }).click();

    test('shows the instructions, the triggers and what to do if the editor needs a terminal, and does not count that as use', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skills?q=fill+in+a+form');
      await page.locator('.row .found').first().waitFor();
      await page.keyboard.press('j');
      await page.locator('.row.current .name:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'pdf' }).waitFor();
      await expect
        .poll(() => page.getByRole('region', { name: 'Instructions of the skill' }).innerText())
        .toContain('Fill a form');
      await expect
        .poll(() => page.getByRole('complementary', { name: 'Summary' }).innerText())
        .toContain('keywords: pdf, fill in the form');
      await using skills = await world.home.open();
      const loaded = async () => {
        const reported = await skills.usageReport({ skill: 'pdf' });
        return reported.ok ? reported.report?.skills[0]?.loaded : undefined;
      };
      const before = await loaded();
      await page.getByRole('button', { name: 'Edit' }).click();
      await expect.poll(() => page.locator('.notice').innerText()).toMatch(/\$VISUAL/);
      await page.getByRole('button', { name: 'references/forms.md' }).click();
      await page.getByText('Fields have names.').waitFor();
      await expect.poll(() => page.url()).toContain('tab=files');
      expect(await loaded()).toBe(before);
      await page.keyboard.press('Escape');
      await page.locator('.row.current, .row').first().waitFor();
    });

    test('shows problems at their lines, the fix as a diff, and applies it', async () => {
      const { watched } = world;
      const { page } = watched;
      const file = join(world.home.home, '.claude/skills/invoice-fix/SKILL.md');
      await watched.visit('/skill?name=invoice-fix');
      await page.locator('.diff .added').first().waitFor();
      await expect.poll(() => page.locator('.line-note').innerText()).toContain('invalid YAML');
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect.poll(() => page.locator('.notice').innerText()).toContain('Fixed invoice-fix');
      expect(readFileSync(file, 'utf8')).toContain('description: "Mend invoices: totals, taxes and dates"');
      await page.locator('.diff').waitFor({ state: 'detached' });
    });

    test('says what is wrong with a broken skill', async () => {
      await world.watched.visit('/skill?name=broken-one');
      await expect
        .poll(() => world.watched.page.locator('#panel').innerText())
        .toMatch(/line 2: the frontmatter cannot be read/);
    });

    test('shows the audit, trusts the skill as it was seen, and takes that back', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skill?name=setup-machine');
      const summary = page.getByRole('complementary', { name: 'Summary' });
      await expect
        .poll(() => summary.innerText())
        .toMatch(
          /Trust[\s\S]*! not trusted[\s\S]*scripts\/setup\.sh\s+Audit[\s\S]*\d findings[\s\S]*critical · scripts\/setup\.sh:2/,
        );
      // Findings that refuse it are accepted only where all of them are shown.
      expect(await summary.getByRole('button').count()).toBe(0);
      await summary.getByRole('link', { name: /^Review/ }).click();
      await expect.poll(() => page.locator('.findings').innerText()).toMatch(/critical[\s\S]*scripts\/setup\.sh:2/);
      // A warning in a document refuses nothing, and says so.
      expect(await page.locator('.findings').innerText()).toMatch(/critical \(possible\)[^\n]*SKILL\.md:\d/);
      await page.getByRole('button', { name: /Accept the findings and trust/ }).click();
      await expect.poll(() => page.locator('#panel').innerText()).toMatch(/Trusted: you trusted this version/);
      await expect.poll(() => summary.innerText()).toMatch(/Trust[^!]*✓ trusted/);
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => page.locator('#panel').innerText()).toMatch(/Not trusted: Skillplane does not run/);
      // A finding leads to its line, where it is marked.
      await page.locator('.findings').getByRole('link', { name: 'scripts/setup.sh:2' }).first().click();
      const noted = page.locator('.code-line.noted');
      await noted.first().waitFor();
      await expect.poll(() => noted.first().innerText()).toMatch(/^2\s*curl -s/);
      await expect.poll(() => page.locator('.line-note').first().innerText()).toMatch(/^critical: /);
      await expect.poll(() => page.url()).toContain('line=2');
      expect(await watched.violations()).toEqual([]);
    });

    test('shows the versions of an installed skill: the update as a diff, then the way back as one', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skill?name=pdf&tab=versions');
      const panel = page.locator('#panel');
      await expect.poll(() => panel.innerText()).toMatch(/as installed[\s\S]*No earlier version is kept/);
      await page.getByRole('button', { name: 'Look for an update' }).click();
      await page.getByRole('button', { name: 'Accept the findings and update' }).click();
      const before = page.getByRole('region', { name: 'Version before' });
      await expect.poll(() => before.innerText()).toMatch(/removed scripts\/fetch\.sh[\s\S]*\+version: "1\.4\.0"/);
      await before.getByRole('button', { name: 'Roll back to it' }).click();
      await expect.poll(() => before.innerText()).toMatch(/added scripts\/fetch\.sh[\s\S]*\+version: "1\.5\.0"/);
      await page.getByRole('button', { name: 'Hold' }).click();
      await expect.poll(() => panel.innerText()).toContain('updates skip it');
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => panel.innerText()).not.toContain('updates skip it');
    });

    test('says who no longer lists a disabled skill, and who still does and why; it is given and taken back in place', async () => {
      const { watched } = world;
      const { page } = watched;
      const settings = join(world.home.home, '.claude/settings.json');
      const config = (): unknown => parse(readFileSync(join(world.home.home, '.agent/config.yaml'), 'utf8'));
      const line = (agent: string) =>
        page.locator('.skill-agents tbody tr').filter({ has: page.getByRole('rowheader', { name: agent }) });
      const said = page.locator('.said');
      await watched.visit('/skill?name=deploy-staging');
      await expect.poll(() => line('Claude Code').innerText()).toMatch(/listed[\s\S]*is Claude Code's own folder\./);
      await line('Cursor').getByRole('button', { name: 'How to remove' }).click();
      await expect.poll(() => line('Cursor').innerText()).toMatch(/turn the skill off in Cursor\.[\s\S]*mv /);
      await page.getByRole('button', { name: 'Disable', exact: true }).click();
      await expect
        .poll(() => said.innerText())
        .toMatch(
          /Disabled\. Claude Code no longer lists deploy-staging[\s\S]*Cursor still lists it: Skillplane cannot/,
        );
      expect(readFileSync(settings, 'utf8')).toContain('deploy-staging');
      const first = page.locator('.skill-agents tbody tr').first();
      await expect.poll(() => first.innerText()).toMatch(/^Cursor\s+! still listed/);
      await first.getByRole('button', { name: 'Move the skill…' }).waitFor();
      await expect
        .poll(() => line('Claude Code').innerText())
        .toMatch(/– turned off\s+Turned off in ~\/\.claude\/settings\.json/);
      expect(await first.innerText()).toContain('mv ~/.claude/skills/deploy-staging ~/.agent/skills/');
      expect(await watched.violations()).toEqual([]);
      const undo = () => said.getByRole('button', { name: 'Undo' }).click();
      // For one agent alone it is enabled, and disabled again as it was.
      const disabled = config();
      await page.getByRole('button', { name: 'Give to Codex' }).click();
      await expect.poll(() => said.innerText()).toMatch(/Enabled for Codex\. Codex can use deploy-staging now/);
      expect(readFileSync(settings, 'utf8')).toContain('deploy-staging');
      await undo();
      await expect.poll(() => said.innerText()).toMatch(/Undone\. Codex no longer lists deploy-staging/);
      expect(config()).toEqual(disabled);
      // Who had the skill before a change is also right if the page was not read again since the last one.
      await page.route('**/api/skill/agents?*', () => undefined);
      await page.getByRole('button', { name: 'Enable', exact: true }).click();
      await expect.poll(() => said.innerText()).toMatch(/Enabled\. Claude Code can use deploy-staging now/);
      await page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
      expect(readFileSync(settings, 'utf8')).not.toContain('deploy-staging');
      await page.getByRole('button', { name: 'Give to Codex' }).click();
      await expect.poll(() => said.innerText()).toMatch(/Given to Codex\. Codex can use deploy-staging now/);
      await page.unroute('**/api/skill/agents?*');
      await undo();
      await expect.poll(() => line('Codex').innerText()).toMatch(/not given/);
    });

    test('a summary stands beside the agents, on a phone below them; it trusts a skill without findings at a click', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skill?name=deploy-staging');
      const summary = page.getByRole('complementary', { name: 'Summary' });
      await expect
        .poll(() => summary.innerText())
        .toMatch(/no findings[\s\S]*\d+ uses in ninety days[\s\S]*Files[\s\S]*SKILL\.md[\s\S]*keywords: staging/);
      await page.locator('.skill-agents tbody tr').first().waitFor();
      const places = async () => {
        const boxes = [page.locator('.skill-agents'), summary, page.getByRole('tablist')].map((part) =>
          part.boundingBox(),
        );
        return (await Promise.all(boxes)).map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
      };
      const [agents, beside] = await places();
      expect(beside).toMatchObject({ y: agents?.y, width: 288 });
      await page.setViewportSize({ width: 390, height: 800 });
      const [above, middle, below] = await places();
      expect(middle?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
      expect(below?.y).toBeGreaterThan((middle?.y ?? 0) + (middle?.height ?? 0) - 1);
      await page.setViewportSize({ width: 1280, height: 800 });
      await summary.getByRole('button', { name: 'Trust this version' }).click();
      await expect.poll(() => summary.innerText()).toMatch(/✓ trusted/);
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => summary.innerText()).toMatch(/! not trusted/);
    });

    test('shows uses over time, and no versions of a skill that was not installed; switches to another copy and back', async () => {
      const { watched } = world;
      const { page } = watched;
      await watched.visit('/skill?name=review-react');
      await tab('Usage');
      await expect.poll(() => page.locator('#panel').innerText()).toMatch(/\d+ uses in ninety days/);
      expect(await page.getByRole('tab', { name: 'Versions' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Use this copy instead' }).first().click();
      await expect.poll(() => page.locator('.lead').innerText()).toContain('Another copy that reviews React code.');
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => page.locator('.lead').innerText()).not.toContain('Another copy');
    });

    test('runs and loads nothing that the text of a skill contains', async () => {
      const { watched } = world;
      const { page } = watched;
      for (const path of [
        '/skill?name=hostile',
        '/skill?name=hostile&tab=files&file=references/a.md',
        '/skill?name=hostile&tab=files&file=page.html',
        '/skill?name=hostile&tab=files&file=../../../settings.json',
        '/skill?name=hostile&tab=trust',
        '/skills?q=hostile',
      ]) {
        await watched.visit(path);
        await page.locator('.markdown, .code, .findings, .trouble, .row').first().waitFor();
        expect(await page.title()).toBe('Skillplane');
        expect(
          await page.locator('script:not([src]), main img, iframe, main style, a[href^="javascript" i]').count(),
        ).toBe(0);
        expect(await page.locator('body').innerText()).not.toContain('\u202E');
        expect(await page.locator('body').innerText()).not.toContain('cleanupPeriodDays');
      }
      await watched.visit('/skill?name=hostile');
      await page.locator('.markdown').waitFor();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['hostile']);
      await expect.poll(() => page.locator('.markdown').innerText()).toContain(String.raw`\u{202e}esrever`);
      const hrefs = () =>
        page.locator('.markdown a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      await expect.poll(hrefs).toEqual(['https://evil.example/pixel.png', 'https://evil.example/x']);
    });
  },
  { prepare },
);
