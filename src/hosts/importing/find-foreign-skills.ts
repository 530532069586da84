import { join } from 'node:path';

import type { ForeignSkill } from '../../model/foreign-skill.ts';
import { readEnvironment, type Environment, type EnvironmentOptions } from '../../platform/environment.ts';
import { exists, realPath } from '../../platform/files/files.ts';
import { projectDirectories } from '../../platform/project.ts';
import { agentFolder } from '../../sources/agent-folders.ts';
import { readClaudePlugins } from './claude-plugins.ts';
import { parseDotagentsLock } from './dotagents-lock.ts';
import { joinRecords, readRecordFile, type ForeignRecords } from './foreign-records.ts';
import { readSkillMarks } from './skill-marks.ts';
import { parseSkillsLock } from './skills-lock.ts';

export interface ForeignSkillOptions extends EnvironmentOptions {
  /** Whose skills: those of the user (the default), or those of the project around `cwd`. */
  readonly scope?: 'user' | 'project' | undefined;
}

/**
 * Finds the skills that other tools have installed, by the records of these tools; changes nothing. A folder that several
 * tools know is listed once, with the tool that knows most. Records that cannot be read are diagnostics.
 */
export function findForeignSkills({ scope = 'user', ...options }: ForeignSkillOptions = {}): ForeignRecords {
  const environment = readEnvironment(options);
  const { cwd, home, variables } = environment;
  const project = scope === 'project' ? (projectDirectories(cwd).at(-1) ?? cwd) : undefined;
  const base = project ?? home;
  const roots = [
    ...new Set([...ROOTS.map((root) => join(base, root)), ...(scope === 'user' ? movedRoots(environment) : [])]),
  ];
  const folderOf = (name: string): string => {
    const folders = roots.map((root) => join(root, name));
    return folders.find(exists) ?? join(base, '.agents', 'skills', name);
  };
  const locks =
    project === undefined
      ? { dotagents: join(home, '.agents', 'agents.lock'), skills: globalLock(home, variables['XDG_STATE_HOME']) }
      : { dotagents: join(project, 'agents.lock'), skills: join(project, 'skills-lock.json') };
  const place = (file: string) => ({ file, base, folderOf });
  const found = joinRecords([
    readRecordFile(locks.dotagents, (text) => parseDotagentsLock(text, place(locks.dotagents))),
    readRecordFile(locks.skills, (text) => parseSkillsLock(text, place(locks.skills))),
    ...roots.map(readSkillMarks),
    readClaudePlugins(environment, project),
  ]);
  return { ...found, skills: withoutTwins(found.skills) };
}

/** Where these tools put skills, below a home or a project; the first is shared by most. */
const ROOTS = ['.agents/skills', '.claude/skills', '.agent/skills', '.copilot/skills', '.github/skills'];

/** The folders of the user in programs whose folder can be elsewhere. */
function movedRoots(environment: Environment): readonly string[] {
  return (['claude-code', 'copilot'] as const).map((agent) => join(agentFolder(agent, environment), 'skills'));
}

function globalLock(home: string, state: string | undefined): string {
  return state ? join(state, 'skills', '.skill-lock.json') : join(home, '.agents', '.skill-lock.json');
}

function withoutTwins(skills: readonly ForeignSkill[]): readonly ForeignSkill[] {
  const seen = new Set<string>();
  return skills.filter(({ folder }) => {
    const real = realPath(folder) ?? folder;
    return !seen.has(real) && seen.add(real);
  });
}
