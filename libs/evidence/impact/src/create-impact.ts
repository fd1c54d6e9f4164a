import type { RoleCensus } from '#lib/autonomy';
import type { JobQueue, Outbox, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import { LibraryWorldReader, type WorldSources } from './adapters/library-world-reader.js';
import { SqlAgentNames } from './adapters/sql-agent-names.js';
import { SqlImpactFindings } from './adapters/sql-impact-findings.js';
import { SqlSettingsStamps } from './adapters/sql-settings-stamps.js';
import { SqlStoredDecisions } from './adapters/sql-stored-decisions.js';
import { SqlImpactReportRepository } from './adapters/sql-impact-report.repository.js';
import { AdvanceImpact } from './application/advance-impact.js';
import { AskImpact } from './application/ask-impact.js';
import { FollowChanges } from './application/follow-changes.js';
import { ImpactBatches } from './application/impact-batches.js';
import type { ImpactFindings } from './application/impact-findings.js';
import { ImpactOfPolicies } from './application/impact-of-policies.js';
import type {
  AgentNames,
  AskedChanges,
  ImpactReportRepository,
  SettingsStamps,
  StoredDecisions,
  WorldReader,
} from './application/impact.ports.js';
import { ReadImpact } from './application/read-impact.js';

/** The reports, and everything that they are worked out from. */
export interface ImpactRows {
  readonly reports: ImpactReportRepository;
  readonly findings: ImpactFindings;
  readonly decisions: StoredDecisions;
  readonly worlds: WorldReader;
  readonly stamps: SettingsStamps;
  readonly agents: AgentNames;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createImpactStore = (sources: WorldSources): ImpactRows => ({
  reports: new SqlImpactReportRepository(),
  findings: new SqlImpactFindings(),
  decisions: new SqlStoredDecisions(),
  worlds: new LibraryWorldReader(sources),
  stamps: new SqlSettingsStamps(),
  agents: new SqlAgentNames(),
});

export interface ImpactDeps {
  readonly uow: UnitOfWork;
  readonly rows: ImpactRows;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate' | 'bundleRevision'>;
  readonly changes: AskedChanges;
  readonly census: RoleCensus;
}

/** Impact reports. */
export type Impact = ReturnType<typeof createImpact>;

export function createImpact({ uow, rows, jobs, outbox, policy, changes, census }: ImpactDeps) {
  const { reports, findings, decisions, worlds, stamps, agents } = rows;
  const batches = new ImpactBatches({ worlds, decisions, census });
  return {
    askImpact: new AskImpact(uow, reports, worlds, stamps, jobs),
    readImpact: new ReadImpact(uow, reports, findings, agents, stamps, policy),
    followChanges: new FollowChanges(reports, jobs),
    advanceImpact: new AdvanceImpact({
      ...{ uow, reports, findings, changes, stamps, outbox, policy, batches, worlds },
    }),
    impactOfPolicies: new ImpactOfPolicies(uow, batches, policy, agents),
  };
}
