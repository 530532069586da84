import { HOSTS } from '../../hosts/all-hosts.ts';
import { HOST_IDS } from '../../hosts/host.ts';
import { readTypedFrontmatter } from '../../parse/strict/typed-frontmatter.ts';
import { validateFolder } from '../../parse/strict/validate.ts';
import { findFieldFault, findSizeFault } from '../publishing-rules.ts';
import { claudeUpload } from './claude-upload.ts';
import { ghSkill } from './gh-skill.ts';
import { hostTarget } from './host-target.ts';
import { refuses, type GivingTarget } from './target.ts';

/** The specification itself, by its reference validator. */
const specification: GivingTarget = {
  id: 'spec',
  title: 'specification',
  seenIn: 'agentskills 69ef37e',
  judge: ({ folder }) =>
    validateFolder(folder, { spec: true }).errors.map(({ code, message }) =>
      refuses(message, code === 'UNKNOWN_FIELD' ? 'Move them into metadata with `fix --spec`.' : undefined),
    ),
};

/** The Skills extension of MCP. */
const mcpExtension: GivingTarget = {
  id: 'mcp',
  title: 'MCP extension',
  seenIn: 'SEP-2640',
  judge({ id, folder, bytes }) {
    const read = readTypedFrontmatter(bytes);
    const fault = read.ok ? (findFieldFault(id, read.fields) ?? findSizeFault(folder.files().files)) : read.message;
    return fault === undefined ? [] : [refuses(fault)];
  },
};

/** Every target, in the order of the table. */
export const TARGETS: readonly GivingTarget[] = [
  specification,
  claudeUpload,
  ...HOST_IDS.map((id) => hostTarget(HOSTS[id])),
  mcpExtension,
  ghSkill,
];
