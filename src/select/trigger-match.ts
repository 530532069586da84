import { compareText } from '../model/order.ts';
import type { Skill } from '../model/skill.ts';

/**
 * mention: the skill's name or title is said, or it is called by `/skill:name` or `$name`; phrase: a keyword or verb of
 * several words; keyword and verb: one of a single word.
 */
export type MatchKind = 'mention' | 'phrase' | 'keyword' | 'verb' | 'pattern' | 'glob' | 'relevance';

export interface MatchReason {
  readonly kind: MatchKind;
  /** The trigger as written; for a glob "glob: path"; for relevance the score. */
  readonly detail: string;
}

export interface TriggerMatch {
  readonly skill: Skill;
  /** In the order of the kinds above, each trigger once. */
  readonly reasons: readonly MatchReason[];
}

/** One trigger of a skill that was found. */
export interface TriggerFinding extends MatchReason {
  readonly skill: Skill;
  /** Equal for triggers of one kind that differ only in form. */
  readonly key: string;
  /** For a phrase of several words: its number of words and characters. */
  readonly size?: readonly [words: number, characters: number];
  /** True for `/skill:name` and `$name`, which rank above a name in running text. */
  readonly isCall?: boolean;
}

export interface RankOptions {
  readonly lastUsed: ReadonlyMap<string, number>;
  /** Called only if something was found. */
  readonly relevance: () => ReadonlyMap<Skill, number>;
}

/** Ranks by mention, longest phrase, most recent use, relevance, name, directory. */
export function rankFindings(findings: Iterable<TriggerFinding>, options: RankOptions): readonly TriggerMatch[] {
  const bySkill = Map.groupBy(findings, ({ skill }) => skill);
  if (bySkill.size === 0) return [];
  const relevance = options.relevance();
  return [...bySkill]
    .map(([skill, found]) => {
      const score = relevance.get(skill) ?? 0;
      const weights = [...weigh(found), options.lastUsed.get(skill.name) ?? -Infinity, score];
      return { skill, reasons: listReasons(found, score), weights };
    })
    .sort(compareWeighed)
    .map(({ skill, reasons }) => ({ skill, reasons }));
}

interface Weighed extends TriggerMatch {
  /** Compared in order; larger is better. */
  readonly weights: readonly number[];
}

function compareWeighed(a: Weighed, b: Weighed): number {
  const at = a.weights.findIndex((weight, index) => weight !== b.weights[index]);
  if (at !== -1) return (b.weights[at] ?? 0) - (a.weights[at] ?? 0);
  return compareText(a.skill.name, b.skill.name) || compareText(a.skill.dir, b.skill.dir);
}

/** How the skill is mentioned, and its longest phrase. */
function weigh(found: readonly TriggerFinding[]): readonly number[] {
  const mention = found.some(({ isCall }) => isCall) ? 2 : found.some(({ kind }) => kind === 'mention') ? 1 : 0;
  const sizes = found.map(({ size = NO_SIZE }) => size).sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  return [mention, ...(sizes[0] ?? NO_SIZE)];
}

const NO_SIZE = [0, 0] as const;

function listReasons(found: readonly TriggerFinding[], relevance: number): readonly MatchReason[] {
  const byTrigger = new Map<string, MatchReason>();
  for (const { kind, detail, key } of found) {
    const trigger = `${kind} ${key}`;
    if (!byTrigger.has(trigger)) byTrigger.set(trigger, { kind, detail });
  }
  if (relevance > 0) byTrigger.set('relevance', { kind: 'relevance', detail: relevance.toFixed(2) });
  return [...byTrigger.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

const KINDS: readonly MatchKind[] = ['mention', 'phrase', 'keyword', 'verb', 'pattern', 'glob', 'relevance'];
