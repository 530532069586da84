import type { JSX } from 'preact';

interface AgentChecksProps {
  readonly label: string;
  readonly known: readonly { readonly id: string; readonly title: string }[];
  readonly chosen: readonly string[];
  readonly onChoose: (agents: readonly string[]) => void;
  readonly isReadOnly?: boolean;
}

/** Agents to choose from: a box each, or just the names of those that are chosen if nothing may be changed. */
export function AgentChecks({ label, known, chosen, onChoose, isReadOnly = false }: AgentChecksProps): JSX.Element {
  if (isReadOnly)
    return (
      <p>
        {known
          .filter(({ id }) => chosen.includes(id))
          .map(({ title }) => title)
          .join(', ') || 'No agent'}
      </p>
    );
  return (
    <div class="checks" role="group" aria-label={label}>
      {known.map(({ id, title }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={() => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
          />{' '}
          {title}
        </label>
      ))}
      {known.length === 0 && <span class="muted">No agent that we know is on this machine.</span>}
    </div>
  );
}
