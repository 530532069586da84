import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { discoverSkillsFromDir } from 'skillplane';
import { pack, SkillInstaller } from 'skillplane/install';
import { parseSemver } from 'skillplane/internal';

import type { Publication, PublishRequest } from '../publishing/publish-version.ts';
import type { Result } from '../refusal.ts';

/** Publishes to a hub: this one, or one that is reached over HTTP. */
export type Publisher = (request: PublishRequest) => Promise<Result<Publication>>;

export interface ImportedSkill {
  readonly name: string;
  readonly version: string;
  /** Undefined if it was published. */
  readonly problem: string | undefined;
  readonly unchanged: boolean;
}

const FIRST_VERSION = '1.0.0';

/**
 * Takes over what a team has: the skills of a repository, a folder, an archive or a web index, whatever `skillplane install`
 * takes. A skill that gives no version becomes 1.0.0.
 */
export async function importSkills(
  address: string,
  { scope, publish }: { readonly scope: string; readonly publish: Publisher },
): Promise<Result<{ readonly skills: readonly ImportedSkill[] }> | { ok: false; message: string; advice?: string }> {
  const home = mkdtempSync(join(tmpdir(), 'skillplane-hub-import-'));
  try {
    const installer = new SkillInstaller({ cwd: home, home, env: { ...process.env, HOME: home, AGENT_HOME: home } });
    const report = await installer.install(
      // The installer works in a folder of its own; a relative address means the folder in which the hub was called.
      { url: /^\.\.?(?:\/|$)/.test(address) ? resolve(address) : address, all: true },
      { confirm: async () => true, pick: async (found) => found, rename: async () => undefined },
    );
    if (!report.ok) return report;
    const { skills } = await discoverSkillsFromDir({ dir: join(home, 'plugins'), source: 'plugin' });
    const imported: ImportedSkill[] = [];
    for (const { dir, name } of skills) imported.push(await importOne(dir, { scope, name, publish }));
    return { ok: true, skills: imported };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function importOne(
  dir: string,
  { scope, name, publish }: { readonly scope: string; readonly name: string; readonly publish: Publisher },
): Promise<ImportedSkill> {
  const packed = await pack(dir, { format: 'tar.gz' });
  if (!packed.ok) return { name, version: '', problem: packed.message, unchanged: false };
  const declared =
    packed.version !== undefined && parseSemver(packed.version) !== undefined ? packed.version : undefined;
  const version = declared ?? FIRST_VERSION;
  const published = await publish({ scope, name, archive: packed.bytes, version });
  return published.ok
    ? { name, version, problem: undefined, unchanged: published.unchanged }
    : { name, version, problem: published.message, unchanged: false };
}
