import type { AuditSeverity } from 'skillplane/audit';

import type { Grant, Role } from '../access/roles.ts';
import type { Queries } from '../database/database.ts';

/** The condition for readers to see a new version. */
export type Policy = 'open' | 'audited' | 'reviewed';
export const POLICIES: readonly Policy[] = ['open', 'audited', 'reviewed'];

export interface Scope {
  readonly name: string;
  readonly policy: Policy;
  /** With the policy `audited`, findings of this severity and above make a version wait for a person. */
  readonly failOn: Exclude<AuditSeverity, 'info'>;
}

export async function findScope(queries: Queries, name: string): Promise<Scope | undefined> {
  const [row] = await queries.query<Scope>('SELECT name, policy, fail_on AS "failOn" FROM scopes WHERE name = $1', [
    name,
  ]);
  return row;
}

export async function listScopes(queries: Queries): Promise<readonly Scope[]> {
  return queries.query<Scope>('SELECT name, policy, fail_on AS "failOn" FROM scopes ORDER BY name');
}

/** Creates the scope, or changes its policy. */
export async function saveScope(queries: Queries, { name, policy, failOn }: Scope): Promise<void> {
  await queries.query(
    `INSERT INTO scopes (name, policy, fail_on) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET policy = excluded.policy, fail_on = excluded.fail_on`,
    [name, policy, failOn],
  );
}

/** A person's roles, for people that a proxy signs in. */
export async function listGrants(queries: Queries, person: string): Promise<readonly Grant[]> {
  return queries.query<Grant>('SELECT scope, role FROM members WHERE person = $1 ORDER BY scope', [person]);
}

export async function listMembers(queries: Queries, scope: string): Promise<readonly { person: string; role: Role }[]> {
  return queries.query('SELECT person, role FROM members WHERE scope = $1 ORDER BY person', [scope]);
}

/** Gives a person a role in a scope, or takes it away. */
export async function setMember(
  queries: Queries,
  scope: string,
  { person, role }: { readonly person: string; readonly role: Role | null },
): Promise<void> {
  if (role === null) await queries.query('DELETE FROM members WHERE scope = $1 AND person = $2', [scope, person]);
  else
    await queries.query(
      `INSERT INTO members (person, scope, role) VALUES ($1, $2, $3)
       ON CONFLICT (person, scope) DO UPDATE SET role = excluded.role`,
      [person, scope, role],
    );
}
