import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOPICS = ['invoices', 'deployments', 'databases', 'charts', 'translations', 'tests', 'reviews', 'releases'];
const VERBS = ['Prepare', 'Check', 'Convert', 'Summarise', 'Repair', 'Compare', 'Draft', 'Publish'];

/** `count` plain skills of about 2.3 KB below `root`; the same every time. */
export function generateSkills(root: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const dir = join(root, `skill-${index}`);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'SKILL.md'), skillText(index));
  }
}

function skillText(index: number): string {
  const topic = TOPICS[index % TOPICS.length] ?? '';
  const verb = VERBS[Math.floor(index / TOPICS.length) % VERBS.length] ?? '';
  const paragraph = `Work through the ${topic} in order, note what number ${index} needs, and ask before anything is sent.\n`;
  return [
    '---',
    `name: skill-${index}`,
    `description: ${verb} ${topic} of kind ${index}. Use when someone mentions ${topic}, asks to ${verb.toLowerCase()} them, or shares a file of kind ${index}.`,
    'license: MIT',
    'metadata:',
    '  author: bench',
    `  version: "1.${index}"`,
    '---',
    '',
    `# ${verb} ${topic} ${index}`,
    '',
    paragraph.repeat(20),
  ].join('\n');
}
