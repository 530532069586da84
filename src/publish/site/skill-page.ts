import { AUDIT_ADVICE, countFindings, describeCounts, describePlace } from '../../audit/summary.ts';
import { html, type Html } from './html.ts';
import type { SiteAbout } from './overview-page.ts';
import { inBytes, installLines, renderPage } from './page-frame.ts';
import { renderInstructions } from './render-instructions.ts';
import { folderOf, type SiteSkill, type SiteVersion } from './site-skill.ts';

/** The page of one skill: how to install it, its audit, the text that models get, its files and versions. */
export function renderSkillPage(site: SiteSkill, { title, url }: SiteAbout): string {
  const { skill, body, contents } = site.given;
  const [current] = site.versions;
  const facts = [
    current.version,
    skill.license,
    `about ${skill.tokens} tokens`,
    contents.length === 1 ? '1 file' : `${contents.length} files`,
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

function renderAudit({ audit }: SiteSkill): Html {
  const { findings } = audit;
  const rows = findings.slice(0, MOST_FINDINGS).map(
    (finding) =>
      html`<tr>
        <td class="${finding.severity}">${finding.severity}</td>
        <td>${finding.name}</td>
        <td class="name">${describePlace(finding)}</td>
        <td><code>${finding.excerpt}</code></td>
      </tr> `,
  );
  const more = findings.length > MOST_FINDINGS ? html`<p>${`and ${findings.length - MOST_FINDINGS} more`}</p>` : html``;
  return html`<h2>Audit: ${describeCounts(countFindings(audit))}</h2>
    <p class="muted">${AUDIT_ADVICE}</p>
    ${
      rows.length === 0
        ? html``
        : html`<table>
            ${rows}
          </table>`
    }${more}`;
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
    const other = type === 'archive' ? html` <a href="${`${version}/${archive}`}">${archive}</a>` : html``;
    return html`<tr>
      <td class="name">${version}</td>
      <td><a href="${`${version}/${file}`}">${file}</a>${other}</td>
      <td class="number">${inBytes(size)}</td>
      <td class="digest wide">${digest}</td>
    </tr> `;
  };
  return html`<h2>Versions</h2>
    <table>
      ${versions.map(row)}
    </table>`;
}
