import { openSkills } from 'skillplane';
import { agentTools } from 'skillplane/agent';
import { toAiSdkTool, toolSet } from 'skillplane/ai-sdk';

const skills = await openSkills({ dirs: ['./skills'] });

// #region toolSet
{
  const tools = toolSet(skills, { list: true }); // for `tools` of generateText and streamText
  console.log(Object.keys(tools).includes('list_skills')); // true
}
// #endregion

// #region toAiSdkTool
{
  const [first] = agentTools(skills);
  const tools = first === undefined ? {} : { [first.name]: toAiSdkTool(first) };
  console.log(Object.keys(tools)); // [ 'load_skill' ]
}
// #endregion

await skills.close();
