import { MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import { once } from '../model/once.ts';
import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';
import { isWord, stem, tokensOf, wordsOf } from '../select/index/words.ts';
import type { EvalCase } from './eval-cases.ts';
import { judgeCases, type EvaluatedSkills, type EvaluateOptions, type JudgedCase } from './evaluation.ts';
import { ownWords } from './missing-words.ts';

/** Skills that can be searched as if one of them described itself in other words. */
export interface DescribableSkills extends EvaluatedSkills {
  readonly describe: (skill: Skill, description: string) => DescribableSkills;
  readonly readBody: (skill: Skill) => string;
  /** Says why the description cannot be written into the skill's file; undefined if it can. */
  readonly refuse: (skill: Skill, description: string) => string | undefined;
}

/** Words that help requests to find a skill. */
export interface SuggestedWords {
  readonly skill: Skill;
  readonly words: readonly string[];
  /** The description with the words. */
  readonly description: string;
  /** Requests that are served better with it. */
  readonly better: readonly string[];
}

/** A missed skill without a suggestion, and why. */
export interface MissingSuggestion {
  readonly skill: string;
  readonly reason: string;
}

export interface WordSuggestions {
  readonly suggestions: readonly SuggestedWords[];
  /** Skills that requests missed and that have no suggestion. */
  readonly without: readonly MissingSuggestion[];
  /** The skills with all suggestions. */
  readonly described: DescribableSkills;
}

const MOST_SKILLS = 20;
const MOST_TRIED = 12;
const MOST_SUGGESTED = 6;

/**
 * Finds words for the descriptions of skills that requests missed, the most missed first. Words are kept only if the
 * cases, run again, are served better and none of them worse. No request is copied: a word must occur in several of the
 * skill's missed requests, or in one of them and in its instructions, and of three neighbouring words of any request at
 * most two are suggested.
 */
export function suggestWords(
  cases: readonly EvalCase[],
  skills: DescribableSkills,
  options: EvaluateOptions = {},
): WordSuggestions {
  const judged = judgeCases(cases, skills, options);
  const missed = listMissed(judged, skills);
  const suggestions: SuggestedWords[] = [];
  const without: MissingSuggestion[] = [];
  let described = skills;
  for (const { skill, requests } of missed.slice(0, MOST_SKILLS)) {
    const found = suggestFor(skill, requests, { cases, skills: described, options });
    if ('reason' in found) without.push({ skill: skill.name, reason: found.reason });
    else {
      suggestions.push(found);
      described = described.describe(skill, found.description);
    }
  }
  for (const { skill } of missed.slice(MOST_SKILLS)) without.push({ skill: skill.name, reason: UNTRIED });
  return { suggestions, without, described };
}

const UNTRIED = 'not tried: other skills are missed more often';
const UNHELPED = 'no words that its missed requests share with each other or with its instructions would help';
const NO_ROOM = `its description has no room for words: it may have ${MAX_DESCRIPTION_LENGTH} characters`;

interface MissedSkill {
  readonly skill: Skill;
  readonly requests: readonly string[];
}

function listMissed(judged: readonly JudgedCase[], { find }: EvaluatedSkills): readonly MissedSkill[] {
  const pairs = judged
    .filter(({ isWanted, isRight }) => isWanted && !isRight)
    .flatMap(({ query, gold }) => gold.map((name) => ({ name, query })));
  return [...Map.groupBy(pairs, ({ name }) => name)]
    .sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b))
    .flatMap(([name, members]) => {
      const found = find(name);
      return found.ok ? [{ skill: found.skill, requests: members.map(({ query }) => query) }] : [];
    });
}

interface Trial {
  readonly cases: readonly EvalCase[];
  readonly skills: DescribableSkills;
  readonly options: EvaluateOptions;
}

