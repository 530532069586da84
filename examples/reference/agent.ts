import { loadAll, openSkills } from 'skillplane';
import {
  ActivationLedger,
  agentTools,
  callTool,
  expandSlashCommand,
  forAgent,
  listSkillsTool,
  loadSkillTool,
  resolvePinned,
  slashCommands,
  toAnthropicTool,
  toLangChainTool,
  toMastraTool,
  toMcpTool,
  toOpenAiChatTool,
  toOpenAiResponsesTool,
} from 'skillplane/agent';

const skills = await openSkills({ dirs: ['./skills'] });

// #region forAgent
{
  const clerk = await forAgent(skills, { system: 'You work in an office.', skills: ['pdf'], agent: 'clerk' });
  if (!clerk.ok) throw new Error(clerk.message);
  console.log(clerk.system.startsWith('You work in an office.')); // true
  console.log(clerk.tools.map(({ name }) => name)); // [ 'load_skill', 'search_skills', 'read_skill_resource' ]
}
// #endregion

// #region agentTools
{
  const tools = agentTools(skills, { run: true });
  const toConfirm = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  console.log(toConfirm.map(({ name }) => name)); // [ 'run_skill_script' ]
}
// #endregion

// #region listSkillsTool
{
  const { skills: pool } = await loadAll(['./skills']);
  const answer = await listSkillsTool(pool).execute({});
  console.log(answer.ok && answer.output.includes('pdf')); // true
}
// #endregion

// #region loadSkillTool
{
  const { skills: pool } = await loadAll(['./skills']);
  const answer = await loadSkillTool(pool).execute({ name: 'pdf' });
  console.log(answer.ok && answer.output.includes('Run scripts/fill.sh.')); // true
}
// #endregion

// #region callTool
{
  const { text, isError } = await callTool(agentTools(skills), { name: 'load_skill', args: '{"name": "pdf"}' });
  console.log(isError, text.includes('Run scripts/fill.sh.')); // false true
}
// #endregion

// #region toAnthropicTool
{
  const [tool] = agentTools(skills).map(toAnthropicTool);
  console.log(tool?.name, tool?.input_schema['type']); // load_skill object
}
// #endregion

// #region toOpenAiChatTool
{
  const [tool] = agentTools(skills).map(toOpenAiChatTool);
  console.log(tool?.type, tool?.function.name); // function load_skill
}
// #endregion

// #region toOpenAiResponsesTool
{
  const [tool] = agentTools(skills).map(toOpenAiResponsesTool);
  console.log(tool?.type, tool?.name); // function load_skill
}
// #endregion

// #region toLangChainTool
{
  const [fields] = agentTools(skills).map(toLangChainTool); // for `new DynamicStructuredTool(fields)`
  console.log(fields?.name, fields?.schema.type); // load_skill object
}
// #endregion

// #region toMastraTool
{
  const tools = Object.fromEntries(agentTools(skills).map((tool) => [tool.name, toMastraTool(tool)]));
  console.log(tools['load_skill']?.id); // load_skill
}
// #endregion

// #region toMcpTool
{
  const [tool] = agentTools(skills).map(toMcpTool);
  console.log(tool?.name, tool?.annotations?.readOnlyHint); // load_skill true
}
// #endregion

// #region slashCommands
{
  const commands = await slashCommands(skills);
  console.log(commands.map(({ name }) => `/${name}`)); // [ '/skill:pdf', '/review' ]
}
// #endregion

// #region expandSlashCommand
{
  const expanded = await expandSlashCommand(skills, '/skill:pdf form.pdf');
  console.log(expanded?.ok && expanded.args); // form.pdf
  console.log(await expandSlashCommand(skills, 'Hello')); // undefined
}
// #endregion

// #region resolvePinned
{
  const pinned = await resolvePinned(skills, ['pdf']);
  console.log(pinned.ok && pinned.skills.map(({ name }) => name)); // [ 'pdf' ]
}
// #endregion

// #region ActivationLedger
{
  const ledger = new ActivationLedger();
  await callTool(agentTools(skills, { ledger }), { name: 'load_skill', args: { name: 'pdf' } });
  console.log(ledger.list().map(({ name }) => name)); // [ 'pdf' ]
  const { restored } = ledger.compact(5_000); // after the conversation was compacted: put these back
  console.log(restored.length); // 1
}
// #endregion

await skills.close();
