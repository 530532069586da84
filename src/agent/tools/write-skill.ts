import { harmlessLine } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { fail } from '../../model/outcome.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { textField } from '../tool-fields.ts';

/** Lets a model keep what it learned: it creates skills, and changes those that agents wrote. */
export function writeSkillTool(skills: Pick<Skills, 'writing'>): AgentTool {
  return defineAgentTool('write_skill', {
    description:
      'Keeps what you learned as a skill for later conversations, or replaces the text of a skill that an agent wrote. ' +
      'Write it for somebody who knows nothing of this conversation: when to use it, the steps that worked, pitfalls, ' +
      'how to check the result. No secrets, nothing that holds only today.',
    fields: {
      name: textField('Lowercase letters, digits and hyphens; of a skill that is there, to replace its text.'),
      description: textField('One line: what the skill does, and when to use it. At most 1024 characters.'),
      content: textField('The whole instructions, as Markdown without frontmatter.'),
    },
    async execute({ name, description, content }) {
      if (content.trim() === '') return fail('SKILL_INVALID', 'the content is empty; give the whole instructions');
      const written = await skills.writing.putByAgent({ name, description, body: content });
      if (!written.ok) return written;
      const { id, path, action, leftOut = [] } = written;
      const answer = `${action === 'created' ? 'create_skill' : 'update_skill'}:${id}`;
      const note = `The content began with a frontmatter; of it these fields were left out: ${leftOut.map(harmlessLine).join(', ')}`;
      return {
        ok: true,
        title: answer,
        metadata: { name: id, path, action },
        output: leftOut.length === 0 ? answer : `${answer}\n${note}`,
      };
    },
  });
}
