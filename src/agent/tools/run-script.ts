import { resolve } from 'node:path';

import { refuseOutside } from '../../activate/script-inputs.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { visibleText } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { Failure, Outcome } from '../../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../../platform/sandbox/run-sandboxed.ts';
import { defineAgentTool, WRITING, type AgentTool } from '../agent-tool.ts';
import { hasRun } from '../script-result.ts';
import { cutMiddle } from '../text-page.ts';
import { optional, textField, textsField } from '../tool-fields.ts';
import { COUNT, FLAG, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { findVisible, lookTwice, type LiveCatalog } from '../visible-skills.ts';

/** Per stream. */
const MAX_STREAM_CHARACTERS = 20_000;
const MAX_LISTED_OUTPUTS = 50;

export interface RunScriptOptions {
  /** The folder whose files the model may give to scripts; by default where the engine was opened. */
  readonly workspace?: string | undefined;
}

export function runScriptTool(
  skills: LiveCatalog & Pick<Skills, 'scripts' | 'environment'>,
  { workspace }: RunScriptOptions = {},
): AgentTool {
  return defineAgentTool({
    name: 'run_skill_script',
    title: 'Run a script of a skill',
    description:
      "Use this when a skill's instructions tell you to run one of its scripts. The script starts in the skill directory; " +
      'it cannot count on network access, or on writing outside its own output folder. ' +
      'Returns the exit code, what the script printed, and the files it wrote.',
    annotations: { ...WRITING, openWorldHint: true },
    input: {
      name: textField('The name of the skill.'),
      script: textField('The path of the script inside the skill, or its name in scripts/.'),
      args: optional(textsField('Arguments for the script, one string each. No shell interprets them.')),
      inputs: optional(
        textsField(
          'Files and folders of the workspace that the script reads, such as those its arguments name. It can read no others. ' +
            'Relative paths count from the workspace.',
        ),
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
        outputs: { type: 'array', items: outputSchema({ path: TEXT, size: COUNT }) },
      },
      ['outputDir', 'outputs'],
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
        signal,
        onOutput: onOutput && ((_stream, text) => onOutput(text)),
      });
      if (!hasRun(outcome)) return outcome;
      if (outcome.outputs.length === 0) outcome.dispose();
      return present(outcome, { skill, script });
    },
  });
}

interface ScriptName {
  readonly skill: string;
  readonly script: string;
}

/** A script that ran is a result even if it failed: the model needs to see what it printed. */
function present(outcome: ScriptOutcome & ScriptRun, { skill, script }: ScriptName): Outcome<ToolResult> {
  const { exitCode, signal, ended, isolation, truncated, outputs, outputDir } = outcome;
  const isKept = outputs.length > 0;
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
      ...(isKept ? { outputs, outputDir } : {}),
    },
    output: render(outcome),
  };
}

function render(outcome: ScriptOutcome & ScriptRun): string {
  const { stdout, stderr, isolation, notes, truncated } = outcome;
  const head = [
    outcome.ok ? 'exit code: 0' : describeEnd(outcome),
    `isolation: ${[isolation, ...notes].join('; ')}`,
    ...listOutputs(outcome),
    ...(truncated ? ['The output was cut: the script printed more than is allowed.'] : []),
  ];
  const streams = [renderStream('stdout', stdout), renderStream('stderr', stderr)].filter((text) => text !== '');
  return [head.join('\n'), ...(streams.length === 0 ? ['The script printed nothing.'] : streams)].join('\n\n');
}

function describeEnd({ exitCode, message }: Failure & ScriptRun): string {
  return `exit code: ${exitCode ?? 'none'} (${message})`;
}

function listOutputs({ outputs, outputsCut, outputDir }: ScriptRun): readonly string[] {
  if (outputs.length === 0) return [];
  const shown = outputs.slice(0, MAX_LISTED_OUTPUTS);
  const isCut = outputsCut || shown.length < outputs.length;
  const files = shown.map(({ path, size }) => `- ${visibleText(path)} (${size} bytes)`);
  return [`Files written to ${outputDir}:`, ...files, ...(isCut ? ['- and more'] : [])];
}

function renderStream(name: string, text: string): string {
  return text.trim() === '' ? '' : `${name}:\n${cutMiddle(text, MAX_STREAM_CHARACTERS).trimEnd()}`;
}
