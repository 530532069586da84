import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { visibleText } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import type { Failure, Outcome } from '../../model/outcome.ts';
import type { ScriptOutcome, ScriptRun } from '../../platform/sandbox/run-sandboxed.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { explainToModel, hasRun } from '../script-result.ts';
import { cutMiddle } from '../text-page.ts';
import { optional, textField, textsField } from '../tool-fields.ts';
import { findVisible } from '../visible-skills.ts';

/** Of each stream, in characters. */
const MAX_STREAM_LENGTH = 20_000;
const MAX_LISTED_OUTPUTS = 50;

const FIELDS = {
  name: textField('The name of the skill.'),
  script: textField('The script, by its path inside the skill or its name in scripts/.'),
  args: optional(textsField('Its arguments, one text each; no shell reads them.')),
};

export function runScriptTool(skills: Pick<Skills, 'catalog' | 'scripts'>): AgentTool {
  return defineAgentTool('run_skill_script', {
    description:
      'Runs a script of a skill and gives its exit code and what it printed. Use it where the instructions of a skill ' +
      'say so. The script starts in the skill directory, has no network and writes to its own output folder.',
    fields: FIELDS,
    async execute({ name, script, args }, signal, onOutput) {
      const found = findVisible(skills, name);
      if (!found.ok) return found;
      const skill = found.skill.name;
      const outcome = await skills.scripts.run(skill, script, {
        args,
        signal,
        onOutput: onOutput && ((_stream, text) => onOutput(text)),
      });
      if (!hasRun(outcome)) return explainToModel(outcome);
      if (outcome.outputs.length === 0) outcome.dispose();
      return present(outcome, { skill, script });
    },
  });
}

interface ScriptName {
  readonly skill: string;
  readonly script: string;
}

/** A script that ran has a result, whatever came of it: the model needs to see what it printed. */
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
    ...(truncated ? ['What it printed was cut: it was more than a script may print.'] : []),
  ];
  const streams = [renderStream('stdout', stdout), renderStream('stderr', stderr)].filter((text) => text !== '');
  return [head.join('\n'), ...(streams.length === 0 ? ['It printed nothing.'] : streams)].join('\n\n');
}

function describeEnd({ exitCode, message }: Failure & ScriptRun): string {
  return `exit code: ${exitCode ?? 'none'} (${message})`;
}

function listOutputs({ outputs, outputsCut, outputDir }: ScriptRun): readonly string[] {
  if (outputs.length === 0) return [];
  const shown = outputs.slice(0, MAX_LISTED_OUTPUTS);
  const isCut = outputsCut || shown.length < outputs.length;
  const files = shown.map(({ path, size }) => `- ${visibleText(path)} (${size} bytes)`);
  return [`It left these files in ${outputDir}:`, ...files, ...(isCut ? ['- and more, which are not listed'] : [])];
}

function renderStream(name: string, text: string): string {
  return text.trim() === '' ? '' : `${name}:\n${cutMiddle(text, MAX_STREAM_LENGTH).trimEnd()}`;
}
