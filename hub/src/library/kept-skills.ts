import type { KeptKind } from '../store/kept-index.ts';
import { toManifest, toSkill, type ServedSkill, type ServedVersion } from './served-skill.ts';

type Pieces = Readonly<Record<Exclude<KeptKind, 'index'>, Uint8Array>>;

/** A skill as it is kept, without its versions. */
interface KeptSkill extends Pick<ServedSkill, 'scope' | 'name' | 'tags' | 'latest'> {
  readonly manifest: ReturnType<typeof toManifest> | undefined;
}

/** The skills of a library as bytes. Their versions are apart, a line for each skill: few of them are ever asked for. */
export function keepSkills(skills: readonly ServedSkill[]): Pieces {
  const kept = skills.map(({ scope, name, tags, latest, skill }): KeptSkill => ({
    scope,
    name,
    tags,
    latest,
    manifest: skill && toManifest(skill),
  }));
  const lines = skills.map(({ versions }) => `${JSON.stringify(versions)}\n`);
  return { skills: Buffer.from(JSON.stringify(kept)), versions: Buffer.from(lines.join('')) };
}

/** Undefined if bytes are missing. */
export function openKeptSkills({ skills, versions }: Pieces): readonly ServedSkill[] | undefined {
  const kept = parseKept(toText(skills));
  const text = toText(versions);
  let from = 0;
  const opened = kept?.map(({ manifest, ...skill }) => {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end);
    from = end + 1;
    return openKeptSkill(skill, { line, skill: skill.latest && manifest && toSkill(skill, skill.latest, manifest) });
  });
  return from === text.length ? opened : undefined;
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

function parseKept(text: string): readonly KeptSkill[] | undefined {
  try {
    // We wrote these bytes, and a checksum guards them.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(text) as readonly KeptSkill[];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads the versions when they are first asked for. */
function openKeptSkill(
  kept: Omit<KeptSkill, 'manifest'>,
  { line, skill }: Pick<ServedSkill, 'skill'> & { readonly line: string },
): ServedSkill {
  let versions: readonly ServedVersion[] | undefined;
  return {
    ...kept,
    latest: kept.latest,
    skill,
    get versions() {
      return (versions ??= JSON.parse(line));
    },
  };
}
