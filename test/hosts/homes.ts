import type { HostPlace } from '../../src/hosts/host.ts';
import type { Link, Tree } from '../../src/platform/files/temporary-tree.ts';
import { skillText } from '../../src/testing.ts';
import type { ProgramId } from './programs.ts';

/** A home and a project with traps, and the program's settings in it. */
export interface TrapHome {
  /**
   * Files below one folder. In texts and targets, `{root}` is that folder and `{days:3}` the time three days ago in
   * milliseconds.
   */
  readonly tree: Tree;
  /** The working directory; `home/code/project` by default. */
  readonly cwd?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** The programs that are asked there; all by default. */
  readonly programs?: readonly ProgramId[];
  /** Set where a list leaves loaded skills out or has an order: OpenCode, which is slow, starts a conversation only there. */
  readonly isAboutLists?: true;
  /** The only answer that counts, where the program's command and its list for the model say different things. */
  readonly asks?: 'loaded' | 'listed';
}

const DAY_MS = 86_400_000;

function link(target: string): Link {
  return { target };
}

/** Replaces the marks in texts and targets. */
export function fillIn(tree: Tree, { root, now }: { readonly root: string; readonly now: number }): Tree {
  const fill = (text: string): string =>
    text
      .replaceAll('{root}', root)
      .replaceAll(/"?\{days:(\d+)\}"?/g, (_, days: string) => String(now - Number(days) * DAY_MS));
  return Object.fromEntries(
    Object.entries(tree).map(([path, content]) => {
      if (typeof content === 'string') return [path, fill(content)];
      return [path, content instanceof Uint8Array ? content : link(fill(content.target))];
    }),
  );
}

/** Where a program runs in a home that lies at `root`. */
export function placeIn({ cwd = 'home/code/project', variables = {} }: TrapHome, root: string): HostPlace {
  const filled = Object.entries(variables).map(([name, value]) => [name, value.replaceAll('{root}', root)]);
  return { home: `${root}/home`, cwd: `${root}/${cwd}`, variables: Object.fromEntries(filled) };
}

const REPOSITORY: Tree = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/': '', '.git/refs/': '' };
const TRUSTED = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };
/** Keeps Codex from adding skills of its own. */
const CODEX_ALONE = '[skills.bundled]\nenabled = false\n';

