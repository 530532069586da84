import type { LockedFile, LockedSkill } from '../model/lock.ts';
import { renderAddress } from '../parse/yaml/render-yaml.ts';
import { isOldKind, ORIGIN_FIELDS, toOriginFields } from './lock-origin.ts';

/** Version 1 knows git and directories; a lock with other origins has version 2, which older programs refuse to change. */
export const LOCK_VERSIONS = [1, 2] as const;

/** Part of every lock that ends with `END`; older ones have neither. */
export const END_NOTE = 'A line of three dots ends it.';
/** The end of a YAML document. Without it, the file was cut short. */
export const END = '...';

const HEADING = `# What is installed here, exactly. Written by skillplane; keep it under version control with its project.
# ${END_NOTE}
`;

/** The text of a `skills-lock.yaml`; the order of the entries does not matter. */
export function renderLock(skills: readonly LockedSkill[]): string {
  const version = skills.every(({ origin }) => isOldKind(origin)) ? 1 : 2;
  const heading = `${HEADING}version: ${version}\n`;
  if (skills.length === 0) return `${heading}skills: {}\n${END}\n`;
  const sorted = skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${heading}skills:\n${sorted.map(renderSkill).join('')}${END}\n`;
}

function renderSkill({ name, origin, path, held, digest, files }: LockedSkill): string {
  const known = toOriginFields(origin);
  const fields = ORIGIN_FIELDS.map((field) => [field, known[field]] as const);
  const others = Object.entries({ path: path === '' ? undefined : path, digest });
  const lines = [...fields, ...others].flatMap(([key, value]) =>
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
