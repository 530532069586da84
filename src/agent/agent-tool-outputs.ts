import type { WrittenFile } from '../platform/sandbox/working-folder.ts';

/** The structured answers of our tools, by name. `output` is the text that the model gets. */
export interface AgentToolOutputs {
  readonly list_skills: { readonly count: number; readonly output: string };
  readonly load_skill: {
    readonly name: string;
    readonly dir: string;
    readonly digest: string;
    readonly tokens: number;
    readonly isRepeated: boolean;
    readonly output: string;
  };
  readonly search_skills: {
    readonly results: readonly FoundSkill[];
    readonly partial?: readonly string[];
    readonly output: string;
  };
  readonly read_skill_resource: {
    readonly url: string;
    readonly contentType: string;
    readonly size: number;
    readonly output: string;
  };
  readonly run_skill_script: {
    readonly skill: string;
    readonly script: string;
    readonly succeeded: boolean;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly ended: string;
    readonly isolation: string;
    readonly truncated: boolean;
    /** Where its files are, if it wrote any. */
    readonly outputDir?: string;
    readonly files?: readonly WrittenFile[];
    readonly output: string;
  };
  readonly write_skill: {
    readonly name: string;
    readonly path: string;
    readonly action: 'created' | 'updated';
    readonly output: string;
  };
}

interface FoundSkill {
  readonly name: string;
  readonly description: string;
  readonly score: number;
  readonly confidence: number;
  readonly weak?: boolean;
  readonly reasons: readonly string[];
}
