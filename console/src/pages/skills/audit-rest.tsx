import type { JSX } from 'preact';

import { notify, notifyFailure } from '../../lib/notices.ts';
import { useJob } from '../../lib/use-job.ts';
import { counted } from '../../lib/words.ts';
import { ProgressLine } from '../../parts/progress-line.tsx';

/** Says how many skills were not audited yet, and audits them. */
export function AuditRest({ unknown }: { readonly unknown: number }): JSX.Element | null {
  const { progress, start, cancel } = useJob('audit/all');
  if (progress !== undefined) return <ProgressLine progress={progress} onCancel={cancel} />;
  if (unknown === 0) return null;
  const audit = async (): Promise<void> => {
    const done = await start({});
    if (done.ok) notify({ kind: 'done', text: `Audited ${counted(done.value.audited, 'skill')}.` });
    else notifyFailure(done.failure);
  };
  return (
    <button type="button" class="plain" title="Reads every file of them and runs nothing" onClick={() => void audit()}>
      {unknown} not audited yet: audit
    </button>
  );
}
