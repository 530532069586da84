import type { Changes, Jobs, Reads } from '../../../src/http/api.ts';

/** The parts of the server's answers that several files of the page name. Their types are those of the answers themselves. */

export type { Changes, Jobs, Reads };

type Answered<K extends keyof Reads> = Reads[K]['output'];

export type ConsoleSession = Answered<'session'>;

export type StartView = Answered<'start'>;
export type AgentDefault = Answered<'agents/default'>;

export type SkillList = Answered<'skills'>;
export type SkillRow = SkillList['skills'][number];
export type RowState = SkillRow['state'];
export type FoundRow = Answered<'search'>['results'][number];
export type RankingGap = Answered<'search'>['partial'][number];
export type RecentUse = Answered<'usage/recent'>['skills'][number];

export type SkillDetail = Answered<'skill'>;
export type Problem = SkillDetail['problems'][number];
export type TrustView = Answered<'skill/trust'>;
export type VersionsView = Answered<'skill/versions'>;

export type AgentsView = Answered<'agents'>;
export type AgentColumn = AgentsView['agents'][number];
export type ConnectionView = NonNullable<AgentColumn['connection']>;
export type AgentFact = Answered<'skill/agents'>['agents'][number];
export type GivingPlan = Answered<'agents/plan'>;
export type GivenView = Changes['agents/give']['output'];
export type AgentChange = Changes['agents/give']['input']['changes'][number];

export type ModelView = Answered<'model'>;
export type ModelSegment = ModelView['segments'][number];
export type ToldTool = Answered<'model/tools'>['tools'][number];
export type LabView = Answered<'lab'>;
export type LabResult = LabView['results'][number];
export type ScoreKind = LabResult['pieces'][number]['kind'];
export type HookView = LabView['hooks'][number];
export type LabCase = Changes['lab/case']['input'];
export type EvalSummary = Jobs['evals/run']['output'];

export type UsageView = Answered<'usage'>;
export type UsedSkill = NonNullable<UsageView['report']>['skills'][number];
export type UsageAdvice = UsageView['advice'][number];

export type HealthCheck = Answered<'health'>['checks'][number];
export type Repair = Changes['health/repair']['input'];

export type InstalledRow = Answered<'installed'>['skills'][number];
export type ForeignRow = Answered<'foreign'>['skills'][number];
export type InstalledNow = Jobs['install/apply']['output'];
export type Installed = Changes['installed/rollback']['input'];
export type Scope = Installed['scope'];
export type UpdateList = Jobs['updates/check']['output'];
export type UpdateRow = UpdateList['updates'][number];
export type InstallLook = Jobs['install/look']['output'];
