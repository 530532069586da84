import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import type { Skills } from '../../engine/open-skills.ts';
import { openSkillEvals } from '../../evals/evaluate-skills.ts';
import { ownEvalFile, planEvalCase, removeEvalCase, saveEvalCase } from '../../evals/save-eval-case.ts';
import { HOSTS, listPresentAgents } from '../../hosts/all-hosts.ts';
import { HOST_IDS, type HostId } from '../../model/agents.ts';
import type { ScorePart } from '../../select/ranking/relevance.ts';
import type { SkillSearchResult } from '../../select/registry.ts';
import { change, job, read } from '../endpoint.ts';
import { name, nothing, request } from '../input-fields.ts';

/** How a request is ranked, what it triggers, and what a model would be given. Nothing of it is recorded. */
export const viewLab = read(z.strictObject({ request }), async ({ skills }, { request: query }) => {
  const results = await skills.search({ query, limit: 20, recordUse: false, withParts: true });
  const { matches, suggestions } = await skills.match(query, { recordMatch: false });
  const { tier, tokens, text } = await skills.disclosure.disclose(query, { recordUse: false, recordMatch: false });
  return {
    ok: true,
    results: results.map(toResult),
    partial: results.partial ?? [],
    unusable: results.unusable,
    /** Skills whose triggers the request activates, with the reasons. */
    matches: matches.map(({ skill, score, reasons }) => ({
      name: skill.name,
      score,
      reasons: reasons.map(({ kind, detail }) => `${kind}: ${detail}`),
    })),
    /** The most relevant skills if no trigger fires. */
    suggestions: suggestions.map(({ name: found, score }) => ({ name: found, score })),
    hooks: await askHooks(skills, query),
    tier,
    tokens,
    text,
  };
});

/** `literal`: the request is in the skill word for word, which has a fixed score. `excluded` is taken off. */
export type ScoreKind = 'literal' | 'words' | 'sections' | 'name' | 'pairs' | 'history' | 'excluded';

/** Pieces of one result compare; those of two need not. */
export interface ScorePiece {
  readonly kind: ScoreKind;
  readonly points: number;
}

function toResult({ name: found, score, confidence, weak, reasons, parts = [] }: SkillSearchResult): {
  readonly name: string;
  readonly score: number;
  readonly confidence: number;
  readonly isWeak: boolean;
  readonly reasons: readonly string[];
  readonly pieces: readonly ScorePiece[];
} {
  const pieces = score >= FIXED ? [{ kind: 'literal' as const, points: score }] : foldParts(parts);
  return { name: found, score, confidence, isWeak: weak === true, reasons, pieces };
}

/** Scores from here on are those of the fixed table. */
const FIXED = 0.5;

/** A dozen parts are too many to tell apart in a bar. */
const KINDS: Readonly<Record<ScorePart['part'], ScoreKind>> = {
  strength: 'words',
  covered: 'words',
  emphasisStrength: 'words',
  emphasisCovered: 'words',
  emphasisMetadata: 'words',
  section: 'sections',
  emphasisInstructions: 'sections',
  nameSaid: 'name',
  nameWhole: 'name',
  emphasisName: 'name',
  metadataPairs: 'pairs',
  instructionPairs: 'pairs',
  emphasisMetadataPairs: 'pairs',
  emphasisInstructionPairs: 'pairs',
  chosenBefore: 'history',
  excluded: 'excluded',
};

const ORDER: readonly ScoreKind[] = ['words', 'sections', 'name', 'pairs', 'history', 'excluded'];

function foldParts(parts: readonly ScorePart[]): readonly ScorePiece[] {
  return ORDER.map((kind) => ({
    kind,
    points: parts.filter(({ part }) => KINDS[part] === kind).reduce((sum, { points }) => sum + Math.abs(points), 0),
  })).filter(({ points }) => points > 0);
}

/** The sentence that the hook of a host would add to the message; `because` says why there is none. */
export interface HookView {
  readonly host: HostId;
  readonly title: string;
  readonly text: string | undefined;
  readonly because: string | undefined;
}

/** For each host that is on this machine, else for each that is known. */
async function askHooks(skills: Skills, message: string): Promise<readonly HookView[]> {
  const present = listPresentAgents(skills.environment).map(({ id }) => id);
  const hooks: HookView[] = [];
  for (const host of present.length === 0 ? HOST_IDS : present) {
    let because: string | undefined;
    const onSilence = (reason: string): void => {
      because = reason;
    };
    const hint = await skills.hint({ message, host, onSilence });
    hooks.push({ host, title: HOSTS[host].title, text: hint?.text, because });
  }
  return hooks;
}

/** The figures of one skill that brings evals, or of the user's own requests, which belong to none. */
export interface EvalRow {
  readonly name: string | undefined;
  readonly requests: number;
  readonly hit1?: number | undefined;
  readonly recall5?: number | undefined;
  readonly failure?: string;
  /** Entries that could not be used. */
  readonly problems: number;
}

/** Requests for which another skill came first. */
export interface StolenRequests {
  readonly gold: string;
  readonly stolenBy: string | undefined;
  readonly count: number;
  readonly requests: readonly string[];
}

/** Runs the evals of every skill that brings some, and the user's own requests. */
export const runEvals = job(
  nothing,
  async ({ skills }, _input, { signal, report }) => {
    const own = ownEvalFile(skills.environment.agentHome);
    const tested = [
      ...(existsSync(own) ? [{ name: undefined, path: own }] : []),
      ...skills
        .catalog()
        .skills.map(({ name: skill, dir, status }) => ({ name: skill, path: join(dir, 'evals'), status }))
        .filter(({ path, status }) => status === 'enabled' && existsSync(path)),
    ];
    await using evals = openSkillEvals(skills);
    const rows: EvalRow[] = [];
    const confusion: StolenRequests[] = [];
    for (const [at, { name: skill, path }] of tested.entries()) {
      if (signal.aborted) break;
      report({ step: skill ?? 'Your own requests', percent: Math.floor((100 * at) / tested.length) });
      const done = await evals.evaluate(path);
      if (!done.ok) {
        rows.push({ name: skill, requests: 0, failure: done.message, problems: 0 });
        continue;
      }
      const { requests, ranking, problems } = done;
      rows.push({
        name: skill,
        requests,
        hit1: ranking?.hit1,
        recall5: ranking?.recall5,
        problems: problems.length,
      });
      for (const { gold, ...one } of done.confusion)
        confusion.push({ ...one, stolenBy: one.stolenBy, gold: gold.join(', ') });
    }
    return { ok: true, skills: rows, confusion };
  },
  { changes: false },
);

/** The change that saving a case would make. `not`: it should not find the skill. */
export const previewCase = read(
  z.strictObject({ request, skill: name, not: z.literal('true').optional() }),
  ({ skills }, { not, ...wanted }) => planEvalCase(skills, { ...wanted, shouldTrigger: not === undefined }),
);

const evalCase = z.strictObject({ request, skill: name, shouldTrigger: z.boolean() });

export const saveCase = change(evalCase, ({ skills }, wanted) => saveEvalCase(skills, wanted));

export const takeBackCase = change(evalCase, ({ skills }, wanted) => removeEvalCase(skills, wanted));
