import { defineAgentTool, READ_ONLY } from '../agent/agent-tool.ts';
import { optional, textField } from '../agent/tool-fields.ts';
import { outputSchema } from '../agent/tool-output.ts';
import type { OfferedTool } from '../agent/toolset-tools.ts';
import { answerPrompt, noteAsked } from '../engine/prompt-hook.ts';
import { SUGGEST_TOOL } from '../model/suggest-tool.ts';
import type { HintOptions } from './server-options.ts';

/** Answers the prompt hook of a host, in its form. The answer is empty in most cases, and whenever anything is wrong. */
export function suggestTool({ host, skills }: HintOptions): OfferedTool {
  // Without a schema of its output: a host that sees one wants structured data, and takes no text.
  const { outputSchema: _, ...tool } = defineAgentTool({
    name: SUGGEST_TOOL,
    title: 'Suggest a skill',
    description: 'For the hook of the program that you run in: do not call it.',
    annotations: READ_ONLY,
    input: {
      prompt: textField(),
      // The id and the file of the conversation.
      session: optional(textField()),
      transcript: optional(textField()),
    },
    output: outputSchema({}),
    async execute({ prompt, session = '', transcript }) {
      await skills.refreshIfChanged();
      const event = { kind: 'prompt', prompt, session, transcript } as const;
      const output = await answerPrompt(skills, host, event, { canLoad: true });
      noteAsked(skills, host, output === '' ? 'nothing' : 'spoke');
      return { ok: true, title: 'answered', metadata: {}, output };
    },
  });
  return tool;
}
