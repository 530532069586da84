import { Tool } from '@agent/tools';
import { z } from 'zod';

/** Counts words. Replace this with the work of the skill. */
const countWords = Tool.define('count-words', {
  description: 'Counts the words of a text.',
  parameters: z.object({ text: z.string().describe('The text to count in.') }),
  execute: ({ text }) => {
    const count = text.split(/\s+/).filter((word) => word !== '').length;
    return { title: 'Words counted', metadata: { count }, output: `${count} words` };
  },
});

export const tools = [countWords];
