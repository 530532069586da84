import { join } from 'node:path';

import type { HostPlace } from '../host.ts';
import type { HostRoot, HostSkill } from '../seeing/host-skill.ts';
import { readRoot, type Judge } from '../seeing/read-walked.ts';
import { fieldText } from '../seeing/skill-text.ts';
import type { WalkRules } from '../seeing/walk.ts';

/** Seen in 0.61.0. */
const RULES: WalkRules = { depth: 1, takesRoot: true };

export function geminiFolder({ home }: HostPlace): string {
  return join(home, '.gemini');
}

/** Later ones win. */
export function geminiRoots(place: HostPlace): readonly HostRoot[] {
  return [
    { path: join(geminiFolder(place), 'skills'), level: 'user', use: 'private' },
    { path: join(place.home, '.agents', 'skills'), level: 'user', use: 'shared' },
    { path: join(place.cwd, '.gemini', 'skills'), level: 'project', use: 'private' },
    { path: join(place.cwd, '.agents', 'skills'), level: 'project', use: 'shared' },
  ];
}

export function discoverGemini(place: HostPlace): readonly HostSkill[] {
  const found = geminiRoots(place).flatMap((root) => readRoot(root, RULES, judge));
  const last = new Map(found.filter(({ loss }) => loss === undefined).map((skill) => [skill.name, skill]));
  return found.map((skill) => {
    const winner = last.get(skill.name);
    if (skill.loss !== undefined || winner === undefined || winner === skill) return skill;
    const because = `${winner.file} has the same name and comes later`;
    return { ...skill, loss: { because, remedy: 'Rename one of the two, or remove one.' } };
  });
}

const judge: Judge = ({ fields }, id) => {
  const name = fieldText(fields, 'name')?.replaceAll(/[:\\/<>*?"|]/g, '-');
  const description = fieldText(fields, 'description') ?? '';
  const missing = name === undefined ? 'name' : 'description';
  if (name !== undefined && description !== '') return { name, description };
  return { name: id, description, loss: { because: `it has no ${missing}`, remedy: `Give it a ${missing}.` } };
};
