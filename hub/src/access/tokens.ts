import { createHash, randomBytes } from 'node:crypto';

import type { Queries } from '../database/database.ts';
import { EVERY_SCOPE, type Identity, type Role } from './roles.ts';

/** All that is shown of a token after it was made. */
export interface TokenInfo {
  readonly id: number;
  readonly name: string;
  readonly person: string;
  readonly role: Role;
  /** Null: every scope. */
  readonly scopes: readonly string[] | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface NewToken {
  readonly name: string;
  readonly person: string;
  readonly role: Role;
  readonly scopes: readonly string[] | null;
  /** How long it is valid, by the clock of the database; null: until it is revoked. */
  readonly days: number | null;
  readonly createdBy: string;
}

/** So that programs which look for leaked secrets can recognise one. */
const PREFIX = 'sphub_';
const SECRET_BYTES = 32;
const SECRET_LETTERS: number = Math.ceil((SECRET_BYTES * 4) / 3);

export function hashToken(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}

/** Makes a token. Its secret is returned once; the database keeps only a hash. */
export async function createToken(
  queries: Queries,
  { name, person, role, scopes, days, createdBy }: NewToken,
): Promise<{ readonly secret: string; readonly token: TokenInfo }> {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const [row] = await queries.query<TokenRow>(
    `INSERT INTO tokens (name, person, hash, role, scopes, expires_at, created_by)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(days => $6::int), $7) RETURNING ${COLUMNS}`,
    [name, person, hashToken(secret), role, scopes, days, createdBy],
  );
  if (row === undefined) throw new Error('an inserted token was not returned');
  return { secret, token: toInfo(row) };
}

/** Could this be a token of a hub at all? */
export function isTokenShaped(secret: string): boolean {
  return secret.startsWith(PREFIX) && secret.length === PREFIX.length + SECRET_LETTERS;
}

/** The identity behind a secret; undefined if it is unknown, expired or revoked. */
export async function findIdentity(queries: Queries, secret: string): Promise<TokenIdentity | undefined> {
  const [row] = await queries.query<Pick<TokenRow, 'id' | 'person' | 'role' | 'scopes'> & { left: number | null }>(
    `SELECT id, person, role, scopes, extract(epoch FROM expires_at - now())::float8 AS left FROM tokens
     WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [hashToken(secret)],
  );
  if (row === undefined) return undefined;
  const { id, person, role, scopes, left } = row;
  const validMs = left === null ? Infinity : left * 1_000;
  return { validMs, person, token: id, grants: (scopes ?? [EVERY_SCOPE]).map((scope) => ({ scope, role })) };
}

/** Someone with a token, and how much longer it is valid. */
export interface TokenIdentity extends Identity {
  readonly validMs: number;
}

/** Remembers that a token was used. */
export async function touchToken(queries: Queries, id: number): Promise<void> {
  await queries.query('UPDATE tokens SET last_used_at = now() WHERE id = $1', [id]);
}

/** The newest first. */
export async function listTokens(queries: Queries): Promise<readonly TokenInfo[]> {
  const rows = await queries.query<TokenRow>(`SELECT ${COLUMNS} FROM tokens ORDER BY id DESC`);
  return rows.map(toInfo);
}

export async function getToken(queries: Queries, id: number): Promise<TokenInfo | undefined> {
  const [row] = await queries.query<TokenRow>(`SELECT ${COLUMNS} FROM tokens WHERE id = $1`, [id]);
  return row && toInfo(row);
}

export async function revokeToken(queries: Queries, id: number): Promise<void> {
  await queries.query('UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1', [id]);
}

const COLUMNS = 'id, name, person, role, scopes, created_at, created_by, expires_at, revoked_at, last_used_at';

interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly person: string;
  readonly role: Role;
  readonly scopes: readonly string[] | null;
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

function toInfo(row: TokenRow): TokenInfo {
  const { id, name, person, role, scopes } = row;
  return {
    id,
    name,
    person,
    role,
    scopes,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