function suggestFor(
  skill: Skill,
  missed: readonly string[],
  trial: Trial,
): SuggestedWords | { readonly reason: string } {
  const candidates = chooseCandidates(skill, missed, trial.skills.readBody(skill));
  if (candidates.length === 0) return { reason: UNHELPED };
  const fits = (words: readonly Candidate[]): boolean => describeWith(skill, words).length <= MAX_DESCRIPTION_LENGTH;
  if (candidates.every((candidate) => !fits([candidate]))) return { reason: NO_ROOM };
  const near = { ...trial, cases: trial.cases.filter(isNear(skill, candidates, trial.skills)) };
  const requests = trial.cases.map(({ query }) => spokenWordsOf(query).map(({ key }) => key));
  const mayHold = (words: readonly Candidate[]): boolean =>
    words.length <= MOST_SUGGESTED &&
    fits(words) &&
    !requests.some((request) => hasRun(request, new Set(words.map(({ key }) => key))));
  const gain = openGain(skill, near);
  const chosen = dropUseless(addHelpful(candidates, { mayHold, gain }), gain);
  const description = describeWith(skill, chosen);
  // Words are chosen from the affected requests and judged on all of them.
  const better = chosen.length === 0 ? undefined : compareWith(skill, description, trial)?.better;
  if (better === undefined || better.length === 0) return { reason: UNHELPED };
  const refusal = trial.skills.refuse(skill, description);
  if (refusal !== undefined) return { reason: refusal };
  return { skill, words: chosen.map(({ spelling }) => spelling), description, better };
}

/** Can these words in the description of the skill change how the case is served? */
function isNear(skill: Skill, candidates: readonly Candidate[], { find }: EvaluatedSkills): (one: EvalCase) => boolean {
  const keys = new Set(candidates.map(({ key }) => key));
  const isOwn = (name: string): boolean => {
    const found = find(name);
    return found.ok && found.skill.name === skill.name;
  };
  return (one) =>
    (one.kind === 'find' ? one.gold : [one.skill]).some(isOwn) ||
    spokenWordsOf(one.query).some(({ key }) => keys.has(key));
}

interface Candidate {
  readonly key: string;
  readonly spelling: string;
}

const LONGEST_WORD = 40;

/** Words that the skill does not say of itself, the most telling first. */
function chooseCandidates(skill: Skill, missed: readonly string[], body: string): readonly Candidate[] {
  const own = ownWords(skill);
  const inBody = new Set(wordsOf(body));
  const isIn = (words: ReadonlySet<string>, { indexed }: SpokenWord): boolean =>
    indexed.length > 0 && indexed.every((word) => words.has(word));
  const requests = missed.map(spokenWordsOf);
  // The same request in other signs is no second one.
  const different = [...new Map(requests.map((words) => [words.map(({ key }) => key).join(' '), words])).values()];
  const uses = different.flatMap((words) => [...new Map(words.map((word) => [word.key, word])).values()]);
  return [...Map.groupBy(uses, ({ key }) => key)]
    .flatMap(([key, [first, ...others]]) => {
      if (first === undefined || isIn(own, first)) return [];
      const spelling = commonest([first, ...others].map((word) => word.spelling));
      const isCheckable = isIn(inBody, first);
      const isShared = others.length > 0 || isCheckable;
      if (!isShared || /^\d+$/.test(key) || spelling.length > LONGEST_WORD) return [];
      return [{ key, spelling, count: others.length + 1, isCheckable }];
    })
    .sort((a, b) => b.count - a.count || Number(b.isCheckable) - Number(a.isCheckable) || compareText(a.key, b.key))
    .slice(0, MOST_TRIED);
}

function commonest(spellings: readonly string[]): string {
  const counted = [...Map.groupBy(spellings, (spelling) => spelling)];
  return counted.sort(([a, x], [b, y]) => y.length - x.length || compareText(b, a))[0]?.[0] ?? '';
}

const RUN = 3;

/** Are three neighbouring words of the request among the words? */
function hasRun(request: readonly string[], words: ReadonlySet<string>): boolean {
  let length = 0;
  return request.some((word) => {
    length = words.has(word) ? length + 1 : 0;
    return length === RUN;
  });
}

/** How much better the requests are served with these words; undefined if one is served worse. */
type Gain = (words: readonly Candidate[]) => number | undefined;

function openGain(skill: Skill, trial: Trial): Gain {
  const before = judgeCases(trial.cases, trial.skills, trial.options);
  return (words) =>
    words.length === 0 ? 0 : compareWith(skill, describeWith(skill, words), { ...trial, before })?.gain;
}

