import { basename } from 'node:path';

import { findCommand, type Skill, type Skills } from '../../index.ts';
import { nameChoice, showAddress } from '../../model/origin.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { Problem, SkillDetail, FileRow } from '../wire/skill.ts';
import { openRows } from './list-skills.ts';

/** One skill: its text, its place, and everything that is known without auditing it. Reading it here is not a use. */
export const describeSkill: ReadAnswer<'skill'> = async ({ skills }, { name }) => {
  const found = skills.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const toRow = await openRows({ skills }, [skill]);
  const text = readText(skills, skill);
  const listed = skills.loader.resources(skill.name, WHATEVER);
  const detail: SkillDetail = {
    row: toRow(skill),
    description: skill.description,
    tokens: skill.tokens,
    dir: skill.dir,
    version: skill.defaults?.includes('version') === true ? null : skill.version,
    license: skill.license ?? null,
    compatibility: skill.compatibility ?? null,
    isByAgent: skill.creator === 'agent',
    requires: skill.requires.map((command) => ({
      command,
      isFound: findCommand(command, skills.environment) !== undefined,
    })),
    triggers: listTriggers(skill),
    allowedTools: skill.allowedTools,
    ...splitText(text),
    problems: skill.diagnostics.map(toProblem),
    others: skills
      .copies()
      .filter((copy) => copy.name === skill.name && copy.file !== skill.file)
      .map(({ source, file, status }) => ({ source, file, state: status })),
    preferredBy: skill.preferredBy ?? null,
    files: [...listInstructions(skill, text), ...(listed.ok ? listed.resources.map(toFile) : [])],
    leftOut: listed.ok ? listed.leftOut.map(({ path, reason }) => `${path} ${reason}`) : [],
    origin: describeOrigin(skill),
  };
  return { ok: true, ...detail };
};

/** Disabled and unavailable skills can be looked at, too. */
export const WHATEVER = { includeDisabled: true, includeUnavailable: true } as const;

function readText({ loader }: Skills, { name, file }: Skill): string | undefined {
  const read = loader.readResource(name, basename(file), WHATEVER);
  return read.ok ? read.text : undefined;
}

function splitText(text: string | undefined): Pick<SkillDetail, 'instructions' | 'frontmatter'> {
  if (text === undefined) return { instructions: null, frontmatter: null };
  const [, frontmatter = '', instructions = text] =
    /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)(.*)$/s.exec(text) ?? [];
  return { instructions, frontmatter };
}

function listTriggers({ triggers, globs }: Skill): SkillDetail['triggers'] {
  const { keywords, verbs, patterns } = triggers;
  return Object.entries({ keywords, verbs, patterns, globs })
    .filter(([, texts]) => texts.length > 0)
    .map(([kind, texts]) => ({ kind, texts }));
}

function toProblem({ severity, message, line }: Skill['diagnostics'][number]): Problem {
  return { severity, message, line: line ?? null };
}

function listInstructions({ file }: Skill, text: string | undefined): readonly FileRow[] {
  return text === undefined ? [] : [{ path: basename(file), size: Buffer.byteLength(text), kind: 'instructions' }];
}

function toFile({ path, size, kind }: FileRow): FileRow {
  return { path, size, kind };
}

function describeOrigin({ origin }: Skill): SkillDetail['origin'] {
  if (origin === undefined) return null;
  return { address: showAddress(origin), choice: nameChoice(origin) ?? null, isHeld: origin.held ?? false };
}
