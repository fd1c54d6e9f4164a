import { sqlOf, type SystemQuery } from '#lib/database';
import type { SecretResolver } from '#lib/dispatch';
import type { AuditSink, RowSeals, SecretDigests, TenantId, TwoPersonRule, Tx, UnitOfWork } from '#lib/kernel';
import type { SealedTexts } from '#lib/tenancy';
import type { ToolRegistry } from '#lib/tool';
import { NotifiedSignals, RUNNER_CHANNEL } from './adapters/notified-signals.js';
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
import type { RunnerDispatchRepository } from './application/runner-dispatch.ports.js';
import type { RunnerMcpServers } from './application/runner-mcp-servers.port.js';
import {
  offeredTo,
  type EnvironmentNames,
  type RunnerRepository,
  type RunnerSignals,
} from './application/runner.ports.js';
import { TakeCall } from './application/take-call.js';
import { VerifyProof } from './application/verify-proof.js';

/** The stored runners, their calls, and the MCP servers on them. */
export interface RunnerPoolRows {
  readonly runners: RunnerRepository;
  readonly dispatches: RunnerDispatchRepository;
  readonly mcpServers: RunnerMcpServers;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createRunnerPoolStore = ({
  system,
  seals,
  texts,
}: {
  readonly system: SystemQuery;
  readonly seals: RowSeals;
  readonly texts: SealedTexts;
}): RunnerPoolRows => ({
  runners: new SqlRunnerRepository(system, seals),
  dispatches: new SqlRunnerDispatchRepository(texts),
  mcpServers: new SqlRunnerMcpServers(),
});

/** Signals by the notifications of the database. */
export const createRunnerSignals = (...of: ConstructorParameters<typeof NotifiedSignals>): RunnerSignals =>
  new NotifiedSignals(...of);

/** Wakes the runners of a pool. A hint: a runner that waits asks again by itself within half a minute. */
export const createPoolWake =
  (uow: UnitOfWork) =>
  (tenantId: TenantId, pool: string): void => {
    void uow
      .run(tenantId, (tx) => {
        sqlOf(tx).announce(RUNNER_CHANNEL, offeredTo(tenantId, pool));
        return Promise.resolve();
      })
      .catch(() => undefined);
  };

export interface RunnerPoolDeps {
  readonly uow: UnitOfWork;
  readonly rows: RunnerPoolRows;
  readonly signals: RunnerSignals;
  readonly wake: ReturnType<typeof createPoolWake>;
  readonly digests: SecretDigests;
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
  rows: { runners, dispatches, mcpServers },
  signals,
  wake,
  digests,
  secrets,
  environments,
  tools,
  twoPersonRule,
  audit,
  sessions,
  publicUrl,
  offerMs,
}: RunnerPoolDeps) {
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
