import type { ReadAnswer } from '../console-context.ts';

/** The engine's own ranking. A person who types looks for a skill and does not use it, so nothing is recorded. */
export const rankSkills: ReadAnswer<'search'> = async ({ skills }, { query, limit = 200 }) => {
  const results = await skills.search({ query, limit, recordUse: false });
  return {
    ok: true,
    results: results.map(({ name, score, weak = false, reasons }) => ({ name, score, isWeak: weak, reasons })),
    partial: results.partial ?? [],
  };
};
