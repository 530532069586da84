import { createHash } from 'node:crypto';

import { html as renderHtml, raw } from 'hono/html';

import { AUDIT_ADVICE, describeCounts, describePlace } from '../../audit/summary.ts';
import { once } from '../../model/once.ts';
import { plural } from '../../model/plural.ts';
import { isHonest, UNSEEN } from '../../model/unseen.ts';
import { GENERATOR, SITE_STYLE } from './site-style.ts';
import { folderOf, type SiteAbout, type SiteFile, type SiteSkill, type SiteVersion } from './site-versions.ts';

/** The pages of a site for people: one of all skills, and one of each. */
export function renderPages(skills: readonly SiteSkill[], about: SiteAbout): readonly SiteFile[] {
  const pages = skills.map((site) => ({
    path: `${folderOf(site.given.skill.name)}/index.html`,
    content: renderSkillPage(site, about),
  }));
  return [...pages, { path: 'index.html', content: renderOverview(skills, about) }];
}

function renderOverview(skills: readonly SiteSkill[], { title, url }: SiteAbout): string {
  const count = plural(skills.length, 'skill');
  const rows = skills.map(({ given: { skill, audit }, versions: [current] }) => {
    const { name, description } = skill;
    return html`<tr>
      <td class="name"><a href="${`${folderOf(name)}/index.html`}">${name}</a></td>
      <td>${description}</td>
      <td class="wide">${current.version}</td>
      <td class="wide">${describeCounts(audit.counts)}</td>
    </tr> `;
  });
  return renderPage(
    title,
    html`<h1>${title}</h1>
      <p class="muted">${count} for AI agents</p>
      ${installLines(url)}
      <h2>Skills</h2>
      <table>
        <tr>
          <th>Name</th>
          <th>Description</th>
          <th class="wide">Version</th>
          <th class="wide">Audit</th>
        </tr>
        ${rows}
      </table>`,
  );
}

/** How to install it, its audit, the text that models get, its files and versions. */
function renderSkillPage(site: SiteSkill, { title, url }: SiteAbout): string {
  const { skill, body, contents } = site.given;
  const [current] = site.versions;
  const facts = [
    current.version,
    skill.license,
    `about ${skill.tokens} tokens`,
    plural(contents.length, 'file'),
    skill.compatibility,
  ];
  return renderPage(
    `${skill.name} · ${title}`,
    html`<p><a href="../../index.html">${title}</a></p>
      <h1 class="name">${skill.name}</h1>
      <p>${skill.description}</p>
      <p class="muted">${facts.filter((fact) => fact !== undefined && fact !== '').join(' · ')}</p>
      ${installLines(url === undefined ? undefined : new URL(folderOf(skill.name), url).href)} ${renderAudit(site)}
      <h2>Instructions</h2>
      ${renderInstructions(body)} ${renderFiles(site)} ${renderVersions(site)}`,
  );
}

const MOST_FINDINGS = 100;

function renderAudit({ given: { audit } }: SiteSkill): Html {
  const rows = audit.findings.slice(0, MOST_FINDINGS).map(
    (finding) =>
      html`<tr>
        <td class="${finding.severity}">${finding.severity}</td>
        <td>${finding.name}</td>
        <td class="name">${describePlace(finding)}</td>
        <td><code>${finding.excerpt}</code></td>
      </tr> `,
  );
  const more = audit.findings.length - rows.length;
  return html`<h2>Audit: ${describeCounts(audit.counts)}</h2>
    <p class="muted">${AUDIT_ADVICE}</p>
    ${
      rows.length > 0 &&
      html`<table>
        ${rows}
      </table>`
    }${more > 0 && html`<p>${`and ${more} more`}</p>`}`;
}

/**
 * The instructions of a skill exactly as models get them, with headings and code made out by style alone. Rendered Markdown
 * would hide comments and the targets of links from people, but not from models.
 */
export function renderInstructions(body: string): Html {
  let isFenced = false;
  const lines = body.trim().split(/\r\n?|\n/);
  const rendered = lines.map((line): Html => {
    const isFence = /^ {0,3}(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced) return html`<span class="code">${line}</span>`;
    return /^ {0,3}#{1,6}\s/.test(line) ? html`<span class="heading">${line}</span>` : html`${line}`;
  });
  return html`<pre>${joinLines(rendered)}</pre>`;
}

function renderFiles({ given: { files } }: SiteSkill): Html {
  const rows = files.map(
    ({ path, size, digest }) =>
      html`<tr>
        <td class="name">${path}</td>
        <td class="number">${inBytes(size)}</td>
        <td class="digest wide">${digest}</td>
      </tr> `,
  );
  return html`<h2>Files</h2>
    <table>
      ${rows}
    </table>`;
}

function renderVersions({ given: { skill }, versions }: SiteSkill): Html {
  const row = ({ version, file, size, digest, type }: SiteVersion): Html => {
    const archive = `${skill.name}.skill`;
    return html`<tr>
      <td class="name">${version}</td>
      <td>
        <a href="${`${version}/${file}`}">${file}</a>${
          type === 'archive' && html` <a href="${`${version}/${archive}`}">${archive}</a>`
        }
      </td>
      <td class="number">${inBytes(size)}</td>
      <td class="digest wide">${digest}</td>
    </tr> `;
  };
  return html`<h2>Versions</h2>
    <table>
      ${versions.map(row)}
    </table>`;
}

/** `12,345 bytes`; the same in every language. */
function inBytes(size: number): string {
  return `${String(size).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} bytes`;
}

/** The lines that install from an address; the address of the page itself if none is known. */
function installLines(url: string | undefined): Html {
  const address = url ?? '<address>';
  const lines = joinLines([html`skillplane install ${address}`, html`npx skills add ${address}`]);
  return html`${url === undefined && html`<p>Install from the address of this page:</p>`}
    <pre>${lines}</pre>`;
}

/** A complete page. It loads and runs nothing, and its content security policy allows nothing else. */
function renderPage(title: string, body: Html): string {
  const style = createHash('sha256').update(SITE_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${raw(`${GENERATOR}\n<style>${SITE_STYLE}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString();
}

/** A piece of a page. Only `html` makes one of text. */
type Html = ReturnType<typeof raw>;

/**
 * Builds an HTML fragment. Values are hostile text from skills: hono escapes them, and invisible characters are spelled
 * out. Fragments stay as is, lists are joined, and `false` is empty.
 */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | false | Html | readonly Html[])[]
): Html {
  const piece = renderHtml(parts, ...values.map((value) => (typeof value === 'string' ? spellOut(value) : value)));
  if (piece instanceof Promise) throw new TypeError('a page is made of values that are there');
  return piece;
}

/** Pieces as lines. Templates cannot say this: their white space belongs to the formatter. */
function joinLines(pieces: readonly Html[]): Html {
  return raw(pieces.join('\n'));
}

const unseen = once(() => new RegExp(`[[${UNSEEN}]--[\\t\\n]]`, 'gv'));

function spellOut(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(unseen(), (character, at: number, whole: string) =>
      isHonest(whole, at) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
}
