import { sqlOf, type SystemQuery } from '#lib/database';
import type { SecretResolver } from '#lib/dispatch';
import type { AuditSink, RowSeals, SecretDigests, TenantId, TwoPersonRule, Tx, UnitOfWork } from '#lib/kernel';
import type { SealedTexts } from '#lib/tenancy';
import type { ToolRegistry } from '#lib/tool';
import { NotifiedSignals, RUNNER_CHANNEL, type Notifications } from './adapters/notified-signals.js';
import { SqlRunnerDispatchRepository } from './adapters/sql-runner-dispatch.repository.js';
import { SqlRunnerMcpServers } from './adapters/sql-runner-mcp-servers.js';
import { SqlRunnerRepository } from './adapters/sql-runner.repository.js';
import { AddRunner } from './application/add-runner.js';
import { HandOverAnswer, type AnswerRecords } from './application/hand-over-answer.js';
import { EnrolRunner } from './application/enrol-runner.js';
import { IntroduceRunner, type OpenSessionIds } from './application/introduce-runner.js';
import { LeavePool } from './application/leave-pool.js';
import { OfferCalls } from './application/offer-calls.js';
import { ReadCalls } from './application/read-calls.js';
import { ReadRunners } from './application/read-runners.js';
import { ReportCall } from './application/report-call.js';
import { RevokeRunner } from './application/revoke-runner.js';
import { RotateRunnerKey } from './application/rotate-runner-key.js';
import { offeredTo, type EnvironmentNames } from './application/runner.ports.js';
import { TakeCall } from './application/take-call.js';
import { VerifyProof } from './application/verify-proof.js';

export interface RunnerPoolDeps {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly notifications: Notifications;
  readonly keys: { readonly seals: RowSeals; readonly digests: SecretDigests; readonly texts: SealedTexts };
  readonly secrets: SecretResolver;
  readonly environments: EnvironmentNames;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  readonly sessions: OpenSessionIds;
  /** Countersign's own address: the audience of proofs. */
  readonly publicUrl: string;
  /** The longest time for which a call is offered to the runners of a pool, in milliseconds. */
  readonly offerMs: number;
}

/** Runners, and the calls that they fetch. */
export function createRunnerPool({
  uow,
  system,
  notifications,
  keys: { seals, digests, texts },
  secrets,
  environments,
  tools,
  twoPersonRule,
  audit,
  sessions,
  publicUrl,
  offerMs,
}: RunnerPoolDeps) {
  const runners = new SqlRunnerRepository(system, seals);
  const dispatches = new SqlRunnerDispatchRepository(texts);
  const mcpServers = new SqlRunnerMcpServers();
  const signals = new NotifiedSignals(notifications);
  const wake = (tenantId: TenantId, pool: string): void => {
    // A hint: a runner that waits asks again by itself within half a minute.
    void uow
      .run(tenantId, (tx) => {
        sqlOf(tx).announce(RUNNER_CHANNEL, offeredTo(tenantId, pool));
        return Promise.resolve();
      })
      .catch(() => undefined);
  };
  return {
    calls: new OfferCalls({ uow, runners, mcpServers, dispatches, signals, offerMs }),
    addRunner: new AddRunner(uow, runners, environments, digests, twoPersonRule, audit),
    enrolRunner: new EnrolRunner(uow, runners, digests, audit),
    verifyProof: new VerifyProof(uow, runners, publicUrl),
    /** The reason why a runner of a pool has no way back, for the prompt about a call. */
    noWayBack: (tx: Tx, pool: string, environment: string) => runners.noWayBack(tx, pool, environment),
    introduceRunner: new IntroduceRunner(uow, runners, mcpServers, sessions),
    leavePool: new LeavePool(uow, runners),
    rotateRunnerKey: new RotateRunnerKey(uow, runners, audit),
    revokeRunner: new RevokeRunner(uow, runners, mcpServers, dispatches, audit, wake),
    readRunners: new ReadRunners(uow, runners, mcpServers),
    readCalls: new ReadCalls(uow, dispatches),
    takeCall: new TakeCall({ uow, runners, dispatches, secrets, signals, tools }),
    reportCall: new ReportCall(uow, runners, dispatches, secrets, audit),
    handingOver: (records: AnswerRecords) => new HandOverAnswer(uow, dispatches, records),
  };
}
