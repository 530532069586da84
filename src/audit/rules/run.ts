import type { Rule } from './rule.ts';

/** Findings about what scripts did when they were run with planted secrets (`audit --run`). */
export const RUN_RULES: Readonly<Record<'sent' | 'ran' | 'changed' | 'read' | 'hosts' | 'started' | 'notRun', Rule>> = {
  sent: {
    id: 'SP951',
    name: 'sent-a-planted-secret',
    severity: 'critical',
    why: 'The script was run with planted secrets, and sent one of them away. It would have sent yours.',
  },
  ran: {
    id: 'SP952',
    name: 'ran-what-it-downloaded',
    severity: 'critical',
    why: 'The script ran what a server answered, without a look at it.',
  },
  changed: {
    id: 'SP953',
    name: 'changed-a-start-file',
    severity: 'high',
    why: 'The script changed a file that shells or agents obey at every start.',
  },
  read: {
    id: 'SP954',
    name: 'read-a-planted-secret',
    severity: 'high',
    why: 'The script read a file with secrets of yours, for which it was not asked.',
  },
  hosts: {
    id: 'SP955',
    name: 'contacted-hosts',
    severity: 'info',
    why: 'The script tried to reach these hosts. Nothing left the machine.',
  },
  started: {
    id: 'SP956',
    name: 'started-programs',
    severity: 'info',
    why: 'The script started these programs.',
  },
  notRun: {
    id: 'SP957',
    name: 'not-run',
    severity: 'info',
    why: 'This script was not run, or did not get far, so nothing is known about what it does.',
  },
};
