import type { StagedFile } from '../platform/files/staging-folder.ts';
import type { SkillDraft } from './skill-draft.ts';

export const TEMPLATES = ['basic', 'script', 'toolset', 'reference'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export interface TemplateInput {
  readonly name: string;
  /** Without it a sentence stands there that asks for one. */
  readonly description?: string | undefined;
}

/** A new skill to start from: it is valid as it is, and what it brings runs. */
export interface FilledTemplate {
  readonly draft: SkillDraft;
  readonly files: readonly StagedFile[];
  /** What to try next, as command lines after `skillplane`. */
  readonly tries: readonly string[];
}

export function fillTemplate(template: TemplateName, { name, description }: TemplateInput): FilledTemplate {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  const { body, toolsets, file, tries } = KINDS[template];
  return {
    draft: {
      name,
      description: description ?? `Describe what ${name} does, and when an agent should use it.`,
      body: `# ${title}\n\n${PURPOSE}\n\n${body}`,
      toolsets,
    },
    files:
      file === undefined ? [] : [{ ...file, bytes: Buffer.from(file.text), executable: file.text.startsWith('#!') }],
    tries: tries(name),
  };
}

const PURPOSE = 'One or two sentences: what exists when this is done, and how one sees that it is right.';

const BASIC_BODY = `## Before you start

- What must be known or present, and how to check it.
- What to ask the user if it is missing.

## Steps

1. Do the first thing.
2. Do the second thing. If it fails with a typical message, do this instead.

## Never

- The mistake that costs most, and why.

## Check

- What to look at to see that the result is right.
`;

const SCRIPT_BODY = `## Steps

1. Run \`scripts/count.sh\` with the words to count. It prints how many there are:

   \`\`\`text
   2 words
   \`\`\`

2. Say what to do with the result.

## When the script fails

- Exit code 2: it was given nothing. Ask the user what to count.
`;

const SCRIPT = `#!/usr/bin/env bash
# Counts the words it is given: replace this by the work of the skill. It runs in the skill's directory; what it writes
# to the folder $SKILL_OUTPUT_DIR is handed over.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: count.sh <word>..." >&2
  exit 2
fi

echo "$# words"
`;

const TOOLSET_BODY = `## Tools

- \`count-words\` counts the words of a text. Call it instead of counting yourself.

## Steps

1. Call the tool.
2. Say what to do with the result.
`;

const TOOLSET = `import { Tool } from '@agent/tools';
import { z } from 'zod';

/** Counts words: replace this by the work of the skill. */
const countWords = Tool.define('count-words', {
  description: 'Counts the words of a text.',
  parameters: z.object({ text: z.string().describe('The text to count in.') }),
  execute: ({ text }) => {
    const count = text.split(/\\s+/).filter((word) => word !== '').length;
    return { title: 'Words counted', metadata: { count }, output: \`\${count} words\` };
  },
});

export const tools = [countWords];
`;

const REFERENCE_BODY = `## Steps

1. Do the first thing.
2. For the rarer case, read \`references/details.md\` first.

## Where to read more

| file | read it when |
| --- | --- |
| \`references/details.md\` | the task needs more than the steps above |

## Check

- What to look at to see that the result is right.
`;

const REFERENCE = `# Details

What is needed now and then only, so that it does not cost every task that uses the skill: tables, formats, rare cases.

## A rare case

What it looks like, and what to do.
`;

interface TemplateKind {
  readonly body: string;
  readonly toolsets?: readonly string[];
  readonly file?: { readonly path: string; readonly text: string };
  readonly tries: (name: string) => readonly string[];
}

const KINDS: Readonly<Record<TemplateName, TemplateKind>> = {
  basic: { body: BASIC_BODY, tries: (name) => [`load ${name}`] },
  script: {
    body: SCRIPT_BODY,
    file: { path: 'scripts/count.sh', text: SCRIPT },
    tries: (name) => [`run ${name} scripts/count.sh -- one two`],
  },
  toolset: {
    body: TOOLSET_BODY,
    toolsets: ['tools/index:tools'],
    file: { path: 'tools/index.ts', text: TOOLSET },
    tries: (name) => [`tools ${name}`, `call ${name} count-words --args '{"text":"one two"}'`],
  },
  reference: {
    body: REFERENCE_BODY,
    file: { path: 'references/details.md', text: REFERENCE },
    tries: (name) => [`resources ${name}`, `read skill://${name}/references/details.md`],
  },
};
