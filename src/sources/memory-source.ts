import { anObject, aListOf, aString, checkCall, optionsOf } from '../model/check-arguments.ts';
import type { SkillSource } from '../model/skill-source.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { renderSkillText } from '../parse/yaml/render-frontmatter.ts';

/** A skill as a program writes it. */
export interface SkillInMemory {
  readonly name: string;
  /** When to use the skill, and for what. */
  readonly description: string;
  /** The body of its SKILL.md, in Markdown. */
  readonly instructions: string;
  /** Its other files, by path: `{ 'references/prices.md': '…', 'scripts/total.py': '…' }`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Further fields of its frontmatter, such as `{ license: 'MIT', toolsets: ['toolsets/index:tools'] }`. */
  readonly frontmatter?: Readonly<Record<string, unknown>> | undefined;
}

/** A skill as files, for `memorySource`. */
export interface DefinedSkill {
  readonly id: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

const SKILL = optionsOf<SkillInMemory>(
  { name: aString, description: aString, instructions: aString, files: anObject, frontmatter: anObject },
  ['name', 'description', 'instructions'],
);

/** Makes the files of a skill. A flawed one, such as one with an invalid name, is reported when it is scanned, as any other. */
export function defineSkill(skill: SkillInMemory): DefinedSkill {
  checkCall('defineSkill({ name, description, instructions })', { skill: [skill, SKILL] });
  const { name, description, instructions, files = {}, frontmatter = {} } = skill;
  const text = renderSkillText({ name, description, ...frontmatter }, instructions);
  return { id: name, files: { ...files, [SKILL_FILE]: text } };
}

/** Skills in memory, which the program may replace. */
export interface MemorySource extends SkillSource {
  /** Replaces all skills. Engines that watch see it at once, others before the next use. */
  replace(skills: readonly DefinedSkill[]): void;
}

export interface SourceOptions {
  /** Names the source; two sources of one engine must have different ones. */
  readonly id?: string | undefined;
}

const DEFINED = aListOf(
  'a list of skills',
  (value, subject) => anObject(value, subject) ?? DEFINED_SKILL(value, `${subject}; \`defineSkill\` makes one`),
);
const DEFINED_SKILL = optionsOf<DefinedSkill>({ id: aString, files: anObject }, ['id', 'files']);
const OPTIONS = optionsOf<SourceOptions>({ id: aString });

/** Skills that a program has in memory: `memorySource([defineSkill({ name, description, instructions })])`. */
export function memorySource(skills: readonly DefinedSkill[], options: SourceOptions = {}): MemorySource {
  checkCall('memorySource(skills, options?)', { skills: [skills, DEFINED], options: [options, OPTIONS] });
  const listeners = new Set<() => void>();
  let current = skills;
  let byId = index(skills);
  let version = 0;
  return {
    id: options.id ?? 'memory',
    list: () => current.map(({ id, files }) => ({ id, files: Object.keys(files) })),
    read(skill, path) {
      const content = byId.get(skill)?.files[path];
      if (content === undefined) throw new Error('there is no such file');
      return content;
    },
    stamp: () => String(version),
    watch(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    replace(next) {
      checkCall('replace(skills)', { skills: [next, DEFINED] });
      current = next;
      byId = index(next);
      version += 1;
      for (const listener of listeners) listener();
    },
  };
}

/** Of two with one id, the first counts, as in the list. */
function index(skills: readonly DefinedSkill[]): ReadonlyMap<string, DefinedSkill> {
  return new Map(skills.toReversed().map((skill) => [skill.id, skill]));
}
