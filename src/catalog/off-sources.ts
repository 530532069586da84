import { readConfig } from '../config/read-config.ts';
import type { SourceRoot } from '../model/source.ts';
import type { Environment } from '../platform/environment.ts';
import { isFile, listDirectory } from '../platform/files/files.ts';
import { resolveSources } from '../sources/resolve.ts';

/** A known folder that holds skills, but whose source is off by default. */
export interface OffSource {
  readonly source: string;
  readonly path: string;
  /** Names of the folders in it that have a SKILL.md. */
  readonly skills: readonly string[];
}

/** The folders of other agents whose skills are not used because their source is off by default. */
export async function findOffSources(environment: Environment): Promise<readonly OffSource[]> {
  const { config } = await readConfig(environment);
  // A source that the configuration switches off is not wanted.
  const { off } = resolveSources({ ...config, disabledSources: [] }, environment);
  return off
    .map((root) => ({ source: root.id, path: root.path, skills: listSkillFolders(root) }))
    .filter(({ skills }) => skills.length > 0);
}

function listSkillFolders({ path, layout }: SourceRoot): readonly string[] {
  const listing = layout === 'skills' ? listDirectory(path) : undefined;
  if (listing?.state !== 'listed') return [];
  return listing.entries.map(({ name }) => name).filter((name) => isFile(`${path}/${name}/SKILL.md`));
}
