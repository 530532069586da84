import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { KIND, writeSkills } from './many-skills.ts';
import { withScratch } from './scratch.ts';
import type { Section } from './table.ts';

const REQUEST = 'Make a report with the totals of a table';
const FILES: Readonly<Record<string, string>> = {
  'report/SKILL.md':
    '---\nname: report\ndescription: Make a report with totals of a table.\n---\nRun scripts/totals.sh.\n',
  'report/scripts/totals.sh':
    '#!/usr/bin/env bash\nset -eu\ncd "$(dirname "$0")/.."\nprintf "total %d\\n" "$(awk "NR > 1 { n += 1 } END { print n }" SKILL.md)"\n',
  'colon/SKILL.md': '---\nname: colon\ndescription: Review code: style, bugs and tests.\n---\nReview.\n',
};
const MANY = 500;
const NAMES: Readonly<Record<string, string>> = {
  skillplane: 'Skillplane, AI SDK',
  bashTool: 'bash-tool 1.3.19, AI SDK',
  mastra: 'Mastra 1.71.0',
  deepagents: 'deepagents 1.14.1',
};
const HOW =
  'npm install --ignore-scripts --legacy-peer-deps deepagents@1.14.1 langchain@1.5.14 @langchain/core@1.2.13 @langchain/langgraph@1.4.13 @langchain/langgraph-sdk langsmith bash-tool@1.3.19 just-bash ai@7.0.169 @mastra/core@1.71.0';

/** The output of `framework-peers.mjs` for one of them. */
interface Seen {
  readonly lines: number;
  readonly prompt?: string;
  readonly tools?: readonly string[];
  readonly results?: readonly string[];
}

/** Attaches the same skills to agents of several frameworks, in one run: the work to attach them, and the prompt that results. */
export async function measureFrameworkPeers(args: readonly string[]): Promise<Section | string> {
  const at = args.indexOf('--peers');
  const folder = at === -1 ? undefined : args[at + 1];
  if (folder === undefined)
    return `framework-peers was not measured: run \`${HOW}\` in a folder of its own, and name it with \`--peers <folder>\`.`;
  const [few, many] = [await measure(resolve(folder), 0), await measure(resolve(folder), MANY)];
  return {
    title: 'Skills in frameworks, side by side',
    note: `Each as its documentation attaches skills, with a scripted model. Characters of the system prompt and of the definitions of all tools, at ${MANY} ${KIND} skills. The colon is unquoted in a description, which is not valid YAML. Search: the right skill is first. The script is run by the tool that each offers; Mastra and deepagents run it with all rights of the user, bash-tool in a shell in memory, Skillplane in its sandbox.`,
    columns: [
      '',
      'lines to attach',
      `characters at ${MANY} skills`,
      'skill with a colon',
      'search',
      'unmodified script',
    ],
    rows: Object.entries(NAMES).map(([key, name]) => {
      const [small, large] = [few[key], many[key]];
      const search = small?.tools?.find((tool) => /^(?:search_skills|skill_search)$/.test(tool));
      const isFirst = /^\W*(?:Best first:\W*)?report\b/.test(small?.results?.[0] ?? '');
      return [
        name,
        String(small?.lines),
        large?.prompt?.length.toLocaleString('en') ?? 'fails',
        small?.prompt?.includes('Review code') === true ? 'is listed' : 'is missing',
        search === undefined ? 'none' : `\`${search}\`, ${isFirst ? 'right' : 'wrong'}`,
        small?.results?.at(-1)?.includes('total 4') === true ? 'works' : 'fails',
      ];
    }),
  };
}

async function measure(folder: string, count: number): Promise<Readonly<Record<string, Seen | undefined>>> {
  return withScratch((dir) => {
    if (count > 0) writeSkills(join(dir, 'skills'), count);
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(dir, 'skills', path)), { recursive: true });
      writeFileSync(join(dir, 'skills', path), text);
    }
    const program = join(folder, 'framework-peers.mjs');
    copyFileSync('bench/framework-peers.mjs', program);
    rmSync(join(folder, 'node_modules/skillplane'), { force: true });
    symlinkSync(resolve('.'), join(folder, 'node_modules/skillplane'));
    const { stdout } = spawnSync(process.execPath, [program, dir, REQUEST], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    // Others print there, too.
    const line = stdout.split('\n').findLast((one) => one.startsWith('{"skillplane"'));
    return JSON.parse(line ?? '{}') as Readonly<Record<string, Seen>>;
  });
}
