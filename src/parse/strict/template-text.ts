/** The sentences of our templates that their author must replace: `new` writes them, and `validate` finds those that are left. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'One or two sentences: what exists when this is done, and how to tell that it is right.',
  'What you must know or have, and how to check it.',
  'What to ask the user if something is missing.',
  'Do the first thing.',
  'Do the second thing. If it fails with a known message, do this instead.',
  'The most costly mistake, and why it is one.',
  'What to look at to confirm that the result is right.',
  'Say what to do with the result.',
]);

/** The description of a new skill whose author gave none. */
export function placeholderDescription(name: string): string {
  return `Describe what ${name} does, and when an agent should use it.`;
}

const DESCRIPTION = /^description: Describe what \S+ does, and when an agent should use it\.$/;
const LIST_MARK = /^\s*(?:[-*]|\d+\.)?\s*/;

/** The 1-based lines of a SKILL.md that a template wrote and its author did not replace. */
export function findTemplateText(text: string): readonly number[] {
  return text.split('\n').flatMap((line, at) => {
    const isLeft = DESCRIPTION.test(line) || PLACEHOLDERS.has(line.replace(LIST_MARK, '').trimEnd());
    return isLeft ? [at + 1] : [];
  });
}
