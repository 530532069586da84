import type { JSX } from 'preact';

interface TextFieldProps {
  readonly label: string;
  /** An example. */
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A line of text with its label. */
export function TextField({ label, hint, value, onChange }: TextFieldProps): JSX.Element {
  return (
    <label class="field">
      {label}
      <input
        type="text"
        autocomplete="off"
        maxLength={100}
        placeholder={hint}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
