import { defineAgentTool, READ_ONLY } from '../agent/agent-tool.ts';
import { optional, textField } from '../agent/tool-fields.ts';
import { outputSchema } from '../agent/tool-output.ts';
import { answerPrompt, noteAsked } from '../engine/prompt-hook.ts';
import { SUGGEST_TOOL } from '../model/suggest-tool.ts';
import type { HintOptions } from './server-options.ts';
import type { ServedTool } from './toolset-tools.ts';

/** Answers the prompt hook of a host, in its form. The answer is empty in most cases, and whenever anything is wrong. */
export function suggestTool({ host, skills }: HintOptions): ServedTool {
  // Without a schema of its output: a host that sees one wants structured data, and takes no text.
  const { outputSchema: _, ...tool } = defineAgentTool({
    name: SUGGEST_TOOL,
    title: 'Suggest a skill',
    description: 'Only for the hook of the program that you run in. Do not call it: search_skills answers you.',
    annotations: READ_ONLY,
    input: {
      prompt: textField('The message of the user.'),
      session: optional(textField('The id of the conversation.')),
      transcript: optional(textField('The file of the conversation.')),
    },
    output: outputSchema({}),
    async execute({ prompt, session = '', transcript }) {
      await skills.refreshIfChanged();
      const output = await answerPrompt(skills, host, { kind: 'prompt', prompt, session, transcript });
      noteAsked(skills, host, output === '' ? 'nothing' : 'spoke');
      return { ok: true, title: 'answered', metadata: {}, output };
    },
  });
  return tool;
}
