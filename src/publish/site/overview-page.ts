import { describeCounts, countFindings } from '../../audit/summary.ts';
import { html, type Html } from './html.ts';
import { installLines, renderPage } from './page-frame.ts';
import { folderOf, type SiteSkill } from './site-skill.ts';

export interface SiteAbout {
  readonly title: string;
  /** Where the site will be; undefined if that is not known. */
  readonly url: string | undefined;
}

/** The page that lists every skill of a site. */
export function renderOverview(skills: readonly SiteSkill[], { title, url }: SiteAbout): string {
  const count = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
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
        ${skills.map(renderRow)}
      </table>`,
  );
}

function renderRow({ given: { skill }, audit, versions: [current] }: SiteSkill): Html {
  const { name, description } = skill;
  return html`<tr>
    <td class="name"><a href="${`${folderOf(name)}/index.html`}">${name}</a></td>
    <td>${description}</td>
    <td class="wide">${current.version}</td>
    <td class="wide">${describeCounts(countFindings(audit))}</td>
  </tr> `;
}
