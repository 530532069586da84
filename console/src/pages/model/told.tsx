import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Reads, ToldTool } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Choice } from '../../parts/choice.tsx';
import { Link } from '../../parts/link.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { ToolAnswer } from './tool-answer.tsx';

type Client = Reads['model/told']['input']['client'];

/** The text that our MCP server gives a client. */
export function Instructions({ client }: { readonly client: Client }): JSX.Element | null {
  const { value, failure } = useRead('model/told', { client });
  const title = useSession().hosts.find(({ id }) => id === client)?.title;
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return null;
  return (
    <>
      <p>
        The client adds this text to every conversation: <strong>{counted(value.tokens, 'token')}</strong>.
        {title !== undefined && ` Skills that ${title} reads from its own folders are not told again.`}
      </p>
      <pre class="catalog-text" tabIndex={0} aria-label="Instructions of the MCP server">
        {visible(value.text)}
      </pre>
    </>
  );
}

/** The tools as a model is told of them. Those that only read can be tried. */
export function Tools({ client }: { readonly client: Client | undefined }): JSX.Element | null {
  const { value, failure } = useRead('model/tools', { client });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return null;
  return (
    <section class="section">
      <h2>Tools</h2>
      <p class="muted">
        Try them: the answers are those that a model gets, and nothing is recorded as a use.{' '}
        <Link page="lab">Search lab</Link> shows why a skill is found.
      </p>
      {value.tools.map((tool) => (
        <section key={tool.name} class="section tool-told" aria-label={tool.name}>
          <h3 class="mono">{tool.name}</h3>
          <p>{visible(tool.description)}</p>
          <Trial tool={tool} client={client} loadable={value.loadable} />
        </section>
      ))}
    </section>
  );
}

interface TrialProps {
  readonly tool: ToldTool;
  readonly client: Client | undefined;
  readonly loadable: readonly string[];
}

function Trial({ tool, client, loadable }: TrialProps): JSX.Element {
  const { task = '', skill = '' } = route.value.params;
  switch (tool.name) {
    case 'list_skills':
      return <ListTrial client={client} />;
    case 'search_skills':
      return (
        <>
          <label class="field">
            <Fields tool={tool} />
            <input
              value={task}
              placeholder="Fill in this form for the tax office…"
              onInput={({ currentTarget }) => choose({ task: currentTarget.value })}
            />
          </label>
          {task.trim() !== '' && <ToolAnswer client={client} tool="search_skills" about={task} />}
        </>
      );
    case 'load_skill':
      return (
        <>
          <Fields tool={tool} />
          <Choice
            label="Skill to load"
            all="Choose a skill…"
            value={skill}
            options={loadable.map((name) => [name, visible(name)])}
            onChoose={(name) => choose({ skill: name })}
          />
          {skill !== '' && <ToolAnswer client={client} tool="load_skill" about={skill} />}
        </>
      );
    default:
      return <Fields tool={tool} />;
  }
}

/** Asked only when it is wanted: the list of thousands of skills is long. */
function ListTrial({ client }: Pick<TrialProps, 'client'>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Its answer</summary>
      {isOpen && <ToolAnswer client={client} tool="list_skills" />}
    </details>
  );
}

function Fields({ tool: { fields } }: Pick<TrialProps, 'tool'>): JSX.Element {
  return (
    <>
      {fields.map(({ name, text }) => (
        <span key={name} class="tool-field">
          <span class="mono">{name}</span> <span class="muted">{visible(text)}</span>
        </span>
      ))}
    </>
  );
}
