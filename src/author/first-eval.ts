import type { StagedFile } from '../platform/files/write-folder.ts';

/** The skill as it is about to be created. */
export interface PlannedSkill {
  readonly name: string;
  readonly description?: string | undefined;
}

/** A file of requests for a new skill. They find it as it is; its author replaces them with real ones. */
export function firstEval({ name, description }: PlannedSkill): StagedFile {
  const asked = [name, ...(description === undefined ? [] : [firstSentence(description)])];
  const text = [
    '# Requests as users write them. `skillplane eval` says which of them find this skill, and which words would help.',
    'should_trigger:',
    ...asked.map(toItem),
    '# Requests that are close, but belong to other skills or to none.',
    'should_not_trigger:',
    toItem(chooseForeign(`${name} ${description ?? ''}`)),
    '',
  ];
  return { path: 'evals/evals.yaml', bytes: Buffer.from(text.join('\n')), executable: false };
}

function firstSentence(description: string): string {
  return (/^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description).replaceAll(/\s+/g, ' ').trim();
}

/** A JSON string is a YAML string, too. */
function toItem(request: string): string {
  return `  - ${JSON.stringify(request)}`;
}

const FOREIGN = ['Sing a lullaby about the moon.', 'Which horse won yesterday?', 'How deep is that lake?'] as const;

/** A request that shares no word with the skill. */
function chooseForeign(text: string): string {
  const known = new Set(wordsOf(text));
  return FOREIGN.find((request) => wordsOf(request).every((word) => !known.has(word))) ?? FOREIGN[0];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
