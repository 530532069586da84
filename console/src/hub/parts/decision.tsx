import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { VersionAnswer, WireVerdict } from '../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { changes } from '../lib/api.ts';
import { versionLabel } from '../lib/labels.ts';

const BUTTONS: Readonly<Record<WireVerdict, string>> = {
  approve: 'Approve',
  reject: 'Reject…',
  yank: 'Yank…',
  unyank: 'Take the yank back',
};

const DONE: Readonly<Record<WireVerdict, readonly [text: string, detail: string]>> = {
  approve: ['Approved', 'Readers see it now.'],
  reject: ['Rejected', 'Its publisher sees the reason.'],
  yank: ['Yanked', 'It is not newly installed; people who have it are told.'],
  unyank: ['Took the yank back for', 'It can be installed again.'],
};

const QUESTIONS: Readonly<Record<WireVerdict, string>> = {
  approve: '',
  reject: 'Why is it rejected? Its publisher reads this.',
  yank: 'Why should nobody install it anew? Everyone who has it reads this.',
  unyank: '',
};

interface DecisionProps {
  readonly version: VersionAnswer;
  readonly onDone?: () => void;
}

/** The verdicts that this person could give, each with its reason where it needs one. */
export function Decision({ version, onDone }: DecisionProps): JSX.Element | null {
  const [asking, setAsking] = useState<WireVerdict>();
  const [reason, setReason] = useState('');
  const label = versionLabel(version);
  const decide = async (verdict: WireVerdict): Promise<void> => {
    const answer = await changes.decide(version, verdict, QUESTIONS[verdict] === '' ? undefined : reason);
    if (!answer.ok) {
      notifyFailure(answer.failure);
      return;
    }
    const [text, detail] = DONE[verdict];
    setAsking(undefined);
    setReason('');
    const undo = verdict === 'yank' && version.verdicts.includes('yank') ? () => void decide('unyank') : undefined;
    notify({ kind: 'done', text: `${text} ${label}.`, detail, undo });
    onDone?.();
  };
  if (version.verdicts.length === 0) return null;
  if (asking !== undefined)
    return (
      <form
        class="field decision"
        onSubmit={(event) => {
          event.preventDefault();
          void decide(asking);
        }}
      >
        <label for="reason">{QUESTIONS[asking]}</label>
        <textarea
          id="reason"
          rows={2}
          maxLength={2_000}
          required
          autofocus
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div class="row-of-buttons">
          <button type="submit" class="danger" disabled={reason.trim() === ''}>
            {BUTTONS[asking].replace('…', '')} {label}
          </button>
          <button type="button" onClick={() => setAsking(undefined)}>
            Cancel
          </button>
        </div>
      </form>
    );
  return (
    <div class="row-of-buttons">
      {version.verdicts.map((verdict) => (
        <button
          key={verdict}
          type="button"
          class={verdict === 'approve' ? 'main' : ''}
          onClick={() => (QUESTIONS[verdict] === '' ? void decide(verdict) : setAsking(verdict))}
        >
          {BUTTONS[verdict]}
        </button>
      ))}
    </div>
  );
}
