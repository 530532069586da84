import { change, job, read, type Endpoint } from '../endpoint.ts';
import { installFromAddress, lookAtAddress } from '../installed/install-from-address.ts';
import { holdInstalled, listInstalled, removeInstalled, rollBack, viewVersions } from '../installed/list-installed.ts';
import { applyUpdate, lookForUpdates } from '../installed/update-installed.ts';
import { auditAll } from './audit-all.ts';
import { checkHealth, repair } from './check-health.ts';
import { connect, previewConnection } from './connect-hosts.ts';
import { describeSkill } from './describe-skill.ts';
import { editSkill } from './edit-skill.ts';
import { previewCase, saveCase, takeBackCase } from './eval-cases.ts';
import { grantTrust, inspectTrust, revokeTrust } from './inspect-trust.ts';
import { listSkills } from './list-skills.ts';
import { applyFix, changePin, changePreference, previewFix } from './one-skill-changes.ts';
import { previewFile } from './preview-file.ts';
import { rankSkills } from './rank-skills.ts';
import { recentUse } from './recent-use.ts';
import { runEvals, viewLab } from './search-lab.ts';
import { describeSession } from './session.ts';
import { viewSkillInHosts } from './skill-hosts.ts';
import { describeUse } from './skill-usage.ts';
import { switchSkills } from './switch-skills.ts';
import { applySync, planCells, previewSync, takeBackSync } from './sync-hosts.ts';
import { viewHosts } from './view-hosts.ts';
import { viewModel } from './view-model.ts';
import { viewUsage } from './view-usage.ts';

/** Everything that the API does. */
export const ENDPOINTS: readonly Endpoint[] = [
  read('session', describeSession),
  read('skills', listSkills),
  read('search', rankSkills),
  read('skill', describeSkill),
  read('skill/file', previewFile),
  read('skill/trust', inspectTrust),
  read('skill/fix', previewFix),
  read('skill/usage', describeUse),
  read('skill/hosts', viewSkillInHosts),
  read('skill/versions', viewVersions),
  read('usage/recent', recentUse),
  read('hosts', viewHosts),
  read('hosts/sync', previewSync),
  read('hosts/connect', previewConnection),
  read('model', viewModel),
  read('lab', viewLab),
  read('lab/case', previewCase),
  read('usage', viewUsage),
  read('health', checkHealth),
  read('installed', listInstalled),
  change('skills/switch', switchSkills),
  change('skill/fix', applyFix),
  change('skill/trust', grantTrust),
  change('skill/untrust', revokeTrust),
  change('skill/pin', changePin),
  change('skill/prefer', changePreference),
  change('skill/edit', editSkill),
  change('lab/case', saveCase),
  change('lab/uncase', takeBackCase),
  change('hosts/sync', applySync),
  change('hosts/unsync', takeBackSync),
  change('hosts/connect', connect),
  change('health/repair', repair),
  change('installed/rollback', rollBack),
  change('installed/hold', holdInstalled),
  change('installed/remove', removeInstalled),
  job('updates/check', lookForUpdates, { changes: false }),
  job('updates/apply', applyUpdate),
  job('install/look', lookAtAddress, { changes: false }),
  job('install/apply', installFromAddress),
  job('hosts/plan', planCells, { changes: false }),
  job('evals/run', runEvals, { changes: false }),
  job('audit/all', auditAll, { changes: false }),
];
