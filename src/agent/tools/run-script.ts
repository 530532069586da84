import { resolve } from 'node:path';

import { refuseOutside } from '../../activate/script-inputs.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../../platform/sandbox/run-sandboxed.ts';
import { defineAgentTool, WRITING, type AgentTool } from '../agent-tool.ts';
import { hasRun } from '../script-result.ts';
import { readWritten, renderScriptRun } from '../script-text.ts';
import { nameField, optional, textField, textsField } from '../tool-fields.ts';
import { COUNT, FLAG, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { findVisible, lookTwice, type LiveCatalog } from '../visible-skills.ts';

export interface RunScriptOptions {
  /** A folder in which scripts work, and which they may change. By default each works in a copy of its skill. */
  readonly workspace?: string | undefined;
  /** A folder to which the files that a script wrote are copied. */
  readonly saveTo?: string | undefined;
  readonly network?: boolean | readonly string[] | undefined;
  readonly env?: readonly string[] | undefined;
}

export function runScriptTool(
  skills: LiveCatalog & Pick<Skills, 'scripts' | 'environment'>,
  { workspace, saveTo, network, env }: RunScriptOptions = {},
): AgentTool {
  return defineAgentTool({
    name: 'run_skill_script',
    title: 'Run a script of a skill',
    description:
      'Runs a script of a skill, when the instructions of the skill say so. Returns the exit code, what it printed, and ' +
      'the files it wrote. ' +
      (workspace === undefined
        ? 'The script sees its skill and the files in inputs, and no network.'
        : `The script works in ${workspace} and may write there; it has no network.`),
    annotations: { ...WRITING, openWorldHint: true },
    input: {
      name: nameField(),
      script: textField('The script, such as scripts/report.py.'),
      args: optional(textsField('Arguments, one string each; no shell reads them.')),
      inputs: optional(
        textsField('Files and folders of the workspace that the script needs, also those named in args.'),
      ),
    },
    output: outputSchema(
      {
        skill: TEXT,
        script: TEXT,
        succeeded: FLAG,
        exitCode: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        ended: TEXT,
        isolation: TEXT,
        truncated: FLAG,
        output: OUTPUT,
        outputDir: TEXT,
        files: { type: 'array', items: outputSchema({ path: TEXT, size: COUNT, digest: TEXT }) },
      },
      ['outputDir', 'files'],
    ),
    async execute({ name, script, args, inputs = [] }, { signal, onOutput }) {
      const found = await lookTwice(skills, () => findVisible(skills, name));
      if (!found.ok) return found;
      const skill = found.skill.name;
      const { cwd, home } = skills.environment;
      const dir = resolve(cwd, workspace ?? '');
      const refusal = refuseOutside(inputs, { dir, home });
      if (refusal !== undefined) return refusal;
      const outcome = await skills.scripts.run(skill, script, {
        args,
        inputs,
        cwd: dir,
        workspace: workspace === undefined ? undefined : dir,
        network,
        env,
        signal,
        onOutput: onOutput && ((_stream, text) => onOutput(text)),
      });
      if (!hasRun(outcome)) return outcome;
      const written = workspace === undefined ? readWritten(outcome) : [];
      const chosen = workspace === undefined ? saveTo && resolve(cwd, saveTo) : dir;
      const saved =
        saveTo === undefined || outcome.files.length === 0 ? undefined : outcome.saveTo(resolve(cwd, saveTo));
      if (saved?.ok === true) outcome.dispose();
      const output = renderScriptRun(outcome, written, {
        args: args ?? [],
        inputs,
        inputDir: workspace === undefined ? dir : undefined,
        home,
        savedTo: saved?.ok === false ? undefined : chosen,
        problem: saved?.ok === false ? saved.message : undefined,
      });
      return toResult(outcome, output, {
        skill,
        script,
        outputDir: saved?.ok === true ? resolve(cwd, saveTo ?? '') : outcome.outputDir,
      });
    },
  });
}

/** A failed script is still a result: the model needs its output. */
function toResult(
  outcome: ScriptOutcome & ScriptRun,
  output: string,
  { skill, script, outputDir }: { readonly skill: string; readonly script: string; readonly outputDir: string },
): Outcome<ToolResult> {
  const { exitCode, signal, ended, isolation, truncated, files } = outcome;
  return {
    ok: true,
    title: `${skill}: ${script} ${outcome.ok ? 'succeeded' : 'failed'}`,
    metadata: {
      skill,
      script,
      succeeded: outcome.ok,
      exitCode,
      signal,
      ended,
      isolation,
      truncated,
      ...(files.length > 0 ? { files, outputDir } : {}),
    },
    output,
  };
}
