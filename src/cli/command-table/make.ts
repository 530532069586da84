import { EMIT_TARGETS, TARGET_IDS } from '../../model/target-id.ts';
import type { CommandDefinition } from '../command.ts';

const SKILLS = 'Names or globs of skills, or paths of skills or folders of skills';

export const makeCommands: readonly CommandDefinition[] = [
  {
    name: 'new',
    group: 'Make',
    summary: 'Create a skill and give it to your agents',
    details: 'Opens the new SKILL.md in $VISUAL or $EDITOR.',
    arguments: { '<name>': 'Lowercase letters, digits and hyphens; also the name of the folder' },
    options: {
      '--description <text>': 'What the skill does, and when an agent should use it',
      '--template <name>': 'basic, script, toolset or reference (default: basic)',
      '--agent <agents>': 'Give it to these agents: claude-code,codex or none (default: your agents, see `agents set`)',
      '--project': "Create it in this project's .agents/skills",
      '--no-edit': 'Do not open an editor',
    },
    oldOptions: ['--yes'],
    examples: ['new release-notes', 'new fill-forms --template script --project'],
    guide: 'writing-skills',
    load: () => import('../make/new.ts'),
  },
  {
    name: 'validate',
    group: 'Make',
    summary: 'Check skills against the specification, or fix them',
    usage: [
      'validate <skill|path...> [--spec]',
      'validate <skill|path...> --fix [--dry-run] [--spec]',
      'validate <skill|path...> --for <target>',
      'validate <path> --properties',
    ],
    details: 'Exits 1 if there are errors, or if an agent named with --for refuses a skill.',
    arguments: { '<skill|path...>': SKILLS },
    options: {
      '--spec': 'Allow only the six fields of the Agent Skills specification',
      '--for <target>': `Check what this program refuses, cuts or ignores (repeatable): ${TARGET_IDS.join(', ')}, or all`,
      '--fix':
        'Fix every problem that has one right fix, and print the diff; with --spec, move other fields into metadata',
      '--dry-run': 'With --fix: print the diff and change nothing; exits 1 if there is something to fix',
      '--properties': 'Print the properties of one skill as JSON',
    },
    needs: { '--dry-run': '--fix' },
    oldOptions: ['--write'],
    examples: ['validate .agent/skills', 'validate my-skill --fix', 'validate my-skill --for all'],
    guide: 'writing-skills',
    load: () => import('../make/validate.ts'),
  },
  {
    name: 'pack',
    group: 'Make',
    summary: 'Pack a skill into a .skill or .tar.gz file',
    details:
      'The same files give the same bytes on every machine. The skill must be valid and must not contain secrets.',
    arguments: { '<skill|path...>': 'Names or globs of skills, or paths of skills' },
    options: {
      '--format <format>': 'skill, a zip archive that claude.ai accepts, or tar.gz (default: skill)',
      '--for <target>': 'Refuse what this program would refuse (repeatable); see `validate --for`',
      '--allow <rule>': 'Accept findings of this audit rule (repeatable)',
      '--to <folder>': 'Write to this folder (default: the current one)',
    },
    examples: ['pack my-skill', 'pack my-skill --for claude.ai', 'pack skills/pdf --format tar.gz --to dist'],
    guide: 'giving',
    load: () => import('../make/pack.ts'),
  },
  {
    name: 'publish',
    group: 'Make',
    summary: 'Publish skills to a team hub or as a static site',
    usage: [
      'publish <skill|path...> --to <folder|@team> [options]',
      'publish --manifests <target...> [--check] [options]',
    ],
    details:
      'A site has an index with digests, an archive of each version, and pages for people. A published version never changes: ' +
      'raise the version to publish a change. A hub checks each skill again, and may ask a reviewer. With --manifests, writes the ' +
      'files by which other programs install this repository.',
    arguments: { '<skill|path...>': `${SKILLS}; with --manifests: ${EMIT_TARGETS.join(', ')}, or all` },
    options: {
      '--to <place>': 'Folder of the site, or @team or https://your.hub/@team',
      '--version-number <version>': "On a hub: this version instead of the skill's own",
      '--tag <tag>': 'On a hub: move this tag to the version (default: latest)',
      '--url <address>': 'Address of the site, for the commands on its pages',
      '--title <text>': 'Heading of the pages (default: Skills)',
      '--no-pages': 'Write no pages for people',
      '--for <target>': 'Refuse what this program would refuse (repeatable); see `validate --for`',
      '--allow <rule>': 'Accept findings of this audit rule (repeatable)',
      '--dry-run': 'Show what would be published, and write nothing',
      '--manifests': 'Write the manifests of this repository for these programs',
      '--check': 'With --manifests: write nothing; exit 1 if a file would change, with the diff',
      '--name <name>': 'With --manifests: name in new files (default: from package.json, or the folder)',
      '--description <text>': 'With --manifests: description in new files',
      '--owner <name>': 'With --manifests: owner of the marketplace',
    },
    needs: {
      '--check': '--manifests',
      '--name': '--manifests',
      '--description': '--manifests',
      '--owner': '--manifests',
    },
    oldOptions: ['--yes'],
    examples: ['publish skills --to site', 'publish --manifests claude-code codex'],
    guide: 'giving',
    load: () => import('../make/publish.ts'),
  },
  {
    name: 'eval',
    group: 'Make',
    summary: 'Test whether requests find the right skill',
    details: 'Runs without a model.',
    arguments: {
      '<skill|path...>': 'Names or globs of skills, their folders, or files of requests (.jsonl, .json or .yaml)',
    },
    options: {
      '--min-hit1 <share>': 'Exit 1 if fewer requests rank a right skill first (0 to 1)',
      '--threshold <score>': 'Lowest score that triggers a skill, for should_trigger (default: 0.3)',
      '--skill <name>': 'The skill that the requests are about (default: the one they are in)',
      '--compare <other>': 'Compare with another config.yaml or another commit',
      '--suggest': 'Suggest words for descriptions, as a diff; changes nothing',
    },
    examples: ['eval my-skill', "eval 'pdf-*'", 'eval requests.jsonl --min-hit1 0.8', 'eval my-skill --suggest'],
    guide: 'evals',
    load: () => import('../make/eval.ts'),
  },
];
