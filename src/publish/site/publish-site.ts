import { join, resolve } from 'node:path';

import { findSkillDirectories } from '../../author/skill-path.ts';
import { hasUnclearCredentials, hideCredentials } from '../../model/address.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { sha256Of } from '../../parse/digest.ts';
import { exists, readOwnBytes, readOwnText } from '../../platform/files/files.ts';
import { makeFolder } from '../../platform/files/folders.ts';
import { withLock } from '../../platform/files/lock.ts';
import { replaceFile } from '../../platform/files/replace-file.ts';
import { readGivenSkill, type GivingOptions } from '../given-skill.ts';
import { INDEX_FILE, renderIndex, type IndexEntry } from './site-index.ts';
import { GENERATOR } from './site-style.ts';
import {
  findClientFault,
  folderOf,
  HISTORY_FILE,
  planVersion,
  readListed,
  readVersions,
  type SiteFile,
  type SiteSkill,
  type SiteVersion,
} from './site-versions.ts';

export interface PublishOptions extends GivingOptions {
  /** The folder of the site; it is made if it does not exist. */
  readonly to: string;
  /** The address where the site will be; pages then show whole commands. */
  readonly url?: string | undefined;
  /** The heading of the pages. Default: "Skills". */
  readonly title?: string | undefined;
  /** Writes no pages for people. */
  readonly noPages?: boolean | undefined;
  /** Says what would be published, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** A skill that is now on the site. */
export interface SitedSkill extends SiteVersion, Pick<SiteSkill, 'state'> {
  readonly name: string;
}

export interface PublishedSite {
  /** The folder of the site. */
  readonly to: string;
  readonly skills: readonly SitedSkill[];
  /** Skills that are no longer listed. Their versions stay. */
  readonly unlisted: readonly string[];
  /** The files that were written, or would be; relative, sorted. */
  readonly written: readonly string[];
}

const LOCK = '.skillplane-publishing';

/**
 * Publishes skills as a site of plain files, which any web server can serve: a well-known index (0.2.0) with digests, an archive
 * of each version, and pages for people. All or nothing is listed. Versions that were published before stay as they are, and a version's
 * files never change. The same skills give the same site.
 */
export async function publishSkills(
  paths: readonly string[],
  options: PublishOptions,
): Promise<Outcome<PublishedSite>> {
  const to = resolve(options.to);
  const url = options.url === undefined ? undefined : toFolderUrl(options.url);
  if (options.url !== undefined && url === undefined)
    return fail('PARSE_FAILED', `"${hideCredentials(options.url)}" is not the address of a site`, {
      give: 'url',
      as: 'https://skills.example.com',
    });
  if (options.dryRun === true) return publish(paths, { ...options, to, url });
  const made = makeFolder(to);
  if (!made.ok) return made;
  return withLock(join(to, LOCK), () => publish(paths, { ...options, to, url }));
}

function toFolderUrl(text: string): string | undefined {
  if (!URL.canParse(text) || !/^https?:/.test(text)) return undefined;
  const url = new URL(text.endsWith('/') ? text : `${text}/`);
  const isPlain = url.href === `${url.origin}${url.pathname}` && !hasUnclearCredentials(url.href);
  return isPlain ? url.href : undefined;
}

async function publish(paths: readonly string[], options: PublishOptions): Promise<Outcome<PublishedSite>> {
  const { to, title = 'Skills', url, noPages = false, dryRun = false } = options;
  const listed = readListed(to);
  if (!listed.ok) return listed;
  const foreign = refuseForeignSite(to, listed.names, noPages);
  if (foreign !== undefined) return foreign;
  const skills: SiteSkill[] = [];
  const files: SiteFile[] = [];
  for (const dir of new Set(paths.flatMap((path) => findSkillDirectories(path)))) {
    const added = await addSkill(dir, options);
    if (!added.ok) return added;
    const { name } = added.site.given.skill;
    if (skills.some(({ given }) => given.skill.name === name))
      return fail('ALREADY_EXISTS', `two skills are called ${name}; one of them is in ${dir}`, {
        advice: 'Rename one of the two.',
      });
    skills.push(added.site);
    files.push(...added.files);
  }
  skills.sort((a, b) => compareText(a.given.skill.name, b.given.skill.name));
  // Lazy: only pages need a renderer of HTML.
  const pages = noPages ? [] : (await import('./pages.ts')).renderPages(skills, { title, url });
  const written = writeSite(to, [...files, ...renderListings(skills, pages)], dryRun);
  if (!written.ok) return written;
  const names = new Set(skills.map(({ given }) => given.skill.name));
  return {
    ok: true,
    to,
    skills: skills.map(({ given, state, versions: [version] }) => ({ ...version, name: given.skill.name, state })),
    unlisted: listed.names.filter((name) => !names.has(name)),
    written: written.paths,
  };
}

/** Fails if the folder holds a page or an index that another program or a person wrote. */
function refuseForeignSite(to: string, names: readonly string[], noPages: boolean): Failure | undefined {
  const foreign = names.find((name) => !exists(join(to, folderOf(name), HISTORY_FILE)));
  if (foreign !== undefined)
    return fail('ALREADY_EXISTS', `the index in ${to} lists ${foreign}, which was not published by Skillplane`, {
      advice: 'Publish to another folder.',
    });
  const page = noPages ? undefined : readOwnText(join(to, 'index.html'));
  if (page?.ok === true && page.text !== undefined && !page.text.includes(GENERATOR))
    return fail('ALREADY_EXISTS', `${join(to, 'index.html')} was not written by Skillplane`, {
      either: [{ advice: 'Publish to another folder.' }, { give: 'noPages', aim: 'leave it as it is' }],
    });
  return undefined;
}

/** A skill for a site, and the files that it adds to it. */
interface AddedSkill {
  readonly site: SiteSkill;
  readonly files: readonly SiteFile[];
}

/** Reads and packs a skill. Fails if it must not be given, or if its version is taken. */
async function addSkill(dir: string, options: PublishOptions): Promise<Outcome<AddedSkill>> {
  const given = await readGivenSkill(dir, options);
  if (!given.ok) return given;
  const { name } = given.skill;
  const fault = findClientFault(given.skill);
  if (fault !== undefined) return fail('SKILL_INVALID', `${dir} cannot be published: ${fault}`);
  const history = readVersions(options.to, name);
  if (!history.ok) return history;
  const planned = planVersion(given, history.versions);
  if (!planned.ok) return planned;
  const { version, files } = planned;
  const path = `${folderOf(name, version.version)}/${version.file}`;
  const kept = files.length === 0 ? readOwnBytes(join(options.to, path)) : undefined;
  if (files.length === 0 && (kept === undefined || sha256Of(kept) !== version.digest))
    return fail('STORE_FAILED', `${path} is not what was published`, {
      advice: 'Restore the file, or publish to an empty folder.',
    });
  const others = history.versions.filter((each) => each.version !== version.version);
  const [before] = history.versions;
  const state = before === undefined ? 'new' : before.version === version.version ? 'unchanged' : 'updated';
  return { ok: true, site: { given, state, versions: [version, ...others] }, files };
}

/** The files of a site that change with each publishing. The index comes last: it must not list what is not there yet. */
function renderListings(skills: readonly SiteSkill[], pages: readonly SiteFile[]): readonly SiteFile[] {
  const listings = skills.flatMap((site) => {
    const { name } = site.given.skill;
    const history = `${JSON.stringify({ name, versions: site.versions }, undefined, 2)}\n`;
    return [
      { path: `${folderOf(name)}/${HISTORY_FILE}`, content: history },
      // An index of it alone, so that the address of its page installs it.
      { path: `${folderOf(name)}/${INDEX_FILE}`, content: renderIndex([toEntry(site, '../../../../')]) },
    ];
  });
  return [
    // Tells GitHub Pages to serve folders that begin with a dot.
    { path: '.nojekyll', content: '' },
    ...listings,
    ...pages,
    { path: INDEX_FILE, content: renderIndex(skills.map((site) => toEntry(site, '../../'))) },
  ];
}

function toEntry({ given: { skill }, versions: [current] }: SiteSkill, root: string): IndexEntry {
  const { type, file, digest, version } = current;
  const { name, description } = skill;
  return { name, description, type, url: `${root}${folderOf(name, version)}/${file}`, digest, version };
}

/** Writes the files that differ, in the given order, each whole. Returns their paths, sorted. */
function writeSite(
  to: string,
  files: readonly SiteFile[],
  dryRun: boolean,
): Outcome<{ readonly paths: readonly string[] }> {
  const changed = files.filter(({ path, content }) => {
    const present = readOwnBytes(join(to, path));
    return present === undefined || !present.equals(Buffer.from(content));
  });
  for (const { path, content } of dryRun ? [] : changed) {
    const written = replaceFile(join(to, path), content);
    if (!written.ok) return written;
  }
  return { ok: true, paths: changed.map(({ path }) => path).sort() };
}
