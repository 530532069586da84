import type { Host, HostPlace } from '../../src/hosts/host.ts';
import type { CatalogRequest } from '../../src/hosts/seeing/host-skill.ts';
import { viewHost } from '../../src/hosts/seeing/view-host.ts';

/** A skill in the answer of a program. */
export interface AnsweredSkill {
  readonly name: string;
  /** The description, or the part of it that the model is shown. */
  readonly text: string;
  /** Absent where the program does not say it. */
  readonly file?: string | undefined;
  /** Absent in lists for the model. */
  readonly isEnabled?: boolean | undefined;
}

/** The skills of a program's folders as it sees them. Its own are left out. */
export interface ProgramAnswer {
  /** Skills that its own command lists; undefined if it has none. */
  readonly loaded?: readonly AnsweredSkill[] | undefined;
  /** The list that its model gets, in its order; undefined if it starts no conversation there. */
  readonly listed?: readonly AnsweredSkill[] | undefined;
}

/** Our replay. The program may take any of several files of one name. */
export interface ReplayedSkill extends AnsweredSkill {
  readonly rivals: readonly string[];
}

export interface ReplayedAnswer {
  readonly loaded: readonly ReplayedSkill[];
  readonly listed: readonly ReplayedSkill[];
}

export function replay(host: Host, place: HostPlace, request: CatalogRequest): ReplayedAnswer {
  const switches = host.switch.read(place);
  const loaded = host
    .discover(place)
    .filter(({ loss }) => loss === undefined)
    .map((skill) => ({
      name: skill.name,
      text: skill.description,
      file: skill.file,
      isEnabled: switches.stateOf(skill)?.file === undefined,
      rivals: skill.rivals ?? [],
    }));
  const listed = viewHost(host, place, request)
    .skills.filter(({ standing }) => standing === 'described' || standing === 'named')
    .map(({ skill, label, text }) => ({
      name: label ?? skill.name,
      text,
      file: skill.file,
      rivals: skill.rivals ?? [],
    }));
  return { loaded, listed };
}

export interface Comparison {
  /** Skills on which both agree. */
  readonly same: number;
  readonly differences: readonly string[];
}

/** Compares skill by skill, then the order of the list unless it is that of the file system. */
export function compareAnswers(
  program: ProgramAnswer,
  ours: ReplayedAnswer,
  { isOrdered: hasOrder }: { readonly isOrdered: boolean },
): Comparison {
  const loaded = program.loaded && compareSkills(program.loaded, ours.loaded, 'loaded');
  const listed = program.listed && compareSkills(program.listed, ours.listed, 'listed');
  const names = (skills: readonly AnsweredSkill[]): string => skills.map(({ name }) => name).join(' ');
  const isOrdered =
    !hasOrder ||
    program.listed === undefined ||
    listed?.differences.length !== 0 ||
    names(program.listed) === names(ours.listed);
  const order = isOrdered
    ? []
    : [`order: the program lists ${names(program.listed ?? [])}, the replay ${names(ours.listed)}`];
  return {
    same: (loaded?.same ?? 0) + (listed?.same ?? 0),
    differences: [...(loaded?.differences ?? []), ...(listed?.differences ?? []), ...order],
  };
}

function compareSkills(
  theirs: readonly AnsweredSkill[],
  ours: readonly ReplayedSkill[],
  what: 'loaded' | 'listed',
): Comparison {
  const left = [...ours];
  const differences: string[] = [];
  let same = 0;
  for (const skill of theirs) {
    const at = left.findIndex((each) => isSame(skill, each));
    if (at === -1) differences.push(`${what}, in the program alone: ${describe(skill)}`);
    else {
      left.splice(at, 1);
      same += 1;
    }
  }
  return {
    same,
    differences: [...differences, ...left.map((each) => `${what}, in the replay alone: ${describe(each)}`)],
  };
}

function isSame(theirs: AnsweredSkill, ours: ReplayedSkill): boolean {
  const files = [ours.file, ...ours.rivals];
  return (
    theirs.name === ours.name &&
    (theirs.file === undefined || files.includes(theirs.file)) &&
    (theirs.text === ours.text || (ours.rivals.length > 0 && theirs.file !== ours.file)) &&
    (theirs.isEnabled === undefined || theirs.isEnabled === ours.isEnabled)
  );
}

function describe({ name, text, file, isEnabled }: AnsweredSkill): string {
  return JSON.stringify({
    name,
    file,
    isEnabled,
    text: text.length > 120 ? `${text.slice(0, 117)}… (${text.length})` : text,
  });
}
