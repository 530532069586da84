import { change, job, read, type Endpoint } from '../endpoint.ts';
import { auditAll } from './audit-all.ts';
import { findSkills } from './find-skills.ts';
import { listSkills } from './list-skills.ts';
import { recentUse } from './recent-use.ts';
import { describeSession } from './session.ts';
import { switchSkills } from './switch-skills.ts';
import { viewHosts } from './view-hosts.ts';

/** Everything that the API does. */
export const ENDPOINTS: readonly Endpoint[] = [
  read('session', describeSession),
  read('skills', listSkills),
  read('search', findSkills),
  read('usage/recent', recentUse),
  read('hosts', viewHosts),
  change('skills/switch', switchSkills),
  job('audit/all', auditAll, { changes: false }),
];
