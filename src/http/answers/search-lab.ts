import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { evaluateSkills } from '../../index.ts';
import type { JobAnswer, ReadAnswer } from '../console-context.ts';
import type { EvalSummary } from '../wire/lab.ts';

/** How a request is ranked, what it triggers, and what a model would be given. Nothing of it is recorded. */
export const viewLab: ReadAnswer<'lab'> = async ({ skills }, { request }) => {
  const results = await skills.search({ query: request, limit: 20, isTrial: true });
  const { matches, suggestions } = await skills.match(request, { isTrial: true });
  const disclosed = await skills.disclosure.disclose(request, { isTrial: true });
  return {
    ok: true,
    results: results.map(({ name, score, weak = false, reasons }) => ({ name, score, isWeak: weak, reasons })),
    matches: matches.map(({ skill, score, reasons }) => ({
      name: skill.name,
      score,
      reasons: reasons.map(({ kind, detail }) => `${kind}: ${detail}`),
    })),
    suggestions: suggestions.map(({ name, score }) => ({ name, score })),
    tier: disclosed.tier,
    tokens: disclosed.tokens,
    text: disclosed.text,
  };
};

/** Runs the evals of every skill that brings some. */
export const runEvals: JobAnswer<'evals/run'> = async ({ skills }, _input, { signal, report }) => {
  const tested = skills
    .catalog()
    .skills.filter(({ dir, status }) => status === 'enabled' && existsSync(join(dir, 'evals')));
  const rows: EvalSummary['skills'][number][] = [];
  const confusion: EvalSummary['confusion'][number][] = [];
  for (const [at, { name, dir }] of tested.entries()) {
    if (signal.aborted) break;
    report({ step: name, percent: Math.floor((100 * at) / tested.length) });
    const done = await evaluateSkills(skills, join(dir, 'evals'));
    const ranking = done.ok ? done.ranking : undefined;
    rows.push({
      name,
      requests: done.ok ? done.requests : 0,
      hit1: ranking?.hit1 ?? null,
      recall5: ranking?.recall5 ?? null,
      failure: done.ok ? null : done.message,
    });
    if (!done.ok) continue;
    for (const { gold, stolenBy, count, requests } of done.confusion)
      confusion.push({ gold: gold.join(', '), stolenBy: stolenBy ?? null, count, requests });
  }
  return { ok: true, skills: rows, confusion };
};
