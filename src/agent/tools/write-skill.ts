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
      'Use this to save what you learned as a skill for later conversations, or to replace the text of a skill that an ' +
      'agent wrote. Write for a reader who knows nothing about this conversation: when to use the skill, the steps that ' +
      'worked, pitfalls, and how to check the result. Leave out secrets and anything that is true only today. ' +
      'Returns create_skill:<name> or update_skill:<name>.',
    annotations: { ...WRITING, idempotentHint: true },
    input: {
      name: textField('Lowercase letters, digits and hyphens. To replace the text of an existing skill, use its name.'),
      description: textField('One line of at most 1024 characters: what the skill does, and when to use it.'),
      content: textField('The complete instructions, as Markdown without frontmatter.'),
    },
    output: outputSchema({ name: TEXT, path: TEXT, action: TEXT, output: OUTPUT }),
    async execute({ name, description, content }) {
      if (content.trim() === '')
        return fail('SKILL_INVALID', 'the content is empty', 'Pass the complete instructions as `content`.');
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
