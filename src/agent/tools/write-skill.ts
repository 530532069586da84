import { harmlessLine } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { fail } from '../../model/outcome.ts';
import { defineAgentTool, WRITING, type AgentTool } from '../agent-tool.ts';
import { textField } from '../tool-fields.ts';
import { OUTPUT, outputSchema, TEXT } from '../tool-output.ts';

/** Lets a model create skills, and change those that agents wrote. */
export function writeSkillTool(skills: Pick<Skills, 'writing'>): AgentTool {
  return defineAgentTool({
    name: 'write_skill',
    title: 'Write a skill',
    description:
      'Saves what you learned as a skill for later conversations, or replaces a skill that an agent wrote. Call it when ' +
      'the user asks for it, or after work that took several tries. Write for a reader who knows nothing of this ' +
      'conversation; no secrets, nothing that is true only today.',
    annotations: { ...WRITING, idempotentHint: true },
    input: {
      name: textField('Lowercase letters, digits and hyphens. The name of an existing skill replaces it.'),
      description: textField('One line: what the skill does, then "Use when …" with the words that users say.'),
      content: textField(
        'The whole instructions, as Markdown without frontmatter: steps that worked, pitfalls, how to check the result.',
      ),
    },
    output: outputSchema({ name: TEXT, path: TEXT, action: TEXT, output: OUTPUT }),
    async execute({ name, description, content }) {
      if (content.trim() === '')
        return fail('SKILL_INVALID', 'the content is empty', {
          give: 'content',
          aim: 'pass the complete instructions',
        });
      const written = await skills.writing.putByAgent({ name, description, body: content });
      if (!written.ok) return written;
      const { id, path, action, leftOut = [] } = written;
      const answer = `${action === 'created' ? 'create_skill' : 'update_skill'}:${id}`;
      const note = `The content began with frontmatter. These fields of it were ignored: ${leftOut.map(harmlessLine).join(', ')}`;
      return {
        ok: true,
        title: answer,
        metadata: { name: id, path, action },
        output: leftOut.length === 0 ? answer : `${answer}\n${note}`,
      };
    },
  });
}
