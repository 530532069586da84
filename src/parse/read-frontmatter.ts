import { MAX_FRONTMATTER_BYTES } from '../model/limits.ts';
import type { FrontmatterMap } from '../model/skill.ts';
import { splitFrontmatter, type SplitText } from './frontmatter.ts';
import { recoverYaml, type YamlFix } from './recover.ts';
import { readSimpleYaml } from './simple-yaml.ts';
import { readYaml, type YamlFault } from './yaml.ts';

/** The frontmatter of one file as far as it can be read; lines count within the whole file. */
export interface FrontmatterReading {
  readonly split: SplitText;
  /** Absent where nothing could be made of it. */
  readonly map?: FrontmatterMap;
  readonly faults: readonly YamlFault[];
  /** The values that had to be quoted; what a strict reader would refuse. */
  readonly fixes: readonly YamlFix[];
}

const EMPTY: FrontmatterMap = new Map();

/** Reads the frontmatter of normalised text; broken YAML is mended after a strict parse has failed, never before. */
export function readFrontmatter(text: string): FrontmatterReading {
  const split = splitFrontmatter(text);
  if (split.kind === 'none') return { split, map: EMPTY, faults: [], fixes: [] };
  const { yaml, line } = split;
  if (isTooLarge(yaml)) {
    const message = `the frontmatter is larger than ${MAX_FRONTMATTER_BYTES} bytes`;
    return { split, faults: [{ kind: 'too-large', message, line }], fixes: [] };
  }
  const simple = readSimpleYaml(yaml);
  if (simple !== undefined) return { split, map: simple, faults: [], fixes: [] };
  const strict = readYaml(yaml);
  const faults = strict.faults.map((fault) => ({ ...fault, line: fault.line + line - 1 }));
  if (strict.map !== undefined) return { split, map: strict.map, faults, fixes: [] };
  if (!isMendable(strict.faults[0], yaml)) return { split, faults, fixes: [] };
  return { split, ...recover(yaml, line, faults) };
}

function recover(yaml: string, line: number, faults: readonly YamlFault[]): Omit<FrontmatterReading, 'split'> {
  const recovered = recoverYaml(yaml);
  const { map } = readYaml(recovered.yaml);
  if (map === undefined) return { faults, fixes: [] };
  return { map, faults, fixes: recovered.fixes.map((fix) => ({ ...fix, line: fix.line + line - 1 })) };
}

/** An alias without any anchor is text that begins with `*`; with one it is the attack that aliases are refused for. */
function isMendable(fault: YamlFault | undefined, yaml: string): boolean {
  if (fault?.kind === 'alias') return !/(?:^|\s)&\S/.test(yaml);
  return fault?.kind === 'syntax' || fault?.kind === 'not-mapping';
}

function isTooLarge(yaml: string): boolean {
  if (yaml.length * 3 <= MAX_FRONTMATTER_BYTES) return false;
  return Buffer.byteLength(yaml) > MAX_FRONTMATTER_BYTES;
}
