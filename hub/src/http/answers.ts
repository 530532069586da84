import { z } from 'zod';

import { ROLES } from '../access/roles.ts';
import { VERDICTS } from '../publishing/review.ts';
import { POLICIES } from '../store/scopes.ts';

/** The content of an answer: a schema of JSON, or the type of other content. */
export type AnswerContent = z.ZodType | { readonly type: string };

const Text = z.string();
const Time = z.iso.datetime();
const Count = z.int().min(0);
const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Role = z.enum(ROLES);
const Grant = z.strictObject({ scope: Text, role: Role });
const Done = { ok: z.literal(true) };
const State = z.enum(['waiting', 'published', 'rejected', 'yanked']);
const Severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);

const Found = z.strictObject({
  scope: Text,
  name: Text,
  title: Text,
  version: Text,
  description: Text,
  tags: z.array(Text),
  score: z.number(),
  confidence: z.number(),
  weak: z.literal(true).optional(),
  reasons: z.array(Text),
  nearDuplicates: z.array(Text).optional(),
});

const ListedSkill = z.strictObject({
  scope: Text,
  name: Text,
  version: Text.nullable(),
  description: Text.nullable(),
  tags: z.array(Text),
  publishedAt: Time.nullable(),
});

const ServedVersion = z.strictObject({
  id: z.int(),
  version: Text,
  digest: Digest,
  archive: Digest,
  state: z.enum(['published', 'yanked']),
  reason: Text.nullable(),
  publishedBy: Text,
  publishedAt: Time,
});

const Finding = z.strictObject({
  rule: Text,
  name: Text,
  severity: Severity,
  certainty: z.enum(['certain', 'likely', 'possible']).optional(),
  file: Text,
  member: Text.optional(),
  line: z.int().optional(),
  excerpt: Text,
  why: Text,
});

const Version = z.strictObject({
  ...ServedVersion.shape,
  scope: Text,
  name: Text,
  description: Text,
  // The frontmatter of its SKILL.md, which may hold anything.
  manifest: z.looseObject({ name: Text, description: Text, tags: z.array(Text) }),
  findings: z.array(Finding),
  warnings: z.array(Text),
  state: State,
  decidedBy: Text.nullable(),
  decidedAt: Time.nullable(),
  approvedBy: Text.nullable(),
  tag: Text.nullable(),
});

const ViewedVersion = Version.extend({ before: Text.nullable(), verdicts: z.array(z.enum(VERDICTS)) });
const File = z.strictObject({ path: Text, executable: z.boolean(), size: Count, digest: Digest });
const Decided = z.strictObject({ ...Done, version: Version });
const Scope = z.strictObject({
  name: Text,
  policy: z.enum(POLICIES),
  failOn: z.enum(['low', 'medium', 'high', 'critical']),
});

const Token = z.strictObject({
  id: z.int(),
  name: Text,
  person: Text,
  role: Role,
  scopes: z.array(Text).nullable(),
  createdAt: Time,
  createdBy: Text,
  expiresAt: Time.nullable(),
  revokedAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
});

const Session = z.strictObject({
  ...Done,
  person: Text.nullable(),
  grants: z.array(Grant),
  isAnonymous: z.boolean(),
  changeToken: Text.nullable(),
  publicUrl: Text.nullable(),
  version: Text,
});

const LogRow = z.strictObject({
  id: z.int(),
  at: Time,
  actor: Text,
  action: Text,
  scope: Text.nullable(),
  skill: Text.nullable(),
  version: Text.nullable(),
  detail: z.record(Text, z.unknown()),
});

const Use = { scope: Text, skill: Text, version: Text, count: Count, people: Count };
const Week = z.iso.date();
const Index = z.looseObject({
  $schema: Text,
  skills: z.array(z.looseObject({ name: Text, description: Text, type: Text, url: Text, digest: Digest })),
});
/** A protocol of its own; see the specification of MCP. */
const Mcp = { type: 'text/event-stream' };

const SKILL = '/api/v1/skills/:scope/:name';

