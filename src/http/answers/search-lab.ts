import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { HOST_IDS, HOSTS } from '../../hosts.ts';
import { openSkillEvals, ownEvalFile, type ScorePart, type Skills, type SkillSearchResult } from '../../index.ts';
import type { JobAnswer, ReadAnswer } from '../console-context.ts';
import type { EvalSummary, HookView, LabResult, ScoreKind, ScorePiece } from '../wire/lab.ts';
import { listPresentHosts } from './present-hosts.ts';

/** How a request is ranked, what it triggers, and what a model would be given. Nothing of it is recorded. */
export const viewLab: ReadAnswer<'lab'> = async ({ skills }, { request }) => {
  const results = await skills.search({ query: request, limit: 20, recordUse: false, withParts: true });
  const { matches, suggestions } = await skills.match(request, { recordMatch: false });
  const disclosed = await skills.disclosure.disclose(request, { recordUse: false, recordMatch: false });
  return {
    ok: true,
    results: results.map(toResult),
    partial: results.partial ?? [],
    matches: matches.map(({ skill, score, reasons }) => ({
      name: skill.name,
      score,
      reasons: reasons.map(({ kind, detail }) => `${kind}: ${detail}`),
    })),
    suggestions: suggestions.map(({ name, score }) => ({ name, score })),
    hooks: await askHooks(skills, request),
    tier: disclosed.tier,
    tokens: disclosed.tokens,
    text: disclosed.text,
  };
};

function toResult({ name, score, confidence, weak, reasons, parts = [] }: SkillSearchResult): LabResult {
  const pieces = score >= FIXED ? [{ kind: 'literal' as const, points: score }] : foldParts(parts);
  return { name, score, confidence, isWeak: weak === true, reasons, pieces };
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

async function askHooks(skills: Skills, message: string): Promise<readonly HookView[]> {
  const present = listPresentHosts(skills.environment).map(({ id }) => id);
  const hooks: HookView[] = [];
  for (const host of present.length === 0 ? HOST_IDS : present) {
    let because: string | null = null;
    const onSilence = (reason: string): void => {
      because = reason;
    };
    const hint = await skills.hint({ message, host, onSilence });
    hooks.push({ host, title: HOSTS[host].title, text: hint?.text ?? null, because });
  }
  return hooks;
}

/** Runs the evals of every skill that brings some, and the user's own requests. */
export const runEvals: JobAnswer<'evals/run'> = async ({ skills }, _input, { signal, report }) => {
  const own = ownEvalFile(skills.environment.agentHome);
  const tested = [
    ...(existsSync(own) ? [{ name: null, path: own }] : []),
    ...skills
      .catalog()
      .skills.map(({ name, dir, status }) => ({ name, path: join(dir, 'evals'), status }))
      .filter(({ path, status }) => status === 'enabled' && existsSync(path)),
  ];
  await using evals = openSkillEvals(skills);
  const rows: EvalSummary['skills'][number][] = [];
  const confusion: EvalSummary['confusion'][number][] = [];
  for (const [at, { name, path }] of tested.entries()) {
    if (signal.aborted) break;
    report({ step: name ?? 'Your own requests', percent: Math.floor((100 * at) / tested.length) });
    const done = await evals.evaluate(path);
    const ranking = done.ok ? done.ranking : undefined;
    rows.push({
      name,
      requests: done.ok ? done.requests : 0,
      hit1: ranking?.hit1 ?? null,
      recall5: ranking?.recall5 ?? null,
      failure: done.ok ? null : done.message,
      problems: done.ok ? done.problems.length : 0,
    });
    if (!done.ok) continue;
    for (const { gold, stolenBy, count, requests } of done.confusion)
      confusion.push({ gold: gold.join(', '), stolenBy: stolenBy ?? null, count, requests });
  }
  return { ok: true, skills: rows, confusion };
};
