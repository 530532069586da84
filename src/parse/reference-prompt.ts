/** A skill as the reference tool's prompt shows it. */
export interface PromptEntry {
  readonly name: string;
  readonly description: string;
  /** Absolute path of the SKILL.md. */
  readonly location: string;
}

/** The `<available_skills>` block of the reference tool: every tag and every value on a line of its own. */
export function renderReferencePrompt(entries: readonly PromptEntry[]): string {
  const lines = entries.flatMap(({ name, description, location }) => [
    '<skill>',
    ...element('name', name),
    ...element('description', description),
    ...element('location', location),
    '</skill>',
  ]);
  return ['<available_skills>', ...lines, '</available_skills>'].join('\n');
}

function element(tag: string, text: string): readonly string[] {
  return [`<${tag}>`, escapeMarkup(text), `</${tag}>`];
}

/** The five entities, as the reference tool spells them. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}
