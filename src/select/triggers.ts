import { MAX_MESSAGE_LENGTH, MAX_MESSAGE_WORK } from '../model/limits.ts';
import { once } from '../model/once.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import { compileGlobs } from '../parse/globs.ts';
import { compilePatterns, type PatternSet } from '../parse/trigger-patterns.ts';
import { inflect } from './inflection.ts';
import { fold, openPhrases } from './phrases.ts';
import { rankFindings, type TriggerFinding, type TriggerMatch } from './trigger-match.ts';

export interface MatchOptions {
  /** Maximum number of skills. Default: 3. */
  readonly maxSkills?: number | undefined;
  /** Files that the message touches, relative to the project or absolute. */
  readonly paths?: readonly string[] | undefined;
  /** Time of last use by skill name; larger is later. */
  readonly lastUsed?: ReadonlyMap<string, number>;
  /** Relevance of skills to the message. It orders triggered skills but triggers none itself. */
  readonly relevance?: (message: string) => ReadonlyMap<Skill, number>;
}

export interface TriggerMatcher {
  /** The skills that the message activates, best first, with reasons. Never throws. */
  match(message: string, options?: MatchOptions): readonly TriggerMatch[];
}

const DEFAULT_MAX_SKILLS = 3;

/** Prepares the triggers of these skills once. The caller decides which skills may be offered. */
export function openTriggers(skills: readonly Skill[]): TriggerMatcher {
  const each = [...new Set(skills)];
  const finders = [openWords(each), openCalls(each), openPatterns(each), openGlobs(each)];
  return {
    match(message, { maxSkills = DEFAULT_MAX_SKILLS, paths = [], lastUsed = new Map(), relevance } = {}) {
      const findings = finders.flatMap((find) => find(message, paths));
      const ranked = rankFindings(findings, { lastUsed, relevance: () => relevance?.(message) ?? new Map() });
      return ranked.slice(0, Math.max(0, maxSkills));
    },
  };
}

/** The same for a single message. */
export function matchTriggers(
  skills: readonly Skill[],
  message: string,
  options?: MatchOptions,
): readonly TriggerMatch[] {
  return openTriggers(skills).match(message, options);
}

type Finder = (message: string, paths: readonly string[]) => readonly TriggerFinding[];

/** Names, titles, keywords and verbs. A title says which skill is meant if it has several words and no other has it. */
function openWords(skills: readonly Skill[]): Finder {
  const phrases = openPhrases<TriggerFinding>();
  const formsOf = rememberForms();
  const titles = Map.groupBy(skills, ({ title }) => fold(title));
  for (const skill of skills) {
    const { name, title, triggers } = skill;
    const mention = toFinding({ skill, kind: 'mention', detail: name });
    phrases.add(mention.key, mention);
    const titled = toFinding({ skill, kind: 'mention', detail: title });
    const isTelling = titled.size !== undefined && titles.get(titled.key)?.length === 1;
    if (isTelling) phrases.add(titled.key, titled);
    for (const detail of triggers.keywords) {
      const keyword = toFinding({ skill, kind: 'keyword', detail });
      phrases.add(keyword.key, keyword);
    }
    for (const detail of triggers.verbs) {
      const verb = toFinding({ skill, kind: 'verb', detail });
      for (const form of formsOf(verb.key)) phrases.add(form, verb);
    }
  }
  return (message) => [...phrases.findIn(cut(message))];
}

function toFinding({ skill, kind, detail }: Omit<TriggerFinding, 'key'>): TriggerFinding {
  const key = fold(detail);
  const words = key.split(' ').length;
  if (words === 1) return { skill, kind, detail, key };
  return { skill, kind: kind === 'mention' ? kind : 'phrase', detail, key, size: [words, key.length] };
}

/** Many skills have the same verbs. */
function rememberForms(): (verb: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (verb) => {
    const forms = known.get(verb) ?? inflect(verb);
    known.set(verb, forms);
    return forms;
  };
}

/** Skills that a message calls by `/skill:name` or `$name`: the exact name, in any case. */
function openCalls(skills: readonly Skill[]): Finder {
  const byName = Map.groupBy(skills, ({ name }) => toCallName(name));
  const findCalled = (name: string): readonly Skill[] => {
    const called = toCallName(name);
    // A full stop at the end of a sentence is not part of the name, unless a name ends with one.
    return byName.get(called) ?? byName.get(called.replace(/[.:_-]+$/, '')) ?? [];
  };
  return (request) => {
    // Most messages call none, and the pattern takes milliseconds to make.
    const calls = /\$|\/skill:/i.test(request) ? [...cut(request).matchAll(call())] : [];
    return calls
      .flatMap(([, name = '']) => findCalled(name))
      .map((skill) => ({ ...toFinding({ skill, kind: 'mention', detail: skill.name }), isCall: true }));
  };
}

const call = once(() => /(?<![\p{L}\p{N}_$/])(?:\/skill:|\$)([\p{L}\p{N}\p{M}._:-]+)/giu);

function toCallName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** Compiled at the first message, so that listing skills does not pay for it. */
function openPatterns(skills: readonly Skill[]): Finder {
  const compiled = once(() =>
    skills
      .filter(({ triggers }) => triggers.patterns.length > 0)
      .map((skill) => ({ skill, set: compilePatterns(skill.triggers.patterns) }))
      .sort((a, b) => a.set.steps - b.set.steps || compareText(a.skill.dir, b.skill.dir)),
  );
  return (message) =>
    shareWork(compiled(), message.length).flatMap(({ skill, set, reach }) =>
      set.findIn(message, reach).map((pattern) => ({ skill, kind: 'pattern', detail: pattern, key: pattern })),
    );
}

interface SkillPatterns {
  readonly skill: Skill;
  readonly set: PatternSet;
}

/**
 * How many characters of a message each skill's patterns search, so that all together stay within the limit. Those that
 * need least come first; the others share what is left evenly.
 */
function shareWork(
  patterns: readonly SkillPatterns[],
  length: number,
): readonly (SkillPatterns & { readonly reach: number })[] {
  let left = MAX_MESSAGE_WORK;
  return patterns.map(({ skill, set }, at) => {
    const share = Math.floor(left / (patterns.length - at) / Math.max(1, set.steps));
    const reach = Math.min(set.reach, length, share);
    left -= reach * set.steps;
    return { skill, set, reach };
  });
}

function openGlobs(skills: readonly Skill[]): Finder {
  const compiled = once(() =>
    skills.filter(({ globs }) => globs.length > 0).map((skill) => ({ skill, set: compileGlobs(skill.globs) })),
  );
  return (_, paths) => {
    if (paths.length === 0) return [];
    return compiled().flatMap(({ skill, set }) =>
      paths.flatMap((path) =>
        set.findFitting(path).map((glob) => ({ skill, kind: 'glob', detail: `${glob}: ${path}`, key: glob })),
      ),
    );
  };
}

/** Keeps both ends of a long message: the topic is at the beginning, the question often at the end. */
function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  const half = MAX_MESSAGE_LENGTH / 2;
  return `${message.slice(0, half)}\n\0\n${message.slice(-half)}`;
}
