import type { StagedFile } from '../platform/files/staging-folder.ts';
import { firstEval } from './first-eval.ts';
import type { SkillDraft } from './skill-draft.ts';

export const TEMPLATES = ['basic', 'script', 'toolset', 'reference'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export interface TemplateInput {
  readonly name: string;
  /** By default a sentence that asks for one. */
  readonly description?: string | undefined;
}

/** An operation to try on a skill; each surface writes it its own way. */
export type NextStep =
  | { readonly operation: 'validate'; readonly dir: string }
  | { readonly operation: 'trust' | 'load' | 'tools' | 'resources' | 'eval'; readonly skill: string }
  | { readonly operation: 'run'; readonly skill: string; readonly script: string; readonly args: readonly string[] }
  | { readonly operation: 'call'; readonly skill: string; readonly tool: string; readonly args: object }
  | { readonly operation: 'read'; readonly url: string };

/** A skill to start from. It is valid as it is, and its script or tool runs. */
export interface FilledTemplate {
  readonly draft: SkillDraft;
  readonly files: readonly StagedFile[];
  readonly tries: readonly NextStep[];
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
    files: [
      ...(file === undefined
        ? []
        : [{ path: file.path, bytes: Buffer.from(file.text), executable: file.text.startsWith('#!') }]),
      firstEval({ name, description }),
    ],
    tries: [...tries(name), { operation: 'eval', skill: name }],
  };
}

const PURPOSE = 'One or two sentences: what exists when this is done, and how to tell that it is right.';

const BASIC_BODY = `## Before you start

- What you must know or have, and how to check it.
- What to ask the user if something is missing.

## Steps

1. Do the first thing.
2. Do the second thing. If it fails with a known message, do this instead.

## Never

- The most costly mistake, and why it is one.

## Check

- What to look at to confirm that the result is right.
`;

const SCRIPT_BODY = `## Steps

1. Run \`scripts/count.sh\` with the words to count. It prints their number:

   \`\`\`text
   2 words
   \`\`\`

2. Say what to do with the result.

## When the script fails

- Exit code 2: it got no words. Ask the user what to count.
`;

const SCRIPT = `#!/usr/bin/env bash
# Counts the words it is given. Replace this with the work of the skill. The script runs in the skill's directory;
# files that it writes to $SKILL_OUTPUT_DIR are handed to the caller.
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

/** Counts words. Replace this with the work of the skill. */
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

- What to look at to confirm that the result is right.
`;

const REFERENCE = `# Details

Keep here what only some tasks need, so that the others do not pay for it: tables, formats, rare cases.

## A rare case

What it looks like, and what to do.
`;

interface TemplateKind {
  readonly body: string;
  readonly toolsets?: readonly string[];
  readonly file?: { readonly path: string; readonly text: string };
  readonly tries: (skill: string) => readonly NextStep[];
}

const KINDS: Readonly<Record<TemplateName, TemplateKind>> = {
  basic: { body: BASIC_BODY, tries: (skill) => [{ operation: 'load', skill }] },
  script: {
    body: SCRIPT_BODY,
    file: { path: 'scripts/count.sh', text: SCRIPT },
    tries: (skill) => [{ operation: 'run', skill, script: 'scripts/count.sh', args: ['one', 'two'] }],
  },
  toolset: {
    body: TOOLSET_BODY,
    toolsets: ['toolsets/index:tools'],
    file: { path: 'toolsets/index.ts', text: TOOLSET },
    tries: (skill) => [
      { operation: 'tools', skill },
      { operation: 'call', skill, tool: 'count-words', args: { text: 'one two' } },
    ],
  },
  reference: {
    body: REFERENCE_BODY,
    file: { path: 'references/details.md', text: REFERENCE },
    tries: (skill) => [
      { operation: 'resources', skill },
      { operation: 'read', url: `skill://${skill}/references/details.md` },
    ],
  },
};
