import type { RoleCensus } from '#lib/autonomy';
import type { JobQueue, Outbox, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import { SqlAgentNames } from './adapters/sql-agent-names.js';
import { SqlImpactFindings } from './adapters/sql-impact-findings.js';
import { SqlSettingsStamps } from './adapters/sql-settings-stamps.js';
import { SqlStoredDecisions } from './adapters/sql-stored-decisions.js';
import { SqlImpactReportRepository } from './adapters/sql-impact-report.repository.js';
import { AdvanceImpact } from './application/advance-impact.js';
import { AskImpact } from './application/ask-impact.js';
import { FollowChanges } from './application/follow-changes.js';
import { ImpactOfPolicies } from './application/impact-of-policies.js';
import type { AskedChanges } from './application/impact.ports.js';
import { ReadImpact } from './application/read-impact.js';
import { ReadWorld, type ReadWorldDeps } from './application/read-world.js';

export interface ImpactDeps extends ReadWorldDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly policy: PolicyDecisionPoint;
  readonly changes: AskedChanges;
  readonly census: RoleCensus;
}

/** Impact reports. */
export type Impact = ReturnType<typeof createImpact>;

export function createImpact({ uow, jobs, outbox, policy, changes, census, ...standing }: ImpactDeps) {
  const reports = new SqlImpactReportRepository();
  const findings = new SqlImpactFindings();
  const worlds = new ReadWorld(standing);
  const reading = { worlds, decisions: new SqlStoredDecisions(), census };
  const agents = new SqlAgentNames();
  const stamps = new SqlSettingsStamps();
  return {
    askImpact: new AskImpact(uow, reports, worlds, stamps, jobs),
    readImpact: new ReadImpact(uow, reports, findings, agents, stamps, policy),
    followChanges: new FollowChanges(reports, jobs),
    advanceImpact: new AdvanceImpact({ ...{ uow, reports, findings, changes, stamps, outbox, policy }, ...reading }),
    impactOfPolicies: new ImpactOfPolicies(uow, reading, policy, agents),
  };
}
