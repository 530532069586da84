import { join } from 'node:path';

import { compareText } from '../../model/order.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { HostPlace } from '../host.ts';
import { dropSameFiles } from '../seeing/first-wins.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { projectRoots } from '../seeing/project-roots.ts';
import { readRoot, type Judge } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import type { WalkRules } from '../seeing/walk.ts';

/** Seen in 0.166.0. */
const RULES: WalkRules = { depth: 6, entersSkills: true };
const BUNDLED_RULES: WalkRules = { ...RULES, followsLinks: false };
const ADMIN_FOLDER = '/etc/codex/skills';
const LIST_ORDER: readonly HostRoot['level'][] = ['bundled', 'admin', 'project', 'user', 'plugin'];

export function codexFolder({ home, variables }: HostPlace): string {
  return variables['CODEX_HOME'] || join(home, '.codex');
}

export function codexRoots(place: HostPlace): readonly HostRoot[] {
  const own = join(codexFolder(place), 'skills');
  const projects = projectDirectories(place.cwd);
  return [
    ...projectRoots(projects, '.codex/skills', 'private'),
    { path: own, level: 'user', use: 'private' },
    { path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(own, '.system'), level: 'bundled', use: 'host' },
    { path: ADMIN_FOLDER, level: 'admin', use: 'host' },
    ...projectRoots(projects.toReversed(), '.agents/skills', 'shared'),
  ];
}

/** Skills of the same name all stay; a skill that is reached twice counts once. */
export function discoverCodex(place: HostPlace): readonly HostSkill[] {
  const found = codexRoots(place).flatMap((root) =>
    readRoot(root, root.level === 'bundled' ? BUNDLED_RULES : RULES, judge),
  );
  const rank = ({ root }: HostSkill): number => LIST_ORDER.indexOf(root.level);
  return [...dropSameFiles(found)].sort(
    (a, b) => rank(a) - rank(b) || compareText(a.name, b.name) || compareText(a.file, b.file),
  );
}

const judge: Judge = ({ fields, fault }, id) => {
  const description = fieldText(fields, 'description') ?? '';
  const name = fieldText(fields, 'name') ?? id;
  if (fault !== undefined)
    return { name, description, loss: { because: `its frontmatter is not valid YAML: ${fault}`, remedy: FIX } };
  if (description === '') return { name, description, loss: { because: 'it has no description', remedy: DESCRIBE } };
  return { name, description };
};

const FIX = 'Write the frontmatter as valid YAML: quote texts with a colon.';
const DESCRIBE = 'Give it a description.';
