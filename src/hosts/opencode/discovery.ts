import { join, resolve } from 'node:path';

import type { FrontmatterMap } from '../../model/skill.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';
import type { HostPlace } from '../host.ts';
import { splitAtFences, type Dialect } from '../seeing/dialect.ts';
import type { HostRoot, HostSkill, Reason } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge, type ReadingRules } from '../seeing/read-walked.ts';
import { objectOf, textsOf } from '../seeing/settings-file.ts';
import { isTyped, rawText } from '../seeing/skill-text.ts';
import { upwardFrom } from '../seeing/upward.ts';
import { opencodeFolder, opencodeFurtherFolder, readOpencodeSettings } from './settings.ts';

/** Seen in 1.18.33. */
export function opencodeRoots(place: HostPlace): readonly HostRoot[] {
  const { home, variables } = place;
  const projects = upwardFrom(place.cwd, home);
  const isSkipped = (name: string): boolean =>
    isSet(variables['OPENCODE_DISABLE_EXTERNAL_SKILLS']) ||
    (name === '.claude' &&
      (isSet(variables['OPENCODE_DISABLE_CLAUDE_CODE']) || isSet(variables['OPENCODE_DISABLE_CLAUDE_CODE_SKILLS'])));
  const shared = ['.claude', '.agents'].filter((name) => !isSkipped(name));
  const paths = readOpencodeSettings(place).flatMap(({ values }) => textsOf(objectOf(values['skills'])['paths']));
  return [
    ...shared.map((name): HostRoot => ({ path: join(home, name, 'skills'), level: 'user', use: 'shared' })),
    ...shared.flatMap((name) => projectRoots(projects, `${name}/skills`, 'shared')),
    ...[opencodeFolder(place), join(home, '.opencode'), ...opencodeFurtherFolder(place)].flatMap((dir) =>
      ['skill', 'skills'].map((name): HostRoot => ({ path: join(dir, name), level: 'user', use: 'private' })),
    ),
    ...['skill', 'skills'].flatMap((name) => projectRoots(projects, `.opencode/${name}`, 'private')),
    ...paths.map((path): HostRoot => ({
      path: path.startsWith('~/') ? join(home, path.slice(2)) : resolve(place.cwd, path),
      level: 'user',
      use: 'private',
    })),
  ];
}

function isSet(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

/** Files of one name are read at the same time, and whichever is read last is taken. */
export function discoverOpencode(place: HostPlace): readonly HostSkill[] {
  const found = opencodeRoots(place).flatMap((root) => readRoot(root, OPENCODE_RULES));
  const loaded = found.filter(({ loss }) => loss === undefined);
  const byName = Map.groupBy(loaded, ({ name }) => name);
  const first = [...byName.values()].flatMap(([skill, ...others]) => {
    if (skill === undefined) return [];
    return others.length === 0 ? [skill] : [{ ...skill, rivals: others.map(({ file }) => file) }];
  });
  return [...first, ...found.filter(({ loss }) => loss !== undefined)];
}

const judge: Judge = (text, id) => {
  const { fields, fault } = text;
  const name = rawText(fields, 'name');
  const description = rawText(fields, 'description');
  const loss = findLoss();
  return { name: name ?? id, description: description ?? '', loss };

  /** It reads plain dates as dates. */
  function isDate(key: string): boolean {
    return !text.quoted.has(key) && /^\d{4}-\d{2}-\d{2}/.test(rawText(fields, key) ?? '');
  }

  function findLoss(): Reason | undefined {
    if (fault !== undefined) return { because: fault, remedy: 'Write the frontmatter as valid YAML.' };
    if (name === undefined) return { because: 'it has no name in its frontmatter', remedy: 'Give it a name.' };
    if (isTyped(text, 'name') || isDate('name'))
      return { because: `its name ${name} is no text`, remedy: 'Put the name in quotes.' };
    const isText =
      description === undefined
        ? !fields.has('description')
        : description === '' || !(isTyped(text, 'description') || isDate('description'));
    return isText ? undefined : { because: 'its description is no text', remedy: 'Write the description as one text.' };
  }
};

/** Values with a second colon are recovered, and tabs as indentation; nothing else. */
function recover(yaml: string): FrontmatterMap | undefined {
  const lines = yaml
    .replaceAll(/^\t+/gm, '  ')
    .split('\n')
    .map((line) =>
      line.replace(
        /^([\w-]+): +([^"'|>\s].*:.*)$/,
        (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
      ),
    );
  const { map, faults } = readYaml(lines.join('\n'));
  return faults.length > 0 ? undefined : map;
}

const DIALECT: Dialect = {
  split(text) {
    const unmarked = text.replace(/^\uFEFF/, '');
    // Frontmatter without an end goes to the end of the file.
    return splitAtFences(unmarked) ?? splitAtFences(`${unmarked}\n---\n`);
  },
  refusesTags: true,
  recover,
  duplicates: 'refused',
};

export const OPENCODE_RULES: ReadingRules = {
  depth: 20,
  takesRoot: true,
  entersSkills: true,
  entersHidden: true,
  dialect: DIALECT,
  judge,
};
