import { auditFolder } from '../../src/plugins/audit-folder.ts';
import type { Audit } from '../../src/plugins/audit.ts';
import { makeTree, type Tree } from './tree.ts';

/** The audit of a folder that must be there. */
export async function auditDirectory(dir: string): Promise<Audit> {
  const audited = await auditFolder(dir);
  if (!audited.ok) throw new Error(audited.message);
  return audited.audit;
}

export function auditTree(tree: Tree): Promise<Audit> {
  return auditDirectory(makeTree(tree));
}
