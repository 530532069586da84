import { Tool } from 'skillplane/toolset';
import { z } from 'zod';

// #region Tool
{
  const add = Tool.define('add', {
    description: 'Adds two numbers.',
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => ({ title: `${a} + ${b}`, output: String(a + b) }),
  });
  const answer = await add.execute({ a: 1, b: 2 });
  console.log(answer.ok && answer.output); // 3
}
// #endregion
