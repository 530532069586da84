import { join, resolve } from 'node:path';

import { findSkillDirectories } from '../../author/skill-path.ts';
import { hasUnclearCredentials, hideCredentials } from '../../model/address.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { withLock } from '../../platform/files/lock.ts';
import { makeFolder } from '../../platform/files/write-file.ts';
import { addSkill, type AddingOptions } from './add-skill.ts';
import type { SiteFile } from './plan-version.ts';
import { renderSite } from './render-site.ts';
import { readListed } from './site-history.ts';
import type { SiteSkill, SiteVersion } from './site-skill.ts';
import { findStranger, writeSite } from './write-site.ts';

export interface PublishOptions extends AddingOptions {
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
  /** Skills that were listed before and are no longer. Their versions stay. */
  readonly unlisted: readonly string[];
  /** The files that were written, or would be; relative, sorted. */
  readonly written: readonly string[];
}

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
    return fail(
      'PARSE_FAILED',
      `"${hideCredentials(options.url)}" is not the address of a site`,
      'Give a `url` such as https://skills.example.com.',
    );
  if (options.dryRun === true) return publish(paths, { ...options, to, url });
  const made = makeFolder(to);
  if (!made.ok) return made;
  return withLock(join(to, LOCK), () => publish(paths, { ...options, to, url }));
}

const LOCK = '.skillplane-publishing';

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
  const stranger = findStranger(to, { names: listed.names, noPages });
  if (stranger !== undefined) return stranger;
  const skills: SiteSkill[] = [];
  const files: SiteFile[] = [];
  for (const dir of new Set(paths.flatMap((path) => findSkillDirectories(path)))) {
    const added = await addSkill(dir, options);
    if (!added.ok) return added;
    const { name } = added.site.given.skill;
    if (skills.some(({ given }) => given.skill.name === name))
      return fail(
        'ALREADY_EXISTS',
        `two skills are called ${name}; one of them is in ${dir}`,
        'Rename one of the two.',
      );
    skills.push(added.site);
    files.push(...added.files);
  }
  skills.sort((a, b) => compareText(a.given.skill.name, b.given.skill.name));
  files.push(...renderSite(skills, { title, url, noPages }));
  const written = writeSite(to, files, dryRun);
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
