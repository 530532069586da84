import { join } from 'node:path';

import { listPresentAgents } from '../hosts/all-hosts.ts';
import { AGENTS } from '../model/agents.ts';
import { VERSION } from '../model/version.ts';
import { exists } from '../platform/files/files.ts';
import { applyGiving, connect, planGiving, previewConnection, viewAgents, viewSkillAgents } from './answers/agents.ts';
import { checkHealth, repair } from './answers/health.ts';
import {
  applyUpdate,
  holdInstalled,
  importForeign,
  installFromAddress,
  listForeign,
  listInstalled,
  lookAtAddress,
  lookAtForeign,
  lookForUpdates,
  removeInstalled,
  rollBack,
  viewVersions,
} from './answers/installed.ts';
import { previewCase, runEvals, saveCase, takeBackCase, viewLab } from './answers/lab.ts';
import { viewAnswer, viewModel, viewTold, viewTools } from './answers/model.ts';
import {
  applyFix,
  changePin,
  changePreference,
  describeSkill,
  editSkill,
  previewFile,
  previewFix,
} from './answers/skill.ts';
import { auditAll, listSkills, rankSkills, applySwitch } from './answers/skills.ts';
import { chooseDefault, readDefault, viewStart } from './answers/start.ts';
import { grantTrust, inspectTrust, revokeTrust } from './answers/trust.ts';
import { describeUse, recentUse, viewUsage } from './answers/usage.ts';
import { read, type Shapes } from './endpoint.ts';
import { nothing } from './input-fields.ts';

/** Facts about the console itself. */
const describeSession = read(nothing, async ({ skills, isReadOnly, changeToken }) => {
  const { cwd, home, agentHome } = skills.environment;
  return {
    ok: true,
    version: VERSION,
    /** The directory whose skills are shown. */
    cwd,
    home,
    /** The file that changes of settings go to. */
    configFile: join(agentHome, 'config.yaml'),
    isReadOnly,
    /** Has its user not set anything yet? */
    isNew: !exists(join(agentHome, 'config.yaml')),
    /** The agent programs that were on this machine when the page was opened. */
    hosts: listPresentAgents(skills.environment).map(({ id, title }) => ({ id, title, mark: AGENTS[id].mark })),
    /** Every change must send it. */
    changeToken,
  };
});

/** Questions, by the path behind `/api/`. */
export const READS = {
  session: describeSession,
  start: viewStart,
  'agents/default': readDefault,
  skills: listSkills,
  search: rankSkills,
  skill: describeSkill,
  'skill/file': previewFile,
  'skill/trust': inspectTrust,
  'skill/fix': previewFix,
  'skill/usage': describeUse,
  'skill/versions': viewVersions,
  'skill/agents': viewSkillAgents,
  agents: viewAgents,
  'agents/plan': planGiving,
  'agents/connect': previewConnection,
  model: viewModel,
  'model/told': viewTold,
  'model/tools': viewTools,
  'model/answer': viewAnswer,
  lab: viewLab,
  'lab/case': previewCase,
  usage: viewUsage,
  'usage/recent': recentUse,
  health: checkHealth,
  installed: listInstalled,
  foreign: listForeign,
};

/** Changes, by the path behind `/api/`. */
export const CHANGES = {
  'agents/default': chooseDefault,
  'skills/switch': applySwitch,
  'skill/fix': applyFix,
  'skill/trust': grantTrust,
  'skill/untrust': revokeTrust,
  'skill/pin': changePin,
  'skill/prefer': changePreference,
  'skill/edit': editSkill,
  'lab/case': saveCase,
  'lab/uncase': takeBackCase,
  'agents/give': applyGiving,
  'agents/connect': connect,
  'health/repair': repair,
  'installed/rollback': rollBack,
  'installed/hold': holdInstalled,
  'installed/remove': removeInstalled,
};

/** Long work, by the path behind `/api/`. */
export const JOBS = {
  'audit/all': auditAll,
  'updates/check': lookForUpdates,
  'updates/apply': applyUpdate,
  'install/look': lookAtAddress,
  'install/apply': installFromAddress,
  'import/look': lookAtForeign,
  'import/apply': importForeign,
  'evals/run': runEvals,
};

export type Reads = Shapes<typeof READS>;
export type Changes = Shapes<typeof CHANGES>;
export type Jobs = Shapes<typeof JOBS>;
