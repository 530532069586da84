import type { LockedFile, LockedSkill } from '../model/lock.ts';
import { renderAddress } from '../parse/yaml/render-yaml.ts';

export const LOCK_VERSION = 1;

/** Part of every lock that ends with `END`; older ones have neither. */
export const END_NOTE = 'A line of three dots ends it.';
/** The end of a YAML document. Without it, the file was cut short. */
export const END = '...';

const HEADING = `# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# ${END_NOTE}
version: ${LOCK_VERSION}
`;

/** The text of a `skills-lock.yaml`; the order of the entries does not matter. */
export function renderLock(skills: readonly LockedSkill[]): string {
  if (skills.length === 0) return `${HEADING}skills: {}\n${END}\n`;
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${HEADING}skills:\n${sorted.map(renderSkill).join('')}${END}\n`;
}

function renderSkill({ name, url, ref, commit, path, held, digest, files }: LockedSkill): string {
  const fields = Object.entries({ url, ref, commit, path: path === '' ? undefined : path, digest });
  const lines = fields.flatMap(([key, value]) =>
    value === undefined ? [] : [`    ${key}: ${renderAddress(value)}\n`],
  );
  const list = files.length === 0 ? ' []\n' : `\n${files.map(renderFile).join('')}`;
  const hold = held === true ? '    held: true\n' : '';
  return `  ${renderAddress(name)}:\n${lines.join('')}${hold}    files:${list}`;
}

function renderFile({ path, digest, executable }: LockedFile): string {
  const last = executable ? '        executable: true\n' : '';
  return `      - path: ${renderAddress(path)}\n        digest: ${digest}\n${last}`;
}
