import type { CommandDefinition } from '../command.ts';

export const makeCommands: readonly CommandDefinition[] = [
  {
    name: 'new',
    group: 'Make',
    summary: 'Create a skill from a template and open it in your editor',
    arguments: { '<name>': 'Lowercase letters, digits and hyphens; also names the folder' },
    options: {
      '--description <text>': 'What the skill does, and when an agent should use it',
      '--template <name>': 'basic, script, toolset or reference (default: basic)',
      '--project': "Create it in the project's .agent/skills instead of yours",
      '--no-edit': 'Do not open $VISUAL or $EDITOR',
    },
    examples: ['new release-notes', 'new fill-forms --template script --project'],
    load: () => import('../make/new.ts'),
  },
  {
    name: 'validate',
    group: 'Make',
    summary: 'Check skills against the specification; list every problem',
    details:
      'Exits 1 if there are errors. With --for, says instead what other programs would refuse, cut or ignore, and exits 1 if one refuses a skill.',
    arguments: { '<skill...>': 'Names or globs of skills, or paths of skills or of folders of them' },
    options: {
      '--spec': 'Allow only the six fields of the Agent Skills specification',
      '--for <target>':
        'Judge as this program does (repeatable): spec, claude.ai, claude-code, codex, copilot, cursor, gemini, opencode, mcp, gh-skill, or all',
    },
    examples: ['validate .agent/skills', 'validate my-skill --spec', 'validate my-skill --for all'],
    isPaged: true,
    load: () => import('../make/validate.ts'),
  },
  {
    name: 'fix',
    group: 'Make',
    summary: 'Fix what validate reports, where the fix is certain',
    details: 'Prints a diff. Without --write it changes nothing, and exits 1 if there is something to fix.',
    arguments: { '<skill...>': 'Names or globs of skills, or paths of skills or of folders of them' },
    options: {
      '--write': 'Write the fixes to the files',
      '--spec': 'Also move fields that the Agent Skills specification lacks into metadata',
    },
    examples: ['fix my-skill', 'fix .agent/skills --write'],
    load: () => import('../make/fix.ts'),
  },
  {
    name: 'pack',
    group: 'Make',
    summary: 'Pack skills into archives for others',
    details:
      'The same files give the same bytes on every machine. The skill must be valid. The file is called after the skill: pdf.skill.',
    arguments: { '<skill...>': 'Names or globs of skills, or paths of skills' },
    options: {
      '--format <format>': 'skill, a zip archive that claude.ai takes, or tar.gz (default: skill)',
      '--for <target>':
        'Refuse what this program would refuse (repeatable): claude.ai, codex and the others of `validate --for`',
      '--to <folder>': 'Write to this folder instead of the current one',
    },
    examples: ['pack my-skill', 'pack my-skill --for claude.ai', 'pack skills/pdf --format tar.gz --to dist'],
    load: () => import('../make/pack.ts'),
  },
  {
    name: 'publish',
    group: 'Make',
    summary: 'Publish skills to a team’s hub, or as a site of plain files',
    details:
      'To a folder, it writes a well-known index with digests, an archive of each version, and pages for people. Versions that were published before stay, and a version never changes: raise it to publish a change. Skills that are not given are no longer listed. A hub checks each skill again, and may keep it waiting for a reviewer.',
    arguments: { '<skill...>': 'Names or globs of skills, or paths of skills or of folders of them' },
    options: {
      '--to <place>': 'The folder of the site, or @team or https://your.hub/@team (required)',
      '--version-number <version>': 'To a hub: instead of the version that the skill gives',
      '--tag <tag>': 'To a hub: move this tag to it (default: latest)',
      '--url <address>': 'Where the site will be; pages then show whole commands',
      '--title <text>': 'The heading of the pages (default: Skills)',
      '--no-pages': 'Write no pages for people',
      '--for <target>': 'Refuse what this program would refuse (repeatable); see `validate --for`',
      '--allow <rule>': 'Publish in spite of critical findings of this audit rule (repeatable)',
      '--dry-run': 'Say what would be published, and write nothing',
    },
    examples: ['publish skills --to site', 'publish skills --to site --url https://skills.example.com --dry-run'],
    load: () => import('../make/publish.ts'),
  },
  {
    name: 'emit',
    group: 'Make',
    summary: 'Write the files by which programs install a repository',
    details:
      'Marketplace and extension manifests, and agents/openai.yaml for skills that are hidden from models. Only what is missing is added; what people wrote in these files stays.',
    arguments: { '<target...>': 'claude-code, codex, copilot, cursor, gemini, agent-plugins, or all' },
    choices: { '<target...>': ['claude-code', 'codex', 'copilot', 'cursor', 'gemini', 'agent-plugins', 'all'] },
    options: {
      '--check': 'Write nothing; exit 1 if a file would change, with the diff',
      '--name <name>': 'The name in new files (default: from package.json, or the folder)',
      '--description <text>': 'The description in new files',
      '--owner <name>': 'The owner of the marketplace',
    },
    examples: ['emit claude-code', 'emit codex gemini --owner "Our team"'],
    isPaged: true,
    load: () => import('../make/emit.ts'),
  },
  {
    name: 'eval',
    group: 'Make',
    summary: 'Measure how well requests find their skills, without a model',
    details: 'docs/guide/evals.md describes the files of requests.',
    arguments: {
      '<skill...>': 'Names, ids or globs of skills, their folders, or files of requests (.jsonl, .json or .yaml)',
    },
    options: {
      '--min-hit1 <share>': 'Exit 1 if a smaller share of requests ranks a right skill first (0 to 1)',
      '--threshold <score>': 'Lowest score that triggers a skill, for should_trigger (default: 0.3)',
      '--skill <name>': 'The skill the requests are about (default: the one they lie in)',
      '--compare <other>': 'Run them with another config.yaml or at another commit, too, and compare',
      '--suggest': 'Print words that would help, as a diff of descriptions; changes nothing',
    },
    examples: [
      'eval my-skill',
      "eval 'pdf-*'",
      'eval requests.jsonl --min-hit1 0.8',
      'eval my-skill --compare other-config.yaml',
      'eval my-skill --suggest',
    ],
    isPaged: true,
    load: () => import('../make/eval.ts'),
  },
  {
    name: 'read-properties',
    group: 'Make',
    summary: 'Print the properties of a skill as JSON',
    arguments: { '<path>': 'A skill or its SKILL.md' },
    examples: ['read-properties my-skill', 'read-properties my-skill/SKILL.md'],
    load: () => import('../make/read-properties.ts'),
  },
  {
    name: 'to-prompt',
    group: 'Make',
    summary: 'Print the <available_skills> block for the given skills',
    arguments: { '<path...>': 'Skills or their SKILL.md' },
    examples: ['to-prompt my-skill', 'to-prompt skills/pdf skills/mail'],
    isPaged: true,
    load: () => import('../make/to-prompt.ts'),
  },
];
