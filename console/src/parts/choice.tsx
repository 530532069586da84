import type { JSX } from 'preact';

interface ChoiceProps {
  readonly label: string;
  /** The text while nothing is chosen. */
  readonly all: string;
  readonly value: string;
  /** Values with their texts. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

/** A filter: one of several, or all. */
export function Choice({ label, all, value, options, onChoose }: ChoiceProps): JSX.Element {
  return (
    <select
      class={value === '' ? 'choice' : 'choice chosen'}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      <option value="">{all}</option>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
