import { HOSTS } from '../../hosts/all-hosts.ts';
import { HOST_IDS } from '../../model/agents.ts';
import { readTypedFrontmatter } from '../../parse/strict/strict-fields.ts';
import { findFieldFault, findSizeFault } from '../publishing-rules.ts';
import { claudeUpload } from './claude-upload.ts';
import { ghSkill } from './gh-skill.ts';
import { hostTarget } from './host-target.ts';
import { specification } from './specification.ts';
import { refuses, type GivingTarget } from './target.ts';

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
