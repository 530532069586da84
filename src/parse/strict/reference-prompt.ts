/** A skill in the prompt of the reference tool. */
export interface PromptEntry {
  readonly name: string;
  readonly description: string;
  /** Absolute path of the SKILL.md. */
  readonly location: string;
}

/** The `<available_skills>` block of the reference tool, with every tag and every value on its own line. */
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

/** Escapes the same five characters as the reference tool, the same way. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');
}