interface Limits {
  readonly mayHold: (words: readonly Candidate[]) => boolean;
  readonly gain: Gain;
}

/** Takes each word that does no harm: some help only together. */
function addHelpful(candidates: readonly Candidate[], { mayHold, gain }: Limits): readonly Candidate[] {
  let chosen: readonly Candidate[] = [];
  let most = 0;
  for (const candidate of candidates) {
    const more = [...chosen, candidate];
    const gained = mayHold(more) ? gain(more) : undefined;
    if (gained === undefined || gained < most) continue;
    [chosen, most] = [more, gained];
  }
  return chosen;
}

function dropUseless(words: readonly Candidate[], gain: Gain): readonly Candidate[] {
  let kept = words;
  let most = gain(kept) ?? 0;
  for (const word of words.toReversed()) {
    const fewer = kept.filter((one) => one !== word);
    const gained = gain(fewer);
    if (gained === undefined || gained < most) continue;
    [kept, most] = [fewer, gained];
  }
  return kept;
}

interface Compared {
  readonly gain: number;
  readonly better: readonly string[];
}

/** Runs the cases with another description. Undefined if one of them is served worse. */
function compareWith(
  skill: Skill,
  description: string,
  { cases, skills, options, before = judgeCases(cases, skills, options) }: Trial & { before?: readonly JudgedCase[] },
): Compared | undefined {
  const after = judgeCases(cases, skills.describe(skill, description), options);
  const changes = after.map((one, at) => {
    const was = before[at] ?? one;
    const right = Number(one.isRight) - Number(was.isRight);
    const ranked = one.isWanted ? one.ndcg10 - was.ndcg10 : 0;
    return { query: one.query, isWorse: right < 0 || ranked < 0, gain: right + ranked };
  });
  if (changes.some(({ isWorse }) => isWorse)) return undefined;
  const better = changes.filter(({ gain }) => gain > 0);
  return {
    gain: better.reduce((sum, { gain }) => sum + gain, 0),
    better: [...new Set(better.map(({ query }) => query))],
  };
}

const KEYWORDS = /\bKeywords: ([^.]*)\.$/u;

/** Adds words to a description, behind those that were added before. */
function describeWith({ description }: Pick<Skill, 'description'>, words: readonly Candidate[]): string {
  const added = words.map(({ spelling }) => spelling).join(', ');
  const told = description.trimEnd();
  if (KEYWORDS.test(told)) return `${told.slice(0, -1)}, ${added}.`;
  const end = told === '' || /[.!?。！？]$/u.test(told) ? '' : '.';
  return `${told}${end} Keywords: ${added}.`.trimStart();
}

/** A word of a request as a person typed it, and the words by which the index knows it. */
interface SpokenWord {
  readonly spelling: string;
  /** The same for all forms of the word. */
  readonly key: string;
  readonly indexed: readonly string[];
}

/**
 * The words of a text as they are typed, without stop words. Chinese and Japanese are split into words, where the index
 * has pairs of characters; single characters say too little.
 */
function spokenWordsOf(text: string): readonly SpokenWord[] {
  return (text.match(TYPED) ?? []).flatMap((typed) => {
    if (WIDE.test(typed)) return splitWide(typed);
    const tokens = tokensOf(typed);
    return tokens.filter(isWord).map((token) => {
      const key = stem(token);
      return { spelling: tokens.length === 1 ? typed : token, key, indexed: [key] };
    });
  });
}

/** Names that end or begin with a sign are whole: C++, C#, .NET, Node.js. */
const TYPED = /(?<![\p{L}\p{N}])(?:\.net\b|c\+\+|[cf]#)|[\p{L}\p{M}\p{N}]+(?:\.js\b)?/giu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }));

function splitWide(typed: string): readonly SpokenWord[] {
  const segments = Array.from(segmenter().segment(typed), ({ segment }) => segment);
  return segments
    .filter((segment) => Array.from(segment).length > 1)
    .map((segment) => ({ spelling: segment, key: segment.toLowerCase(), indexed: wordsOf(segment) }));
}
