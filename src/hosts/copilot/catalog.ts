import { dirname } from 'node:path';

import { compareText } from '../../model/order.ts';
import type { HostPlace } from '../host.ts';
import type { HostCatalogEntry, HostCatalog, HostSkill, ListedSkill } from '../seeing/host-skill.ts';

/** Seen in 1.0.102. */
const DEFAULT_LIMIT = 15_000;
const NAMES_LIMIT = 5_000;

/** Blocks in the order of their sources until one does not fit; the names of it and of all after it go into one line. */
export function layOutCopilot(found: readonly ListedSkill[], { cwd, variables }: HostPlace): HostCatalog {
  const skills = sortRuns(found, cwd);
  const given = Number(variables['SKILL_CHAR_BUDGET']);
  const limit = given > 0 ? given : DEFAULT_LIMIT;
  const because = given > 0 ? 'SKILL_CHAR_BUDGET says so' : 'its own limit';
  const sizes = skills.map(({ skill }) => block(skill).length + 1);
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  let used = 0;
  const end = sizes.findIndex((size) => {
    used += size;
    return used > limit;
  });
  const fitting = end === -1 ? skills.length : end;
  let names = 0;
  const entries = skills.map(({ skill }, at): HostCatalogEntry => {
    if (at < fitting) return { skill, text: skill.description, isListed: true };
    names += skill.name.length + 2;
    const cut = {
      because: `the list needs ${needed} characters and has ${limit}, and ends at the first skill that does not fit`,
      remedy: 'Switch off skills that come before it, shorten their descriptions, or raise SKILL_CHAR_BUDGET.',
    };
    return { skill, text: '', isListed: names <= NAMES_LIMIT, cut };
  });
  return { entries, room: { unit: 'characters', limit, needed, because } };
}

/** Skills that follow each other and come from the same kind of place are sorted by name. */
function sortRuns(skills: readonly ListedSkill[], cwd: string): readonly ListedSkill[] {
  const kindOf = ({ skill: { root } }: ListedSkill): string =>
    root.level !== 'project' ? root.path : dirname(dirname(root.path)) === cwd ? 'project' : 'inherited';
  const runs: ListedSkill[][] = [];
  for (const skill of skills) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && kindOf(last[0]) === kindOf(skill)) last.push(skill);
    else runs.push([skill]);
  }
  return runs.flatMap((run) => run.sort((a, b) => compareText(a.skill.name, b.skill.name)));
}

function block({ name, description, root }: HostSkill): string {
  const location = root.level === 'bundled' ? 'builtin' : root.level;
  return `<skill>\n  <name>${name}</name>\n  <description>${escape(description)}</description>\n  <location>${location}</location>\n</skill>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
