/** Begins every hint of the prompt hook. Readers of transcripts find hints by it, so it never changes. */
export const HINT_MARK = '[skillplane]';
