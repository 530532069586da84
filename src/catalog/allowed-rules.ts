import { join } from 'node:path';

import { compareText } from '../model/order.ts';
import type { Outcome } from '../model/outcome.ts';
import { isoTime } from '../model/time.ts';
import { now } from '../platform/clock.ts';
import { hasTexts, openEntryFile } from '../platform/files/entry-file.ts';

/** The audit rules that a person allowed for a skill in one state. */
export interface AllowedSkill {
  readonly name: string;
  readonly digest: string;
  readonly rules: readonly string[];
}

/** Stores which findings a person accepted, next to the trust records. A changed skill must be reviewed again. */
export interface AllowedRules {
  /** Empty if nothing was allowed for a skill with this digest. */
  find(digest: string): Outcome<{ readonly rules: readonly string[] }>;
  /** Adds to what is allowed. Skills without rules are left out. */
  remember(skills: readonly AllowedSkill[]): Promise<Outcome>;
}

export function openAllowedRules(agentHome: string): AllowedRules {
  const file = openEntryFile(join(agentHome, 'audit-allowed.json'), {
    kind: 'list of allowed findings',
    isEntry,
    compare: (a, b) => compareText(a.digest, b.digest),
  });
  return {
    find(digest) {
      const read = file.read();
      if (!read.ok) return read;
      return { ok: true, rules: read.entries.find((entry) => entry.digest === digest)?.rules ?? [] };
    },
    async remember(skills) {
      const allowed = skills.filter(({ rules }) => rules.length > 0);
      if (allowed.length === 0) return { ok: true };
      const allowedAt = isoTime(now());
      return file.change((entries) => {
        const known = new Map(entries.map((entry) => [entry.digest, entry]));
        for (const { name, digest, rules } of allowed) {
          const united = [...new Set([...(known.get(digest)?.rules ?? []), ...rules])].sort(compareText);
          known.set(digest, { digest, name, rules: united, allowedAt });
        }
        return { ok: true, entries: [...known.values()] };
      });
    },
  };
}

interface AllowedEntry extends AllowedSkill {
  /** ISO 8601, for people. */
  readonly allowedAt: string;
}

function isEntry(entry: unknown): entry is AllowedEntry {
  if (!hasTexts(entry, ['digest', 'name', 'allowedAt'])) return false;
  const { rules }: { rules?: unknown } = Object(entry);
  return Array.isArray(rules) && rules.every((rule) => typeof rule === 'string');
}
