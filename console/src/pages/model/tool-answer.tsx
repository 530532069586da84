import type { JSX } from 'preact';

import type { Reads } from '../../lib/answers.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Trouble } from '../../parts/trouble.tsx';

/** The answer that a model gets from a tool, word for word. */
export function ToolAnswer(call: Reads['model/answer']['input']): JSX.Element | null {
  const { value, failure } = useRead('model/answer', call);
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return null;
  const { answer } = value;
  if (answer === undefined) return <p class="muted">A model has this tool once there is a skill.</p>;
  return (
    <>
      <p class="muted">
        The model reads {counted(answer.tokens, 'token')}
        {answer.isError && ', as a failure'}:
      </p>
      <pre class="catalog-text" tabIndex={0} aria-label={`Answer of ${call.tool}`}>
        {visible(answer.text)}
      </pre>
    </>
  );
}
