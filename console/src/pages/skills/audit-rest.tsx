import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { SkillRow } from '../../lib/answers.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useJob } from '../../lib/use-job.ts';
import { counted } from '../../lib/words.ts';
import { ProgressLine } from '../../parts/progress-line.tsx';

/** Says how many skills were not audited yet, and audits them. */
export function AuditRest({ rows }: { readonly rows: readonly SkillRow[] }): JSX.Element | null {
  const { progress, start, cancel } = useJob('audit/all');
  const unaudited = useMemo(() => countUnaudited(rows), [rows]);
  if (progress !== undefined) return <ProgressLine progress={progress} onCancel={cancel} />;
  if (unaudited === 0) return null;
  const audit = async (): Promise<void> => {
    const done = await start({});
    if (done.ok) notify({ kind: 'done', text: `Audited ${counted(done.value.audited, 'skill')}.` });
    else notifyFailure(done.failure);
  };
  return (
    <button type="button" class="desk-only" title="Reads every file; runs nothing" onClick={() => void audit()}>
      Audit {counted(unaudited, 'new skill')}
    </button>
  );
}

export function countUnaudited(rows: readonly SkillRow[]): number {
  return rows.filter(({ isAudited, state }) => !isAudited && state !== 'broken').length;
}
