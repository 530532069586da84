import type { JobAnswer } from '../console-context.ts';

/** Audits the skills whose audit is not known, so that the list can say what is withheld from models. */
export const auditAll: JobAnswer<'audit/all'> = async ({ skills, announce }, _input, { signal, report }) => {
  const listed = skills.catalog().skills.filter(({ status }) => status !== 'broken');
  const known = await skills.trust.survey(listed);
  const unknown = listed.filter((skill) => !known.has(skill));
  let audited = 0;
  for (const { name } of unknown) {
    if (signal.aborted) break;
    report({ step: name, percent: Math.floor((100 * audited) / unknown.length) });
    const done = await skills.trust.audit(name);
    if (done.ok) audited += 1;
  }
  await announce();
  return { ok: true, audited };
};
