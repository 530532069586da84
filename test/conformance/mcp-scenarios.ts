/** Today's protocol, and the one before it that most clients still speak. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;

export type Era = (typeof ERAS)[number];

/** Scenarios of the Skills extension. They belong to no era, so the suite runs them only when told to. */
export const EXTENSION_SCENARIOS: readonly string[] = [
  'sep-2640-skills-enumeration',
  'sep-2640-skills-manifest',
  'sep-2640-skills-directory',
];

const NO_MEDIA = 'asks for fixed tools that answer with images, sounds or resources; tools of skills answer with text';
const NO_INPUT = 'asks for tools that ask the client back (sampling, elicitation, roots); this server never does';
const NO_SUCH_URI = 'asks for fixed resources under test://; this server has skill:// alone';
const NO_SUBSCRIPTION = 'the server declares no subscriptions to single resources';
const NO_LOGGING = 'the server declares no logging: it logs to standard error';

/** Scenarios that do not apply to this server, and why. All others must pass. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'completion-complete': 'the server declares no completions',
  'logging-set-level': NO_LOGGING,
  'tools-call-with-logging': NO_LOGGING,
  'tools-call-image': NO_MEDIA,
  'tools-call-audio': NO_MEDIA,
  'tools-call-embedded-resource': NO_MEDIA,
  'tools-call-mixed-content': NO_MEDIA,
  'tools-call-with-progress': 'asks for a fixed tool that reports 0, 50 and 100; ours report what a script prints',
  'tools-call-sampling': NO_INPUT,
  'tools-call-elicitation': NO_INPUT,
  'elicitation-sep1034-defaults': NO_INPUT,
  'elicitation-sep1330-enums': NO_INPUT,
  'http-custom-header-server-validation': 'asks for a tool that takes an argument from a header; ours take none',
  'resources-read-text': NO_SUCH_URI,
  'resources-read-binary': NO_SUCH_URI,
  'resources-templates-read': NO_SUCH_URI,
  'resources-subscribe': NO_SUBSCRIPTION,
  'resources-unsubscribe': NO_SUBSCRIPTION,
  'prompts-get-with-args': 'asks for a prompt with arguments arg1 and arg2; ours take one, as typed after the command',
  'prompts-get-embedded-resource': 'asks for a fixed prompt with a resource inside; ours are text',
  'prompts-get-with-image': 'asks for a fixed prompt with an image; ours are text',
  'input-required-result-basic-elicitation': NO_INPUT,
  'input-required-result-basic-sampling': NO_INPUT,
  'input-required-result-basic-list-roots': NO_INPUT,
  'input-required-result-request-state': NO_INPUT,
  'input-required-result-multiple-input-requests': NO_INPUT,
  'input-required-result-multi-round': NO_INPUT,
  'input-required-result-missing-input-response': NO_INPUT,
  'input-required-result-non-tool-request': NO_INPUT,
  'input-required-result-result-type': NO_INPUT,
  'input-required-result-tampered-state': NO_INPUT,
  'input-required-result-capability-check': NO_INPUT,
  'input-required-result-ignore-extra-params': NO_INPUT,
  'input-required-result-validate-input': NO_INPUT,
  'server-sse-polling': 'asks for streams that are taken up again; answers here are short and not kept',
};

/** Single checks, in scenarios that do apply, that the suite itself calls not testable here. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': NO_INPUT,
  'sep-2575-missing-capability-http-400': NO_INPUT,
  'sep-2575-http-server-no-independent-requests-on-stream': NO_INPUT,
};

/** Skills with the tool and prompt names that the suite asks for, and some more to page through. */
export function suiteSkills(): Readonly<Record<string, string>> {
  const many = Array.from({ length: 120 }, (_, at) => [`plain-${at}/SKILL.md`, skill(`plain-${at}`)] as const);
  return {
    ...Object.fromEntries(many),
    'a-skill-with-files/SKILL.md': skill('a-skill-with-files', 'metadata:\n  version: "1.0"\nlicense: MIT\n'),
    'a-skill-with-files/references/deep/notes and more.md': '# Notes\n',
    'a-skill-with-files/assets/pixel.png': '\u0089PNG\u0000',
    'test_simple_prompt/SKILL.md': skill('test_simple_prompt'),
    'suite-tools/SKILL.md': skill('suite-tools', 'toolsets: [tools.mjs:SuiteTools]\n'),
    'suite-tools/tools.mjs': SUITE_TOOLS,
  };
}

function skill(name: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: What ${name} is for.\n${fields}---\n# ${name}\n\nDo it.\n`;
}

const SUITE_TOOLS = `
import { Tool } from '@agent/tools';
const person = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
const describe = (execute, parameters) => ({ description: 'For the suite.', ...(parameters && { parameters }), execute });
export const SuiteTools = [
  Tool.define('test_simple_text', describe(() => 'This is a simple text response for testing.')),
  Tool.define('test_logging_tool', describe(() => 'Nothing was logged.')),
  Tool.define('test_error_handling', describe(() => { throw new Error('This tool intentionally returns an error for testing'); })),
  Tool.define('json_schema_2020_12_tool', describe(() => 'ok', person)),
];
`;