/** The answer of each route if it does what it is asked. */
export const ANSWERS: Readonly<Record<string, AnswerContent>> = {
  'GET /api/v1/search': z.strictObject({ ...Done, results: z.array(Found) }),
  'GET /api/v1/skills': z.strictObject({
    ...Done,
    total: Count,
    skills: z.array(ListedSkill),
    next: Text.nullable(),
  }),
  [`GET ${SKILL}`]: ListedSkill.omit({ tags: true }).extend({
    ...Done,
    title: Text.nullable(),
    versions: z.array(ServedVersion),
    tags: z.record(Text, Text),
  }),
  [`GET ${SKILL}/versions/:version`]: z.strictObject({ ...Done, version: ViewedVersion, files: z.array(File) }),
  [`GET ${SKILL}/versions/:version/archive`]: { type: 'application/gzip' },
  [`GET ${SKILL}/versions/:version/files/*`]: { type: 'application/octet-stream' },
  [`GET ${SKILL}/versions/:version/diff/:other`]: z.strictObject({
    ...Done,
    from: Text,
    to: Text,
    changes: z.array(
      z.strictObject({ path: Text, kind: z.enum(['added', 'removed', 'changed']), diff: Text.optional() }),
    ),
  }),
  [`GET ${SKILL}/versions`]: z.strictObject({ ...Done, versions: z.array(ViewedVersion) }),
  [`POST ${SKILL}/versions`]: z.strictObject({
    ...Done,
    scope: Text,
    name: Text,
    version: Text,
    digest: Digest,
    warnings: z.array(Text),
    state: State,
    unchanged: z.boolean(),
    waitsFor: z.array(Text),
  }),
  ...Object.fromEntries(VERDICTS.map((verdict) => [`POST ${SKILL}/versions/:version/${verdict}`, Decided])),
  [`PUT ${SKILL}/tags/:tag`]: z.strictObject({ ...Done, tag: Text, version: Text }),
  [`DELETE ${SKILL}/tags/:tag`]: z.strictObject(Done),
  'GET /api/v1/reviews': z.strictObject({
    ...Done,
    reviews: z.array(ViewedVersion.extend({ files: z.array(File) })),
  }),
  'GET /api/v1/whoami': z.strictObject({ ...Done, person: Text, grants: z.array(Grant) }),
  'GET /api/v1/session': Session,
  'POST /api/v1/session': Session,
  'DELETE /api/v1/session': z.strictObject(Done),
  'GET /api/v1/scopes': z.strictObject({ ...Done, scopes: z.array(Scope) }),
  'PUT /api/v1/scopes/:scope': z.strictObject({ ...Done, scope: Scope }),
  'GET /api/v1/scopes/:scope/members': z.strictObject({
    ...Done,
    members: z.array(z.strictObject({ person: Text, role: Role })),
  }),
  'PUT /api/v1/scopes/:scope/members/:person': z.strictObject({ ...Done, person: Text, role: Role.nullable() }),
  'GET /api/v1/tokens': z.strictObject({ ...Done, tokens: z.array(Token) }),
  'POST /api/v1/tokens': z.strictObject({ ...Done, secret: Text, token: Token }),
  'DELETE /api/v1/tokens/:id': z.strictObject(Done),
  'GET /api/v1/log': z.strictObject({ ...Done, log: z.array(LogRow) }),
  'POST /api/v1/usage': z.strictObject({ ...Done, taken: Count, ignored: Count }),
  'GET /api/v1/usage': z.strictObject({
    ...Done,
    uses: z.array(z.strictObject({ ...Use, week: Week, host: Text })),
    versions: z.array(
      z.strictObject({
        ...Use,
        lastWeek: Week,
        state: z.enum(['published', 'yanked', 'gone']),
        isLatest: z.boolean(),
      }),
    ),
    weeks: z.array(z.strictObject({ week: Week, scope: Text, skills: Count, count: Count, people: Count })),
    unused: z.array(Text),
  }),
  'GET /api/v1/scopes/:scope/usage': z.strictObject({
    ...Done,
    users: z.array(z.strictObject({ person: Text, skill: Text, version: Text, lastWeek: Week, count: Count })),
  }),
  'GET /.well-known/agent-skills/index.json': Index,
  'GET /@/:scope/.well-known/agent-skills/index.json': Index,
  'GET /healthz': z.strictObject({ ...Done, version: Text }),
  'GET /readyz': z.strictObject({ ...Done, skills: Count }),
  'GET /metrics': { type: 'text/plain; version=0.0.4; charset=utf-8' },
  'GET /api/v1/backup': { type: 'application/x-ndjson' },
  'POST /mcp': Mcp,
  'GET /mcp': Mcp,
  'DELETE /mcp': Mcp,
};

/** The answer of any route that does not. */
export const REFUSED: z.ZodType = z.strictObject({
  ok: z.literal(false),
  code: Text,
  message: Text,
  advice: Text.optional(),
  details: z.array(Text).optional(),
});
