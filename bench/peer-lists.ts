import type { Skill } from '../src/model/skill.ts';

/**
 * The lists that other agent frameworks write into a prompt, in their documented form. The forms were read in these versions of their
 * packages; none of the packages is loaded here. None of them has a budget: every description is whole, whatever it costs.
 * Descriptions are on one line here, so that they can be read back.
 */
export const PEER_LISTS: Readonly<
  Record<string, (skills: readonly Pick<Skill, 'name' | 'description' | 'file' | 'source'>[]) => string>
> = {
  'Mastra 1.71.0': (skills) =>
    [
      '<available_skills>',
      ...skills.map(
        ({ name, description, file, source }) =>
          `  <skill>\n    <name>${escapeXml(name)}</name>\n    <description>${escapeXml(description)}</description>\n` +
          `    <location>${escapeXml(file)}</location>\n    <source>${escapeXml(source)}</source>\n  </skill>`,
      ),
      '</available_skills>',
    ].join('\n'),
  // Without the lines about allowed tools and modules, which few skills have.
  'deepagents 1.14.1': (skills) =>
    [
      // Its words before and after the list.
      ' '.repeat(2_000),
      ...skills.map(
        ({ name, description, file }) => `- **${name}**: ${description}\n  → Read \`${file}\` for full instructions`,
      ),
    ].join('\n'),
  // Its list is part of the description of its tool.
  'bash-tool 1.3.19': (skills) =>
    [
      // Its words before and after the list.
      ' '.repeat(280),
      ...skills.map(({ name, description }) => `  - skill(${JSON.stringify(name)}): ${description}`),
    ].join('\n'),
};

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
