import type { JSX } from 'preact';

import type { ScopeRules } from '../../../../../hub/src/http/wire.ts';

const POLICIES: readonly (readonly [ScopeRules['policy'], string])[] = [
  ['open', 'open: at once'],
  ['audited', 'audited: if its audit is fine'],
  ['reviewed', 'reviewed: after an approval'],
];

const SEVERITIES: readonly (readonly [ScopeRules['failOn'], string])[] = [
  ['critical', 'critical'],
  ['high', 'high or worse'],
  ['medium', 'medium or worse'],
  ['low', 'low or worse'],
];

/** When readers see a new version, as the end of a sentence. */
export function describeRules({ policy, failOn }: ScopeRules): string {
  switch (policy) {
    case 'open':
      return 'at once';
    case 'audited':
      return `at once, unless its audit has a finding that is ${textOf(failOn)}; then a reviewer decides`;
    case 'reviewed':
    default:
      return 'when a reviewer who did not publish it has approved it';
  }
}

function textOf(failOn: ScopeRules['failOn']): string {
  return SEVERITIES.find(([value]) => value === failOn)?.[1] ?? failOn;
}

interface RulesFieldsProps {
  readonly rules: ScopeRules;
  readonly onChange: (rules: ScopeRules) => void;
}

/** Chooses a policy, and for `audited` how bad a finding must be. */
export function RulesFields({ rules, onChange }: RulesFieldsProps): JSX.Element {
  return (
    <>
      <label class="field">
        Readers see a new version
        <select
          class="choice"
          value={rules.policy}
          onChange={({ currentTarget }) => onChange({ ...rules, policy: pick(POLICIES, currentTarget.value) })}
        >
          {POLICIES.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {rules.policy === 'audited' && (
        <label class="field">
          It waits if a finding is
          <select
            class="choice"
            value={rules.failOn}
            onChange={({ currentTarget }) => onChange({ ...rules, failOn: pick(SEVERITIES, currentTarget.value) })}
          >
            {SEVERITIES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

function pick<T extends string>(options: readonly (readonly [T, string])[], chosen: string): T {
  const found = options.find(([value]) => value === chosen);
  if (found === undefined) throw new Error(`no such choice: ${chosen}`);
  return found[0];
}
