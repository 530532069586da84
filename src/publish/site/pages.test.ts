import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeTree, skillText } from '../../../test/support/tree.ts';
import { html, renderInstructions } from './pages.ts';
import { publishSkills } from './publish-site.ts';

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)> \'onmouseover=alert(1)';

async function publishPages(url?: string): Promise<Readonly<Record<'overview' | 'skill', string>>> {
  const root = makeTree({
    'evil/SKILL.md': skillText(
      { name: 'evil', description: `Does things. ${EVIL}`, license: EVIL, version: '1.0.0' },
      `# Evil ${EVIL}\n\n<!-- a comment -->\n[x](javascript:alert(1))\n\n\`\`\`html\n${EVIL}\n\`\`\`\n`,
    ),
    [`evil/references/a b's.md`]: 'x',
  });
  const site = join(root, 'site');
  const published = await publishSkills([join(root, 'evil')], { to: site, title: `Skills ${EVIL}`, url });
  expect(published).toMatchObject({ ok: true });
  const read = (path: string): string => readFileSync(join(site, path), 'utf8');
  return { overview: read('index.html'), skill: read('skills/evil/index.html') };
}

describe('the pages of a published site', () => {
  test('contain no markup from a skill', async () => {
    for (const page of Object.values(await publishPages())) {
      const elements = new Set(
        Array.from(page.matchAll(/<([a-z!/][a-z0-9]*)/gi), ([, name = '']) => name.toLowerCase()),
      );
      for (const name of ['script', 'img', '!', 'iframe', 'svg', 'form']) expect(elements).not.toContain(name);
      const attributes = Array.from(page.matchAll(/<[a-z][^>]*>/gi), ([tag]) => tag).join('\n');
      expect(attributes).not.toMatch(/onerror|onmouseover|javascript:/);
    }
  });

  test('load nothing: their policy allows only their own style, and links stay on the site', async () => {
    for (const page of Object.values(await publishPages('https://x.example.com/team'))) {
      const [, policy] = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(page) ?? [];
      expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;;/);
      const targets = Array.from(page.matchAll(/(?:href|src)="([^"]*)"/g), ([, target = '']) => target);
      expect(targets.length).toBeGreaterThan(0);
      for (const target of targets) expect(target).not.toMatch(/^[a-z]+:|^\/\//);
    }
  });

  test('show how to install a skill, its audit, its text, its files and its versions', async () => {
    const { overview, skill } = await publishPages('https://x.example.com/team');
    expect(overview).toContain('skillplane install https://x.example.com/team/');
    expect(overview).toContain('href="skills/evil/index.html"');
    expect(skill).toContain('skillplane install https://x.example.com/team/skills/evil\nnpx skills add');
    expect(skill).toContain('&lt;!-- a comment --&gt;\n[x](javascript:alert(1))');
    expect(skill).toContain('references/a b&#39;s.md');
    expect(skill).toContain('href="1.0.0/evil.tar.gz"');
    expect(skill).toMatch(/Audit: /);
  });

  test('spell out invisible characters but keep those of emoji', () => {
    const text = 'a\u202Eb\u200B\u{E0041} 👩\u200D💻 \u0007';
    expect(html`${text}`.toString()).toBe('a\\u{202e}b\\u{200b}\\u{e0041} 👩\u200D💻 \\u{7}');
  });

  test('mark headings and code without changing a line', () => {
    const body = '# One\n\ntext\n```sh\n# not a heading\n```\n## Two';
    const rendered = renderInstructions(body).toString();
    expect(rendered.replaceAll(/<[^>]*>/g, '')).toBe(body);
    expect(rendered.match(/class="heading"/g)).toHaveLength(2);
  });
});
