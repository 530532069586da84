import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { NextStep, OperationName, OperationStep } from '../../src/model/next-step.ts';
import type { Repair } from './lib/answers.ts';
import { change } from './lib/api.ts';
import { notify, notifyFailure } from './lib/notices.ts';
import type { Page, Params } from './lib/route.ts';
import { useSession } from './lib/session.ts';
import { switchSkills } from './lib/switching.ts';
import { visible } from './lib/visible-text.ts';
import { Link } from './parts/link.tsx';

/** The button or link for a step that the console can do. Trusting and connecting are looked at first, on their own pages. */
export function actionOf(step: NextStep): JSX.Element | null {
  const repair = repairOf(step);
  if (repair !== undefined) return <RepairButton repair={repair} />;
  const link = 'do' in step ? LINKS[step.do]?.(step) : undefined;
  if (link !== undefined)
    return (
      <Link page={link.page} params={link.params ?? {}} class="button">
        {link.label}
      </Link>
    );
  if (!('do' in step) || step.skill === undefined) return null;
  // For one agent alone, it is done on the page of agents.
  if (step.with !== undefined) return null;
  if (step.do === 'enable') return <SwitchButton skill={step.skill} to="enabled" />;
  return step.do === 'disable' ? <SwitchButton skill={step.skill} to="disabled" /> : null;
}

interface StepLink {
  readonly page: Page;
  readonly params?: Params;
  readonly label: string;
}

/** Pages where a person looks first, and then decides. */
const LINKS: Partial<Record<OperationName, (step: OperationStep) => StepLink | undefined>> = {
  trust: ({ skill: name }) =>
    name === undefined ? undefined : { page: 'skill', params: { name, tab: 'trust' }, label: 'Review and trust…' },
  audit: ({ skill: name }) =>
    name === undefined ? undefined : { page: 'skill', params: { name, tab: 'trust' }, label: 'See the findings' },
  connect: ({ host }) =>
    host === undefined
      ? undefined
      : { page: 'agents', params: { tab: 'connections', connect: host }, label: 'Connect…' },
  explain: () => ({ page: 'agents', label: 'Choose what to remove' }),
  search: ({ query }) =>
    query === undefined ? undefined : { page: 'skills', params: { q: query }, label: 'Search for it' },
  show: ({ skill: name }) =>
    name === undefined
      ? { page: 'skills', params: { show: 'problems' }, label: 'Show them' }
      : { page: 'skill', params: { name }, label: 'Show it' },
  validate: ({ skill: name }) =>
    name === undefined ? undefined : { page: 'skill', params: { name }, label: 'Show the problems' },
  prefer: ({ skill: name }) =>
    name === undefined ? undefined : { page: 'skill', params: { name }, label: 'Keep one…' },
  remove: ({ skill: name }) => (name === undefined ? undefined : { page: 'installed', label: 'Show it' }),
  install: ({ address: url }) =>
    url === undefined ? undefined : { page: 'installed', params: { url }, label: 'Install…' },
  doctor: () => ({ page: 'health', label: 'Health' }),
  plugins: () => ({ page: 'installed', label: 'Installed' }),
};

interface SwitchButtonProps {
  readonly skill: string;
  readonly to: 'enabled' | 'disabled';
}

function SwitchButton({ skill, to }: SwitchButtonProps): JSX.Element | null {
  if (useSession().isReadOnly) return null;
  return (
    <button type="button" onClick={() => void switchSkills([skill], to)}>
      {to === 'enabled' ? 'Enable it' : 'Disable it'}
    </button>
  );
}

function repairOf(step: NextStep): Repair | undefined {
  if ('set' in step) return step;
  if (!('do' in step)) return undefined;
  const { skill, path } = step;
  if (step.do === 'fix') return path === undefined ? undefined : { do: 'fix', path };
  if (step.do !== 'update' && step.do !== 'restore') return undefined;
  return skill === undefined ? undefined : { do: step.do, skill };
}

function RepairButton({ repair }: { readonly repair: Repair }): JSX.Element | null {
  const { isReadOnly } = useSession();
  const [isBusy, setBusy] = useState(false);
  const act = async (): Promise<void> => {
    setBusy(true);
    await mend(repair);
    setBusy(false);
  };
  if (isReadOnly) return null;
  return (
    <button type="button" disabled={isBusy} title={describe(repair)} onClick={() => void act()}>
      {'set' in repair ? 'Change it' : LABELS[repair.do]}
    </button>
  );
}

const LABELS = { fix: 'Fix it', update: 'Update it', restore: 'Install it again' } as const;

/** Says what the button will change. */
function describe(repair: Repair): string {
  if ('to' in repair) return visible(`Sets ${repair.set} in your config.yaml: ${repair.to}`);
  if ('add' in repair) return visible(`Adds to ${repair.set} in your config.yaml: ${repair.add}`);
  if ('remove' in repair) return visible(`Removes from ${repair.set} in your config.yaml: ${repair.remove}`);
  if (repair.do === 'fix') return visible(`Rewrites the SKILL.md in ${repair.path} where there is one right form`);
  return repair.do === 'update'
    ? visible(`Updates your copy of ${repair.skill} and keeps your changes`)
    : visible(`Fetches ${repair.skill} as the lock has it`);
}

async function mend(repair: Repair): Promise<void> {
  const answer = await change('health/repair', repair);
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  const { said, undo } = answer.value;
  notify({
    kind: 'done',
    text: said,
    detail: describe(repair),
    undo: undo === undefined ? undefined : () => void mend(undo),
  });
}
