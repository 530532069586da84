import { HOOK_TIMEOUT_S, type HookCall } from '../hooks/host-hook.ts';

/** The module that OpenCode loads. Whatever goes wrong in it, the message goes on as it is. */
export function renderPlugin({ command, recordsUse }: Pick<HookCall, 'command' | 'recordsUse'>): string {
  const values = { COMMAND: command, RECORDS_USE: recordsUse, LIMIT_MS: 1_000 * HOOK_TIMEOUT_S };
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`@${name}@`, () => JSON.stringify(value)),
    MODULE,
  );
}

const MODULE = `// Made by \`skillplane hosts connect opencode\`; \`skillplane hosts disconnect opencode\` removes it.
const COMMAND = @COMMAND@;
const RECORDS_USE = @RECORDS_USE@;
const LIMIT_MS = @LIMIT_MS@;
const MOST_SESSIONS = 100;

/** Skills that a conversation has, or was told of. */
const known = new Map();

export const Skillplane = async ({ directory, $ }) => ({
  'chat.message': async (input, output) => {
    const prompt = output.parts
      .filter((part) => part.type === 'text' && !part.synthetic)
      .map((part) => part.text)
      .join('\\n');
    const session = input.sessionID;
    const { hint } = await ask($, { event: 'prompt', session, cwd: directory, prompt, active: [...skillsOf(session)] });
    if (typeof hint !== 'string') return;
    for (const [, name] of hint.matchAll(/\`([^\`]+)\`/g)) skillsOf(session).add(name);
    const messageID = output.message.id;
    output.parts.push({ id: idAfter(output.parts.at(-1)?.id), sessionID: session, messageID, type: 'text', text: hint, synthetic: true });
  },
  'tool.execute.after': async (input, output) => {
    const skill = output?.metadata?.name ?? input.args?.name;
    if (input.tool !== 'skill' || typeof skill !== 'string') return;
    skillsOf(input.sessionID).add(skill);
    if (RECORDS_USE) await ask($, { event: 'use', session: input.sessionID, cwd: directory, skill, call: input.callID });
  },
});

function skillsOf(session) {
  const skills = known.get(session) ?? new Set();
  known.delete(session);
  known.set(session, skills);
  if (known.size > MOST_SESSIONS) known.delete(known.keys().next().value);
  return skills;
}

/** The answer of the command; nothing if it fails or takes too long. */
async function ask($, event) {
  try {
    const asked = $\`\${COMMAND} < \${new Response(JSON.stringify(event))}\`.quiet().nothrow().text();
    const late = new Promise((resolve) => setTimeout(resolve, LIMIT_MS, ''));
    return JSON.parse((await Promise.race([asked, late])) || '{}');
  } catch {
    return {};
  }
}

/** The id after another one: a time in hexadecimal digits, then chance. OpenCode drops parts with ids of another form. */
function idAfter(id) {
  const [, time = '0', rest = ''] = /^prt_([0-9a-f]{12})(.*)$/.exec(id) ?? [];
  return \`prt_\${(BigInt(\`0x\${time}\`) + 1n).toString(16).padStart(12, '0')}\${rest}\`;
}
`;
