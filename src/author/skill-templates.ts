import { placeholderDescription } from '../parse/strict/template-text.ts';
import { readOwnBytes } from '../platform/files/files.ts';
import type { StagedFile } from '../platform/files/write-folder.ts';
import { packageFile } from '../platform/package-file.ts';
import type { SkillDraft } from './skill-draft.ts';

export const TEMPLATES = ['basic', 'script', 'toolset', 'reference'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export interface TemplateInput {
  readonly name: string;
  /** By default a sentence that asks for one. */
  readonly description?: string | undefined;
}

/** An operation to try on a skill; each surface writes it its own way. */
export type TemplateStep =
  | { readonly operation: 'validate'; readonly dir: string }
  | { readonly operation: 'trust' | 'load' | 'resources'; readonly skill: string }
  | { readonly operation: 'run'; readonly skill: string; readonly script?: string; readonly args?: readonly string[] }
  | { readonly operation: 'read'; readonly url: string };

/** A starter skill. It is valid as is, and its script or tool runs. */
export interface FilledTemplate {
  readonly draft: SkillDraft;
  readonly files: readonly StagedFile[];
  readonly tries: readonly TemplateStep[];
}

/** Fills the template in `data/templates/<template>`: `instructions.md` with the title, the other files as they are. */
export function fillTemplate(template: TemplateName, { name, description }: TemplateInput): FilledTemplate {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  const { toolsets, files = [], tries } = KINDS[template];
  return {
    draft: {
      name,
      description: description ?? placeholderDescription(name),
      body: readTemplate(`${template}/instructions.md`)
        .toString()
        .replace('{{title}}', () => title),
      toolsets,
    },
    files: [
      ...files.map((path) => {
        const bytes = readTemplate(`${template}/${path}`);
        return { path, bytes, executable: bytes.toString('latin1', 0, 2) === '#!' };
      }),
      { path: 'evals/evals.yaml', bytes: readTemplate('evals.yaml'), executable: false },
    ],
    tries: tries(name),
  };
}

function readTemplate(path: string): Buffer {
  const bytes = readOwnBytes(packageFile(`data/templates/${path}`));
  if (bytes === undefined) throw new Error(`the package lacks data/templates/${path}`);
  return bytes;
}

interface TemplateKind {
  readonly toolsets?: readonly string[];
  readonly files?: readonly string[];
  readonly tries: (skill: string) => readonly TemplateStep[];
}

const KINDS: Readonly<Record<TemplateName, TemplateKind>> = {
  basic: { tries: (skill) => [{ operation: 'load', skill }] },
  script: {
    files: ['scripts/count.sh'],
    tries: (skill) => [{ operation: 'run', skill, script: 'scripts/count.sh', args: ['--', 'one', 'two'] }],
  },
  toolset: {
    toolsets: ['toolsets/index:tools'],
    files: ['toolsets/index.ts', 'toolsets/index.test.ts'],
    tries: (skill) => [
      { operation: 'run', skill },
      { operation: 'run', skill, script: 'count-words', args: ['--args', JSON.stringify({ text: 'one two' })] },
    ],
  },
  reference: {
    files: ['references/details.md'],
    tries: (skill) => [
      { operation: 'resources', skill },
      { operation: 'read', url: `skill://${skill}/references/details.md` },
    ],
  },
};
