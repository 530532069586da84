import { change, job, read, type Endpoint } from '../endpoint.ts';
import { auditAll } from './audit-all.ts';
import { describeSkill } from './describe-skill.ts';
import { editSkill } from './edit-skill.ts';
import { grantTrust, inspectTrust, revokeTrust } from './inspect-trust.ts';
import { listSkills } from './list-skills.ts';
import { applyFix, changePin, changePreference, previewFix } from './one-skill-changes.ts';
import { previewFile } from './preview-file.ts';
import { rankSkills } from './rank-skills.ts';
import { recentUse } from './recent-use.ts';
import { describeSession } from './session.ts';
import { viewSkillInHosts } from './skill-hosts.ts';
import { describeUse } from './skill-usage.ts';
import { switchSkills } from './switch-skills.ts';
import { viewHosts } from './view-hosts.ts';

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
  read('usage/recent', recentUse),
  read('hosts', viewHosts),
  change('skills/switch', switchSkills),
  change('skill/fix', applyFix),
  change('skill/trust', grantTrust),
  change('skill/untrust', revokeTrust),
  change('skill/pin', changePin),
  change('skill/prefer', changePreference),
  change('skill/edit', editSkill),
  job('audit/all', auditAll, { changes: false }),
];
