import { renderOverview, type SiteAbout } from './overview-page.ts';
import type { SiteFile } from './plan-version.ts';
import { INDEX_FILE, renderIndex, type IndexEntry } from './render-index.ts';
import { HISTORY_FILE, renderHistory } from './site-history.ts';
import { folderOf, type SiteSkill } from './site-skill.ts';
import { renderSkillPage } from './skill-page.ts';

export interface RenderOptions extends SiteAbout {
  readonly noPages: boolean;
}

/** Everything of a site that changes with each publishing. The index comes last: it must not list what is not there yet. */
export function renderSite(skills: readonly SiteSkill[], { noPages, ...about }: RenderOptions): readonly SiteFile[] {
  const pages = noPages ? [] : renderPages(skills, about);
  return [
    // Tells GitHub Pages to serve folders that begin with a dot.
    { path: '.nojekyll', content: '' },
    ...skills.flatMap(renderSkill),
    ...pages,
    { path: INDEX_FILE, content: renderIndex(skills.map((site) => toEntry(site, '../../'))) },
  ];
}

function renderPages(skills: readonly SiteSkill[], about: SiteAbout): readonly SiteFile[] {
  const pages = skills.map((site) => ({
    path: `${folderOf(site.given.skill.name)}/index.html`,
    content: renderSkillPage(site, about),
  }));
  return [...pages, { path: 'index.html', content: renderOverview(skills, about) }];
}

/** Its versions, and an index of it alone, so that the address of its page installs it. */
function renderSkill(site: SiteSkill): readonly SiteFile[] {
  const { name } = site.given.skill;
  const folder = folderOf(name);
  return [
    { path: `${folder}/${HISTORY_FILE}`, content: renderHistory(name, site.versions) },
    { path: `${folder}/${INDEX_FILE}`, content: renderIndex([toEntry(site, '../../../../')]) },
  ];
}

function toEntry({ given: { skill }, versions: [current] }: SiteSkill, root: string): IndexEntry {
  const { type, file, digest, version } = current;
  const { name, description } = skill;
  return { name, description, type, url: `${root}${folderOf(name, version)}/${file}`, digest, version };
}