function under(folder: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** A skill named after its folder. */
function skill(path: string, fields: Readonly<Record<string, unknown>> = {}): Tree {
  const name = path.split('/').at(-1) ?? path;
  return { [`${path}/SKILL.md`]: skillText({ name, description: `Helps with ${name}.`, ...fields }, `Do ${name}.\n`) };
}

/** A skill whose file is this text. */
function raw(path: string, text: string | Uint8Array): Tree {
  return { [`${path}/SKILL.md`]: text };
}

function inProject(tree: Tree): Tree {
  return { ...under('home/code/project', { ...REPOSITORY, ...tree }) };
}

/** Folders of skills that some program reads. */
const USER_FOLDERS = [
  '.agents/skills',
  '.claude/skills',
  '.codex/skills',
  '.copilot/skills',
  '.gemini/skills',
  '.config/opencode/skill',
  '.config/opencode/skills',
  '.opencode/skill',
  '.opencode/skills',
  '.cursor/skills',
];
const PROJECT_FOLDERS = [
  '.agents/skills',
  '.claude/skills',
  '.codex/skills',
  '.github/skills',
  '.gemini/skills',
  '.opencode/skill',
  '.opencode/skills',
  '.cursor/skills',
  '.copilot/skills',
];

/** A skill with a name of its own in each of these folders. */
function everywhere(at: string, folders: readonly string[], prefix: string): Tree {
  return Object.assign(
    {},
    ...folders.map((folder) =>
      skill(`${at}/${folder}/${prefix}-${folder.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '')}`),
    ),
  ) as Tree;
}

/** A skill of the same name, with another description, in each of these folders. */
function clash(at: string, folders: readonly string[], name: string): Tree {
  return Object.assign(
    {},
    ...folders.map((folder) => skill(`${at}/${folder}/${name}`, { description: `The ${name} of ${at}/${folder}.` })),
  ) as Tree;
}

const ALONE: Tree = { 'home/.codex/config.toml': CODEX_ALONE };

/** In the two folders that all programs share. */
function shared(tree: Tree): Tree {
  return { ...ALONE, ...inProject({}), ...under('home/.agents/skills', tree), ...under('home/.claude/skills', tree) };
}

function long(length: number, character = 'x'): string {
  return `Long. ${character.repeat(length - 6)}`;
}

function many(count: number, length: (at: number) => number): Tree {
  return Object.assign(
    {},
    ...Array.from({ length: count }, (_, at) => {
      const words = `Handles topic ${at} of many. `.repeat(80).slice(0, length(at)).trim();
      return skill(`topic-${String(at).padStart(3, '0')}`, { description: words });
    }),
  ) as Tree;
}

/** Nested folders with a skill on each level. */
function levels(depth: number): Tree {
  return Object.assign(
    {},
    ...Array.from({ length: depth }, (_, at) => skill(`${'down/'.repeat(at)}level-${at + 1}`)),
  ) as Tree;
}

/** Plugins of a marketplace, by what settings say of them. */
const PLUGINS = ['unset', 'on', 'off', 'by-project', 'listed'];

export const HOMES: Readonly<Record<string, TrapHome>> = {
  'every folder': {
    tree: {
      ...ALONE,
      ...everywhere('home', USER_FOLDERS, 'user'),
      ...everywhere('home/code', PROJECT_FOLDERS, 'above'),
      ...inProject({}),
      ...everywhere('home/code/project', PROJECT_FOLDERS, 'root'),
      ...everywhere('home/code/project/packages/web', PROJECT_FOLDERS, 'package'),
    },
    cwd: 'home/code/project/packages/web',
    variables: TRUSTED,
  },
  'a project outside the home': {
    tree: {
      ...ALONE,
      ...everywhere('home', USER_FOLDERS, 'user'),
      ...everywhere('work', PROJECT_FOLDERS, 'above'),
      ...under('work/project', REPOSITORY),
      ...everywhere('work/project', PROJECT_FOLDERS, 'root'),
    },
    cwd: 'work/project',
    variables: TRUSTED,
  },
  'no repository': {
    tree: {
      ...ALONE,
      ...everywhere('home', USER_FOLDERS, 'user'),
      ...everywhere('home/code', PROJECT_FOLDERS, 'above'),
      ...everywhere('home/code/project', PROJECT_FOLDERS, 'here'),
    },
    variables: TRUSTED,
  },
  'the home itself': {
    tree: { ...ALONE, ...everywhere('home', [...new Set([...USER_FOLDERS, ...PROJECT_FOLDERS])], 'user') },
    cwd: 'home',
    variables: TRUSTED,
  },
  'the home is a repository': {
    tree: {
      ...ALONE,
      ...under('home', REPOSITORY),
      ...everywhere('home', [...new Set([...USER_FOLDERS, ...PROJECT_FOLDERS])], 'a-home'),
      ...everywhere('home/code/project', PROJECT_FOLDERS, 'b-here'),
    },
    variables: TRUSTED,
  },
  links: {
    tree: {
      ...ALONE,
      ...inProject({
        '.agents/skills/linked': link('../../../../store/linked'),
        '.claude/skills/linked': link('../../../../store/linked'),
        '.claude/skills/own': link('../../own'),
        ...skill('own'),
      }),
      ...under('home/store', { ...skill('linked'), ...skill('renamed'), ...skill('filed'), ...skill('folder/inner') }),
      'home/store/again': link('linked'),
      ...Object.fromEntries(
        ['.agents', '.claude', '.codex', '.copilot', '.gemini', '.config/opencode'].flatMap((folder) => {
          const up = '../'.repeat(folder.split('/').length + 1);
          return [
            [`home/${folder}/skills/linked`, link(`${up}store/linked`)],
            [`home/${folder}/skills/other-name`, link(`${up}store/renamed`)],
            [`home/${folder}/skills/chain`, link(`${up}store/again`)],
            [`home/${folder}/skills/dangling`, link(`${up}store/gone`)],
            // OpenCode follows circles as far as the system does, which takes minutes.
            ...(['.agents', '.claude', '.config/opencode'].includes(folder)
              ? []
              : [[`home/${folder}/skills/circle`, link('.')]]),
            [`home/${folder}/skills/filed/SKILL.md`, link(`../${up}store/filed/SKILL.md`)],
            [`home/${folder}/skills/folder`, link(`${up}store/folder`)],
          ];
        }),
      ),
    },
    variables: TRUSTED,
  },
  'a linked folder of skills': {
    tree: {
      ...ALONE,
      ...inProject({}),
      ...under('home/store', { ...skill('one'), ...skill('two') }),
      ...Object.fromEntries(
        ['.agents', '.claude', '.codex', '.copilot', '.gemini'].map((folder) => [
          `home/${folder}/skills`,
          link('../store'),
        ]),
      ),
    },
    variables: TRUSTED,
  },
  'order of names': {
    isAboutLists: true,
    tree: {
      ...ALONE,
      ...inProject({}),
      ...Object.assign(
        {},
        ...['home', 'home/code/project', 'home/code/project/packages', 'home/code/project/packages/web'].flatMap(
          (at, level) =>
            [
              '.agents/skills',
              '.claude/skills',
              '.github/skills',
              '.gemini/skills',
              '.codex/skills',
              '.copilot/skills',
            ].flatMap((folder, kind) =>
              [`b${kind}${level}`, `a${kind}${9 - level}`, `C${kind}${level}`].map((name) =>
                skill(`${at}/${folder}/${name}`),
              ),
            ),
        ),
      ),
      ...skill('home/.agents/skills/a-folder', { name: 'zz-last' }),
      ...skill('home/.agents/skills/z-folder', { name: 'aa-first' }),
      ...skill('home/.agents/skills/ä-umlaut', { name: 'ä-umlaut' }),
      ...skill('home/.agents/skills/x_under'),
      ...skill('home/.agents/skills/x-dash'),
      ...skill('home/.agents/skills/x10'),
      ...skill('home/.agents/skills/x9'),
      ...skill('home/.claude/skills/x_under'),
      ...skill('home/.claude/skills/x-dash'),
      ...skill('home/.claude/skills/x10'),
      ...skill('home/.claude/skills/x9'),
    } as Tree,
    cwd: 'home/code/project/packages/web',
    variables: TRUSTED,
  },
  copies: {
    tree: {
      ...ALONE,
      ...inProject({}),
      ...Object.assign({}, ...USER_FOLDERS.map((folder) => skill(`home/${folder}/copied`))),
      ...Object.assign({}, ...PROJECT_FOLDERS.map((folder) => skill(`home/code/project/${folder}/copied`))),
    } as Tree,
    variables: TRUSTED,
  },
  clashes: {
    tree: {
      ...ALONE,
      ...inProject({}),
      ...clash('home', USER_FOLDERS, 'both'),
      ...clash('home/code/project', PROJECT_FOLDERS, 'both'),
      ...clash('home', USER_FOLDERS, 'user-only'),
      ...clash('home/code/project', PROJECT_FOLDERS, 'project-only'),
      ...skill('home/.agents/skills/Both', { description: 'Another case of letters.' }),
      ...skill('home/.claude/skills/Both', { description: 'Another case of letters.' }),
      ...skill('home/.agents/skills/a-folder', { name: 'taken', description: 'First of the field.' }),
      ...skill('home/.agents/skills/taken', { description: 'The folder of that name.' }),
      ...skill('home/.claude/skills/a-folder', { name: 'taken', description: 'First of the field.' }),
      ...skill('home/.claude/skills/taken', { description: 'The folder of that name.' }),
      ...skill('home/.agents/skills/simplify', { description: 'A name of a program.' }),
      ...skill('home/.claude/skills/simplify', { description: 'A name of a program.' }),
      ...skill('home/.agents/skills/skill-creator', { description: 'A name of a program.' }),
      ...skill('home/.agents/skills/customize-opencode', { description: 'A name of a program.' }),
      ...skill('home/.agents/skills/customize-cloud-agent', { description: 'A name of a program.' }),
    },
    variables: TRUSTED,
  },
  depth: {
    tree: {
      ...shared({
        ...levels(9),
        ...skill('outer'),
        ...skill('outer/nested'),
        ...skill('outer/skills/deeper'),
        ...skill('.hidden'),
        ...skill('.hidden-folder/inside'),
        ...skill('node_modules/packed'),
        ...skill('dist/built'),
        ...skill('build/made'),
        ...skill('__pycache__/cached'),
        ...skill('synced/remote'),
        ...skill('synced'),
        ...skill('group/first'),
        ...skill('group/second'),
        'empty/': '',
        'notes.md': '# Notes\n',
      }),
    },
    variables: TRUSTED,
  },
  'a skill at the root': {
    tree: {
      ...shared({
        'SKILL.md': skillText({ name: 'at-root', description: 'Lies in the folder of skills itself.' }),
        ...skill('beside'),
      }),
    },
    variables: TRUSTED,
  },
  names: {
    tree: shared({
      ...skill('different', { name: 'other-name' }),
      ...raw('nameless', '---\ndescription: Has no name.\n---\nBody.\n'),
      ...raw('empty-name', '---\nname:\ndescription: Has an empty name.\n---\nBody.\n'),
      ...skill('spaces', { name: 'with some spaces' }),
      ...skill('folder with spaces', { name: 'folder-with-spaces' }),
      ...skill('UPPER'),
      ...skill('Mixed_Case.v2'),
      ...skill('umlaut', { name: 'für-später' }),
      ...skill('表計算'),
      ...skill('colon', { name: 'plug:inner' }),
      ...skill('slash', { name: 'a/b' }),
      ...skill('angle', { name: 'a<b>' }),
      ...skill('star', { name: 'a*b?' }),
      ...skill('n'.repeat(64)),
      ...skill('n'.repeat(65)),
      ...skill('long-title', { name: `t${'t'.repeat(255)}` }),
      ...skill('longer-title', { name: `t${'t'.repeat(256)}` }),
      ...raw('number', '---\nname: 42\ndescription: A number as its name.\n---\nBody.\n'),
      ...raw('truth', '---\nname: true\ndescription: A truth value as its name.\n---\nBody.\n'),
      ...raw('list', '---\nname: [a, b]\ndescription: A list as its name.\n---\nBody.\n'),
      ...raw('quoted', "---\nname: 'it''s'\ndescription: An apostrophe.\n---\nBody.\n"),
      'lower/skill.md': skillText({ name: 'lower', description: 'A lower-case file.' }),
      'mixed/Skill.md': skillText({ name: 'mixed', description: 'A mixed-case file.' }),
      'other/README.md': '# Other\n',
      'flat.md': skillText({ name: 'flat', description: 'A file without a folder.' }),
    }),
    variables: TRUSTED,
  },
  descriptions: {
    isAboutLists: true,
    tree: shared({
      ...raw(
        'absent',
        '---\nname: absent\n---\n\n# The heading\n\nThe first paragraph\nhas two lines.\n\nMore.\n\n## Next\n\nLater.\n\n- item\n',
      ),
      ...raw('no-text', '---\nname: no-text\n---\n'),
      ...raw('empty', '---\nname: empty\ndescription:\n---\n\nThe first line.\n'),
      ...raw('empty-text', '---\nname: empty-text\ndescription: ""\n---\n\nThe first line.\n'),
      ...raw('blank', '---\nname: blank\ndescription: "   "\n---\n\nThe first line.\n'),
      ...raw(
        'folded',
        '---\nname: folded\ndescription: >\n  Two lines\n  that are one.\n\n  And another.\n---\nBody.\n',
      ),
      ...raw('literal', '---\nname: literal\ndescription: |\n  Line one.\n  Line two.\n---\nBody.\n'),
      ...raw('stripped', '---\nname: stripped\ndescription: >-\n  Two lines\n  that are one.\n---\nBody.\n'),
      ...raw('continued', '---\nname: continued\ndescription: Begins here\n  and goes on.\n---\nBody.\n'),
      ...raw('quoted', '---\nname: quoted\ndescription: "Says \\"hello\\" \\u00e9."\n---\nBody.\n'),
      ...skill('limit-1024', { description: long(1_024) }),
      ...skill('limit-1025', { description: long(1_025) }),
      ...skill('limit-1536', { description: long(1_536) }),
      ...skill('limit-1537', { description: long(1_537) }),
      ...skill('faces-1024', { description: long(518, '😀') }),
      ...skill('faces-1030', { description: long(1_031, '😀') }),
      ...raw('absent-long', `---\nname: absent-long\n---\n\n${'Many words. '.repeat(200)}\n`),
      ...raw('quoted-number', '---\nname: "42"\ndescription: "43"\n---\nBody.\n'),
      ...skill('chinese-400', { description: '字'.repeat(400) }),
      ...skill('chinese', { description: '处理表格文件,并把它们转换成其他格式。' }),
      ...raw('number', '---\nname: number\ndescription: 42\n---\nBody.\n'),
      ...raw('truth', '---\nname: truth\ndescription: true\n---\nBody.\n'),
      ...raw('nothing', '---\nname: nothing\ndescription: null\n---\nBody.\n'),
      ...raw('list', '---\nname: list\ndescription: [a, b]\n---\nBody.\n'),
      ...raw('mapping', '---\nname: mapping\ndescription:\n  en: Text.\n---\nBody.\n'),
      ...skill('tags', { description: 'Uses <b>tags</b> & "signs" it\'s.' }),
      ...skill('when', { description: 'Does it.', when_to_use: 'When it must be done.' }),
      ...skill('date', { description: '2026-01-01' }),
      ...raw('plain-date', '---\nname: plain-date\ndescription: 2026-01-01\n---\nBody.\n'),
      ...skill('control', { description: 'A\tb\u0007c' }),
      ...skill('trailing', { description: '  Spaces around.  ' }),
    }),
    variables: TRUSTED,
  },
  'broken files': {
    tree: shared({
      ...raw('no-frontmatter', '# Only a heading\n\nText.\n'),
      ...raw('empty-file', ''),
      ...raw('unclosed', '---\nname: unclosed\ndescription: Never closed.\n'),
      ...raw('colon', '---\nname: colon\ndescription: Use when: always\n---\nBody.\n'),
      ...raw(
        'two-colons',
        '---\nname: two-colons\ndescription: Use when: always: yes\nlicense: MIT: maybe\n---\nBody.\n',
      ),
      ...raw('tabs', '---\nname: tabs\ndescription: Text.\nmetadata:\n\tkey: value\n---\nBody.\n'),
      ...raw('open-quote', '---\nname: open-quote\ndescription: "Never closed\n---\nBody.\n'),
      ...raw('open-list', '---\nname: open-list\ndescription: Text.\ntags: [a, b\n---\nBody.\n'),
      ...raw('duplicate', '---\nname: duplicate\ndescription: First.\ndescription: Second.\n---\nBody.\n'),
      ...raw('alias', '---\nname: &n alias\ndescription: Text.\ntitle: *n\n---\nBody.\n'),
      ...raw('mark', '\uFEFF---\nname: mark\ndescription: Begins with a mark.\n---\nBody.\n'),
      ...raw('carriage', '---\r\nname: carriage\r\ndescription: Windows lines.\r\n---\r\nBody.\r\n'),
      ...raw('old-mac', '---\rname: old-mac\rdescription: Old lines.\r---\rBody.\r'),
      ...raw('blank-first', '\n---\nname: blank-first\ndescription: A blank line first.\n---\nBody.\n'),
      ...raw('space-first', ' ---\nname: space-first\ndescription: A space first.\n---\nBody.\n'),
      ...raw('space-after', '--- \nname: space-after\ndescription: A space behind the fence.\n--- \nBody.\n'),
      ...raw('list', '---\n- name\n- description\n---\nBody.\n'),
      ...raw('scalar', '---\njust text\n---\nBody.\n'),
      ...raw('no-fields', '---\n---\nBody text.\n'),
      ...raw('comment', '---\n# a comment\nname: comment # here\ndescription: Text # not this\n---\nBody.\n'),
      ...raw('dots', '---\nname: dots\ndescription: Ends with dots.\n...\nBody.\n'),
      ...raw('four', '----\nname: four\ndescription: Four dashes.\n----\nBody.\n'),
      ...raw('rule', '---\nname: rule\ndescription: A rule inside.\nnote: a---b\n---\nBody.\n'),
      ...raw('at-sign', '---\nname: at-sign\ndescription: @home\n---\nBody.\n'),
      ...raw('backtick', '---\nname: backtick\ndescription: `code`\n---\nBody.\n'),
      ...raw('percent', '---\nname: percent\ndescription: %d\n---\nBody.\n'),
      ...raw('star', '---\nname: star\ndescription: *all files\n---\nBody.\n'),
      ...raw('bang', '---\nname: bang\ndescription: !important\n---\nBody.\n'),
      ...raw('dash', '---\nname: dash\ndescription: - item\n---\nBody.\n'),
      ...raw(
        'latin',
        new Uint8Array(Buffer.from('---\nname: latin\ndescription: f\u00fcr alle\n---\nBody.\n', 'latin1')),
      ),
      ...raw('nul', '---\nname: nul\ndescription: A nul\u0000 inside.\n---\nBody.\n'),
      'folder/SKILL.md/': '',
      ...raw(
        'large',
        `${skillText({ name: 'large', description: 'More than a million bytes.' })}${'x'.repeat(1_000_000)}`,
      ),
      ...raw(
        'unknown',
        '---\nname: unknown\ndescription: Other fields.\nlicense: MIT\nallowed-tools: Read Write\nmodel: x\n---\nBody.\n',
      ),
    }),
    variables: TRUSTED,
  },
  'switches of Claude Code': {
    programs: ['claude-code'],
    tree: {
      ...inProject({
        ...skill('.claude/skills/project-off'),
        ...skill('.claude/skills/project-local'),
        '.claude/settings.json': JSON.stringify({
          skillOverrides: { 'project-off': 'off', 'user-on': 'on', 'user-off': 'on', shared: 'name-only' },
        }),
        '.claude/settings.local.json': JSON.stringify({ skillOverrides: { 'project-local': 'off', shared: 'on' } }),
      }),
      ...under('home/.claude/skills', {
        ...skill('user-on'),
        ...skill('user-off'),
        ...skill('shared'),
        ...skill('off'),
        ...skill('named'),
        ...skill('invocable'),
        ...skill('denied'),
        ...skill('by-title', { name: 'the-title' }),
        ...skill('by-folder', { name: 'another-title' }),
        ...skill('no-model', { 'disable-model-invocation': true }),
        ...raw(
          'no-model-text',
          '---\nname: no-model-text\ndescription: Text.\ndisable-model-invocation: "true"\n---\nBody.\n',
        ),
        ...Object.assign(
          {},
          ...['yes', 'on', '1', 'True', 'TRUE', 'y', 'no', '[true]', '"yes"'].map((value, at) =>
            raw(
              `no-model-${at}`,
              `---\nname: no-model-${at}\ndescription: Says ${value}.\ndisable-model-invocation: ${value}\n---\nBody.\n`,
            ),
          ),
        ),
        ...skill('no-user', { 'user-invocable': false }),
        ...skill('paths', { paths: 'src/**' }),
        ...skill('path-list', { paths: ['src/**', 'test/**'] }),
        ...skill('all-paths', { paths: '**' }),
        ...skill('fork', { context: 'fork' }),
      }),
      'home/.claude/settings.json': JSON.stringify({
        skillOverrides: {
          'user-off': 'off',
          shared: 'off',
          off: 'off',
          named: 'name-only',
          invocable: 'user-invocable-only',
          'the-title': 'off',
          'by-folder': 'off',
        },
        permissions: { deny: ['Skill(denied)'] },
      }),
    },
  },
  'switches that Claude Code does not know': {
    programs: ['claude-code'],
    tree: {
      ...inProject({
        '.claude/settings.json': JSON.stringify({ skillOverrides: { 'by-project': 'off' } }),
      }),
      ...under('home/.claude/skills', { ...skill('perhaps'), ...skill('off'), ...skill('by-project') }),
      'home/.claude/settings.json': JSON.stringify({
        skillOverrides: { perhaps: 'perhaps', off: 'off' },
        skillListingMaxDescChars: 12,
      }),
    },
  },
  'plugins of Claude Code': {
    programs: ['claude-code'],
    tree: {
      ...inProject({ '.claude/settings.json': JSON.stringify({ enabledPlugins: { 'by-project@market': true } }) }),
      ...skill('home/.claude/skills/own'),
      ...skill('home/.claude/skills/plugged/skills/inner'),
      ...skill('home/.claude/skills/rooted'),
      ...skill('home/.claude/skills/rooted/skills/inside', { name: 'rooted-title' }),
      'home/.claude/skills/rooted/.claude-plugin/plugin.json': JSON.stringify({ name: 'other-root', version: '1.0.0' }),
      ...skill('home/code/project/.claude/skills/near/skills/nested'),
      'home/code/project/.claude/skills/near/.claude-plugin/plugin.json': JSON.stringify({ name: 'near' }),
      ...skill('home/.claude/skills/broken-plugin'),
      'home/.claude/skills/broken-plugin/.claude-plugin/plugin.json': '{',
      'home/.claude/skills/plugged/.claude-plugin/plugin.json': JSON.stringify({ name: 'plugged', version: '1.0.0' }),
      ...under('home/.claude/plugins', {
        'installed_plugins.json': JSON.stringify({
          version: 2,
          plugins: Object.fromEntries(
            PLUGINS.map((name) => [
              `${name}@market`,
              [
                {
                  scope: 'user',
                  installPath: `{root}/home/.claude/plugins/cache/market/${name}/1.0.0`,
                  version: '1.0.0',
                  installedAt: '2026-01-01T00:00:00.000Z',
                  lastUpdated: '2026-01-01T00:00:00.000Z',
                },
              ],
            ]),
          ),
        }),
        'known_marketplaces.json': JSON.stringify({
          market: {
            source: { source: 'github', repo: 'somebody/market' },
            installLocation: '{root}/home/.claude/plugins/marketplaces/market',
            lastUpdated: '2026-01-01T00:00:00.000Z',
          },
        }),
        ...under('cache/market', {
          ...Object.assign(
            {},
            ...PLUGINS.map((name) => ({
              ...skill(`${name}/1.0.0/skills/${name}-one`),
              ...skill(`${name}/1.0.0/skills/${name}-two`, { name: 'titled' }),
              [`${name}/1.0.0/.claude-plugin/plugin.json`]: JSON.stringify({
                name,
                version: '1.0.0',
                ...(name === 'listed' ? { skills: ['./extra'] } : {}),
              }),
            })),
          ),
          ...skill('listed/1.0.0/extra/listed-extra'),
          ...skill('on/0.9.0/skills/on-old'),
        }),
      }),
      ...under('home/.claude/plugins/marketplaces/market', {
        '.claude-plugin/marketplace.json': JSON.stringify({
          name: 'market',
          owner: { name: 'Somebody' },
          plugins: PLUGINS.map((name) => ({ name, source: `./${name}`, description: name })),
        }),
        'on/.claude-plugin/plugin.json': JSON.stringify({ name: 'on', version: '1.0.0' }),
        ...skill('on/skills/on-in-market'),
      }),
      'home/.claude/settings.json': JSON.stringify({
        enabledPlugins: { 'listed@market': true, 'off@market': false, 'on@market': true },
        skillOverrides: { 'on-one': 'off', 'on:on-two': 'off' },
      }),
    },
  },
  'a long list in Claude Code': {
    programs: ['claude-code'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.claude/skills',
        many(120, (at) => 40 + ((at * 37) % 300)),
      ),
      'home/.claude/settings.json': JSON.stringify({
        skillOverrides: { 'topic-005': 'name-only', 'topic-006': 'off' },
      }),
      'home/.claude.json': JSON.stringify({
        skillUsage: Object.fromEntries(
          [3, 17, 44, 45, 80, 99].map((at) => [
            `topic-${String(at).padStart(3, '0')}`,
            { usageCount: 1 + (at % 4), lastUsedAt: `{days:${at % 20}}` },
          ]),
        ),
      }),
    },
  },
  'a list of Claude Code within a budget of our own': {
    programs: ['claude-code'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.claude/skills',
        many(40, (at) => 60 + at * 20),
      ),
    },
    variables: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '9000' },
  },
  'a list of Claude Code within a fraction': {
    programs: ['claude-code'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.claude/skills',
        many(60, (at) => 100 + at * 30),
      ),
      'home/.claude/settings.json': JSON.stringify({ skillListingBudgetFraction: 0.02, skillListingMaxDescChars: 300 }),
    },
  },
  'Claude Code without its own skills by a variable': {
    programs: ['claude-code'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.claude/skills',
        many(60, (at) => 50 + ((at * 53) % 400)),
      ),
    },
    variables: { CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1' },
  },
  'a list of Claude Code without its own skills': {
    programs: ['claude-code'],
    tree: {
      ...inProject({}),
      ...under('home/.claude/skills', {
        ...many(60, (at) => 50 + ((at * 53) % 400)),
        ...skill('init'),
        ...skill('dataviz'),
      }),
      'home/.claude/settings.json': JSON.stringify({ disableBundledSkills: true }),
    },
  },
  'switches of Codex': {
    programs: ['codex'],
    tree: {
      ...inProject({
        ...skill('.agents/skills/in-project'),
        '.codex/config.toml': '[[skills.config]]\nname = "kept"\nenabled = false\n',
      }),
      ...under('home/store', skill('linked')),
      'home/.agents/skills/linked': link('../../store/linked'),
      ...under('home/.agents/skills', {
        ...skill('kept'),
        ...skill('by-file'),
        ...skill('by-folder'),
        ...skill('by-name'),
        ...skill('by-both'),
        ...skill('off-then-on'),
        ...skill('on-then-off'),
        ...skill('no-model', { 'disable-model-invocation': true }),
        ...skill('implicit'),
        'implicit/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
        ...skill('explicit'),
        'explicit/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: true\n',
        ...skill('broken-policy'),
        'broken-policy/agents/openai.yaml': 'policy: [\n',
        ...skill('folder-name', { name: 'field-name' }),
        ...skill('folder-only', { name: 'field-only' }),
        ...skill('spaced'),
      }),
      ...skill('home/.codex/skills/by-name'),
      'home/.codex/config.toml': [
        CODEX_ALONE,
        '[[skills.config]]\npath = "{root}/home/.agents/skills/by-file/SKILL.md"\nenabled = false\n',
        '[[skills.config]]\npath = "{root}/home/.agents/skills/by-folder"\nenabled = false\n',
        '[[skills.config]]\nname = "by-name"\nenabled = false\n',
        '[[skills.config]]\nname = "by-both"\npath = "{root}/home/.agents/skills/by-both/SKILL.md"\nenabled = false\n',
        '[[skills.config]]\nname = "off-then-on"\nenabled = false\n[[skills.config]]\nname = "off-then-on"\nenabled = true\n',
        '[[skills.config]]\nname = "on-then-off"\nenabled = true\n[[skills.config]]\nname = "on-then-off"\nenabled = false\n',
        '[[skills.config]]\npath = "{root}/home/.agents/skills/linked/SKILL.md"\nenabled = false\n',
        '[[skills.config]]\nname = "field-name"\nenabled = false\n',
        '[[skills.config]]\nname = "folder-only"\nenabled = false\n',
        '[[skills.config]]\nname = " spaced "\nenabled = false\n',
      ].join('\n'),
    },
  },
  "Codex's own skills": {
    programs: ['codex'],
    tree: { ...inProject({}), ...skill('home/.agents/skills/own'), ...skill('home/.agents/skills/imagegen') },
  },
  'a long list in Codex': {
    programs: ['codex'],
    tree: {
      ...ALONE,
      ...inProject({}),
      ...under(
        'home/.agents/skills',
        many(120, (at) => 40 + ((at * 37) % 400)),
      ),
    },
  },
  'a list of Codex that is cut': {
    programs: ['codex'],
    tree: {
      'home/.codex/config.toml': `[skills]\nmax_context_tokens = 2000\n${CODEX_ALONE}`,
      ...inProject({}),
      ...under('home/.agents/skills', {
        ...many(60, (at) => 40 + ((at * 37) % 400)),
        ...raw('absent-long', `---\nname: absent-long\n---\n\n${'Many words. '.repeat(200)}\n`),
        ...raw('quoted-number', '---\nname: "42"\ndescription: "43"\n---\nBody.\n'),
        ...skill('chinese-400', { description: '字'.repeat(400) }),
        ...skill('chinese', { description: '处理表格文件。'.repeat(20) }),
      }),
    },
  },
  'a list of Codex that has not even all names': {
    programs: ['codex'],
    tree: {
      'home/.codex/config.toml': `[skills]\nmax_context_tokens = 500\n${CODEX_ALONE}`,
      ...inProject({}),
      ...under(
        'home/.agents/skills',
        many(90, () => 60),
      ),
    },
  },
  'Codex without a list': {
    programs: ['codex'],
    tree: {
      'home/.codex/config.toml': `[skills]\ninclude_instructions = false\n${CODEX_ALONE}`,
      ...inProject({}),
      ...skill('home/.agents/skills/own'),
    },
  },
  'switches of Copilot': {
    programs: ['copilot'],
    tree: {
      ...inProject({
        ...skill('.github/skills/in-project'),
        '.github/copilot/settings.json': JSON.stringify({ disabledSkills: ['in-project', 'by-repository'] }),
      }),
      ...under('home/.agents/skills', {
        ...skill('kept'),
        ...skill('off'),
        ...skill('by-repository'),
        ...skill('OFF-CASE'),
        ...skill('folder-name', { name: 'field-name' }),
        ...skill('folder-only', { name: 'field-only' }),
        ...skill('spaced', { name: 'with spaces' }),
        ...skill('no-model', { 'disable-model-invocation': true }),
        ...skill('no-user', { 'user-invocable': false }),
      }),
      'home/.copilot/settings.json': JSON.stringify({
        disabledSkills: ['off', 'off-case', 'field-name', 'folder-only', 'with-spaces'],
      }),
    },
  },
  'a repository that Copilot trusts': {
    programs: ['copilot'],
    // In a conversation without a terminal it leaves the settings of the repository out.
    asks: 'loaded',
    tree: {
      ...inProject({
        ...skill('.github/skills/in-project'),
        '.github/copilot/settings.json': JSON.stringify({ disabledSkills: ['in-project', 'by-repository'] }),
      }),
      ...skill('home/.agents/skills/by-repository'),
      ...skill('home/.agents/skills/kept'),
      'home/.copilot/config.json': JSON.stringify({ trustedFolders: ['{root}/home/code/project'] }),
    },
  },
  'a long list in Copilot': {
    programs: ['copilot'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.agents/skills',
        many(120, (at) => 40 + ((at * 37) % 300)),
      ),
    },
  },
  'a list of Copilot within a budget': {
    programs: ['copilot'],
    tree: {
      ...inProject({}),
      ...under('home/.agents/skills', {
        ...many(30, (at) => 60 + at * 10),
        ...skill('zz-signs', { description: 'Uses <b> & "c".' }),
      }),
      ...under(
        'home/.copilot/skills',
        many(5, () => 200),
      ),
    },
    variables: { SKILL_CHAR_BUDGET: '3000' },
  },
  'further folders of Copilot': {
    programs: ['copilot'],
    tree: { ...inProject({}), ...skill('home/.agents/skills/own'), ...skill('more/first'), ...skill('others/second') },
    variables: { COPILOT_SKILLS_DIRS: '{root}/more,{root}/others' },
  },
  'switches of Gemini': {
    programs: ['gemini'],
    tree: {
      ...inProject({
        ...skill('.gemini/skills/in-project'),
        '.gemini/settings.json': JSON.stringify({ skills: { disabled: ['by-workspace'] } }),
      }),
      ...under('home/.agents/skills', {
        ...skill('kept'),
        ...skill('off'),
        ...skill('Off-Case'),
        ...skill('by-workspace'),
        ...skill('no-model', { 'disable-model-invocation': true }),
      }),
      'home/.gemini/settings.json': JSON.stringify({ skills: { disabled: ['off', 'off-case'] } }),
    },
    variables: TRUSTED,
  },
  'Gemini without skills': {
    programs: ['gemini'],
    // Its command says only that there are none.
    asks: 'listed',
    tree: {
      ...inProject({}),
      ...skill('home/.agents/skills/own'),
      'home/.gemini/settings.json': JSON.stringify({ skills: { enabled: false } }),
    },
    variables: TRUSTED,
  },
  'a folder that Gemini does not trust': {
    programs: ['gemini'],
    tree: {
      ...inProject({
        ...skill('.gemini/skills/in-project'),
        ...skill('.agents/skills/also-in-project'),
        '.gemini/settings.json': JSON.stringify({ skills: { disabled: ['own'] } }),
      }),
      ...skill('home/.agents/skills/own'),
    },
  },
  'a folder that Gemini trusts by its list': {
    programs: ['gemini'],
    tree: {
      ...inProject({ ...skill('.gemini/skills/in-project') }),
      ...skill('home/.agents/skills/own'),
      'home/.gemini/trustedFolders.json': JSON.stringify({ '{root}/home/code': 'TRUST_FOLDER' }),
    },
  },
  'a folder that Gemini distrusts below a trusted one': {
    programs: ['gemini'],
    tree: {
      ...inProject({ ...skill('.gemini/skills/in-project') }),
      ...skill('home/.agents/skills/own'),
      'home/.gemini/trustedFolders.json': JSON.stringify({
        '{root}/home': 'TRUST_FOLDER',
        '{root}/home/code/project': 'DO_NOT_TRUST',
      }),
    },
  },
  'extensions of Gemini': {
    programs: ['gemini'],
    tree: {
      ...inProject({}),
      ...skill('home/.agents/skills/own'),
      ...skill('home/.agents/skills/clashing', { description: "The user's." }),
      ...skill('home/.gemini/extensions/ext/skills/extended'),
      ...skill('home/.gemini/extensions/ext/skills/clashing', { description: "The extension's." }),
      'home/.gemini/extensions/ext/gemini-extension.json': JSON.stringify({ name: 'ext', version: '1.0.0' }),
    },
    variables: TRUSTED,
  },
  'switches of OpenCode': {
    isAboutLists: true,
    programs: ['opencode'],
    tree: {
      ...inProject({
        ...skill('.opencode/skills/in-project'),
        'opencode.json': JSON.stringify({ permission: { skill: { 'in-project': 'deny', 'again-allowed': 'allow' } } }),
      }),
      ...under('home/.agents/skills', {
        ...skill('kept'),
        ...skill('asked'),
        ...skill('denied'),
        ...skill('web-one'),
        ...skill('web-two'),
        ...skill('again-allowed'),
        ...skill('no-model', { 'disable-model-invocation': true }),
      }),
      ...skill('home/more/further'),
      ...skill('home/code/project/relative/near'),
      'home/.config/opencode/opencode.jsonc': `{
        // Comments are allowed here.
        "permission": { "skill": { "*": "allow", "asked": "ask", "denied": "deny", "web-*": "deny", "web-two": "allow", "again-*": "deny" } },
        "skills": { "paths": ["~/more", "relative"] },
      }`,
    },
  },
  'OpenCode without the folders of others': {
    programs: ['opencode'],
    tree: { ...inProject({}), ...everywhere('home', USER_FOLDERS, 'user') },
    variables: { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' },
  },
  "OpenCode without Claude Code's folders": {
    programs: ['opencode'],
    tree: { ...inProject({}), ...everywhere('home', USER_FOLDERS, 'user') },
    variables: { OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: 'true' },
  },
  'OpenCode without anything of Claude Code': {
    programs: ['opencode'],
    tree: { ...inProject({}), ...everywhere('home', USER_FOLDERS, 'user') },
    variables: { OPENCODE_DISABLE_CLAUDE_CODE: '1' },
  },
  'moved folders': {
    tree: {
      ...inProject({}),
      ...everywhere('home', USER_FOLDERS, 'user'),
      ...skill('moved/claude/skills/moved-claude'),
      ...skill('moved/codex/skills/moved-codex'),
      'moved/codex/config.toml': CODEX_ALONE,
      ...skill('moved/copilot/skills/moved-copilot'),
      ...skill('moved/config/opencode/skills/moved-opencode'),
      ...skill('moved/gemini/.gemini/skills/moved-gemini'),
      ...skill('moved/gemini/.agents/skills/moved-agents'),
    },
    variables: {
      ...TRUSTED,
      CLAUDE_CONFIG_DIR: '{root}/moved/claude',
      CODEX_HOME: '{root}/moved/codex',
      COPILOT_HOME: '{root}/moved/copilot',
      GEMINI_CLI_HOME: '{root}/moved/gemini',
      XDG_CONFIG_HOME: '{root}/moved/config',
    },
  },
  'a folder of settings for OpenCode': {
    programs: ['opencode'],
    tree: {
      ...inProject({}),
      ...everywhere('home', USER_FOLDERS, 'user'),
      ...skill('moved/skills/moved-opencode'),
      ...skill('moved/skill/moved-too'),
    },
    variables: { OPENCODE_CONFIG_DIR: '{root}/moved' },
  },
  'a hundred and twenty skills': {
    isAboutLists: true,
    programs: ['gemini', 'opencode'],
    tree: {
      ...inProject({}),
      ...under(
        'home/.agents/skills',
        many(120, (at) => 40 + ((at * 37) % 300)),
      ),
    },
    variables: TRUSTED,
  },
};
