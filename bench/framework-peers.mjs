/*
 * Runs Skillplane, bash-tool, Mastra and deepagents over the same skills, each as its documentation attaches skills, with a scripted
 * model, and prints what the model was given. `framework-peers.ts` starts it in the folder that has the packages.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Agent } from '@mastra/core/agent';
import { LocalFilesystem, LocalSandbox, Workspace } from '@mastra/core/workspace';
import { generateText, isStepCount } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createBashTool, experimental_createSkillTool as createSkillTool } from 'bash-tool';
import { createDeepAgent, LocalShellBackend } from 'deepagents';
import { openSkills } from 'skillplane';
import { forAgent } from 'skillplane/agent';
import { toolSet } from 'skillplane/ai-sdk';

const [, , folder, request] = process.argv;
const root = realpathSync(resolve(folder));
const dir = `${root}/skills`;
const home = `${root}/home`;

/** The lines of each function are the lines to attach. */
const ATTACH = {
  async skillplane() {
    const skills = await openSkills({ home, dirs: [{ path: dir, trusted: true }] });
    const { system, tools } = await forAgent(skills, { message: request, run: true });
    return { system, tools: toolSet(tools) };
  },
  async bashTool() {
    const { skill, files, instructions } = await createSkillTool({ skillsDirectory: dir });
    const { tools } = await createBashTool({ files, extraInstructions: instructions });
    return { tools: { skill, ...tools } };
  },
  async mastra(model) {
    const filesystem = new LocalFilesystem({ basePath: root });
    const sandbox = new LocalSandbox({ workingDirectory: root });
    const workspace = new Workspace({ filesystem, sandbox, skills: ['skills'], bm25: true });
    return new Agent({ id: 'a', name: 'a', instructions: 'Help.', model, workspace });
  },
  async deepagents(model) {
    const backend = new LocalShellBackend({ rootDir: root, virtualMode: true, inheritEnv: true });
    return createDeepAgent({ model, backend, skills: ['/skills/'] });
  },
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function modelOf(calls) {
  const say = (content, unified) => ({
    content: [content],
    finishReason: { unified, raw: undefined },
    usage,
    warnings: [],
  });
  const steps = calls.map(([toolName, input], at) =>
    say({ type: 'tool-call', toolCallId: `c${at}`, toolName, input: JSON.stringify(input) }, 'tool-calls'),
  );
  return new MockLanguageModelV4({ doGenerate: [...steps, say({ type: 'text', text: 'Done.' }, 'stop')] });
}

/** The first prompt with the definitions of the tools, and the results of all calls. */
function seenBy(model) {
  const [first] = model.doGenerateCalls;
  const last = model.doGenerateCalls.at(-1);
  const given = first.prompt.filter(({ role }) => role === 'system').map(({ content }) => content);
  const offered = (first.tools ?? []).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const parts = last.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  return {
    prompt: given.join('\n') + JSON.stringify(offered),
    tools: offered.map(({ name }) => name),
    results: parts.map(({ output }) =>
      typeof output.value === 'string' ? output.value : JSON.stringify(output.value),
    ),
  };
}

async function byAiSdk(attach, calls) {
  const model = modelOf(calls);
  await generateText({ model, prompt: request, stopWhen: isStepCount(9), ...(await attach()) });
  return seenBy(model);
}

const CALLS = {
  skillplane: [
    ['search_skills', { query: request }],
    ['run_skill_script', { name: 'report', script: 'totals.sh' }],
  ],
  bashTool: [['bash', { command: 'cd skills/report && bash scripts/totals.sh' }]],
  mastra: [
    ['skill_search', { query: request }],
    ['mastra_workspace_execute_command', { command: 'bash skills/report/scripts/totals.sh' }],
  ],
  deepagents: [['execute', { command: 'bash skills/report/scripts/totals.sh' }]],
};

const RUN = {
  skillplane: () => byAiSdk(() => ATTACH.skillplane(), CALLS.skillplane),
  bashTool: () => byAiSdk(() => ATTACH.bashTool(), CALLS.bashTool),
  async mastra() {
    const model = modelOf(CALLS.mastra);
    await (await ATTACH.mastra(model)).generate(request, { maxSteps: 9 });
    return seenBy(model);
  },
  async deepagents() {
    const model = fakeModel();
    let offered = [];
    const bind = model.bindTools.bind(model);
    model.bindTools = (tools) => {
      offered = tools;
      return bind(tools);
    };
    for (const [name, args] of CALLS.deepagents) model.respondWithTools([{ name, args }]);
    model.respond(new AIMessage('Done.'));
    const agent = await ATTACH.deepagents(model);
    await agent.invoke({ messages: [{ role: 'user', content: request }] });
    const given = model.calls[0].messages.filter((message) => message.getType() === 'system');
    const last = model.calls.at(-1).messages.filter((message) => message.getType() === 'tool');
    return {
      prompt:
        given.map(({ text }) => text).join('\n') +
        JSON.stringify(offered.map(({ name, description }) => ({ name, description }))),
      tools: offered.map(({ name }) => name),
      results: last.map(({ text }) => text),
    };
  },
};

const seen = {};
for (const [name, run] of Object.entries(RUN)) {
  const lines = ATTACH[name].toString().split('\n').length - 2;
  try {
    seen[name] = { lines, ...(await run()) };
  } catch (error) {
    seen[name] = { lines, failed: String(error) };
  }
}
process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
