import type {
  PoolMcpServer,
  PoolReach,
  RunnerCall,
  RunnerCallEnd,
  RunnerCalls,
  SentCallName,
  StandingRunnerCall,
} from '#lib/dispatch';
import { newId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { dispatchTimes } from '../domain/dispatch-times.js';
import type { RunnerDispatchId } from '../domain/ids.js';
import { ONLINE_MS } from '../domain/runner.js';
import type { RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import { movedOf, type RunnerRepository, type RunnerSignals } from './runner.ports.js';

const LOOK_AGAIN_MS = 500;

/** The end of a call, or how long to wait before the next look, in milliseconds. */
type Look = RunnerCallEnd | { readonly kind: 'open'; readonly ms: number };

type Standing = StandingRunnerCall['standing'];

interface OfferCallsDeps {
  readonly uow: UnitOfWork;
  readonly runners: Pick<RunnerRepository, 'find' | 'reach'>;
  readonly mcpServers: Pick<RunnerMcpServers, 'onRunners'>;
  readonly dispatches: RunnerDispatchRepository;
  readonly signals: RunnerSignals;
  /** The longest offer of a call, in milliseconds. */
  readonly offerMs: number;
}

/**
 * Offers calls to pools and waits for their ends. Deadlines are decided on the locked row: a call is withdrawn or taken, and lost
 * or answered, never both.
 */
export class OfferCalls implements RunnerCalls {
  constructor(private readonly deps: OfferCallsDeps) {}

  reach(tenantId: TenantId, pool: string, environment: string): Promise<PoolReach> {
    return this.deps.uow.run(tenantId, async (tx) =>
      this.deps.runners.reach(tx, pool, environment, (await tx.now()) - ONLINE_MS),
    );
  }

  mcpServer(tenantId: TenantId, pool: string, environment: string, server: string): Promise<PoolMcpServer> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const since = (await tx.now()) - ONLINE_MS;
      const reach = await this.deps.runners.reach(tx, pool, environment, since);
      const onRunners = await this.deps.mcpServers.onRunners(tx, { pool, environment, server }, since);
      // Zod's type of JSON has no readonly members.
      return { reach, onRunners: onRunners as PoolMcpServer['onRunners'] };
    });
  }

  async carryOut(call: RunnerCall): Promise<RunnerCallEnd> {
    const { tenantId } = call;
    const id = newId<RunnerDispatchId>();
    const wake = this.deps.signals.listen(movedOf(tenantId, id));
    try {
      let look: Look = await this.deps.uow.run(tenantId, (tx) => this.#offer(tx, id, call));
      const until = performance.now() + call.tool.timeLimitSeconds * 1_000;
      while (look.kind === 'open') {
        await wake.next(look.ms);
        look = await this.#lookAgain(tenantId, id, until);
      }
      return look;
    } finally {
      wake.close();
    }
  }

  async standing(tx: Tx, sent: SentCallName): Promise<StandingRunnerCall | null> {
    const call = await this.deps.dispatches.lockSent(tx, sent);
    return call === null ? null : { pool: call.pool, standing: await this.#standing(tx, call, await tx.now()) };
  }

  async #offer(tx: Tx, id: RunnerDispatchId, call: RunnerCall): Promise<Look> {
    const now = await tx.now();
    const { offeredUntil, answerBy } = dispatchTimes(now, call.tool.timeLimitSeconds, this.deps.offerMs);
    await this.deps.dispatches.insert(tx, {
      id,
      pool: call.pool,
      environment: call.environment,
      executor: call.executor,
      sourceType: call.source.type,
      sourceId: call.source.id,
      step: call.step,
      attempt: call.attempt,
      tool: call.tool.name,
      toolVersion: call.tool.version,
      arguments: call.arguments,
      withSecrets: call.withSecrets,
      idempotencyKey: call.idempotencyKey,
      grantToken: call.grant,
      state: 'waiting',
      offeredAt: now,
      offeredUntil,
      answerBy,
      runnerId: null,
      takenAt: null,
      endedAt: null,
      answer: null,
      handOverAt: null,
      outputSeq: 0,
      outputBytes: 0,
      outputCut: false,
      outputHeld: null,
    });
    return { kind: 'open', ms: offeredUntil - now };
  }

  /** A database that is away for a moment ends no call that was offered. Its row is asked again, as long as an answer counts. */
  async #lookAgain(tenantId: TenantId, id: RunnerDispatchId, until: number): Promise<Look> {
    try {
      return await this.deps.uow.run(tenantId, (tx) => this.#look(tx, id));
    } catch (error) {
      if (performance.now() >= until) throw error;
      return { kind: 'open', ms: LOOK_AGAIN_MS };
    }
  }

  async #look(tx: Tx, id: RunnerDispatchId): Promise<Look> {
    const call = await this.deps.dispatches.lock(tx, id);
    if (call === null) throw new Error(`the call ${id} for a runner is gone`);
    const now = await tx.now();
    const standing = await this.#standing(tx, call, now);
    return standing.kind === 'open' ? { kind: 'open', ms: standing.until - now } : standing;
  }

  /** Of a locked row. An overdue call ends. */
  async #standing(tx: Tx, call: RunnerDispatch, now: number): Promise<Standing> {
    const until = call.state === 'waiting' ? call.offeredUntil : call.answerBy;
    switch (call.state) {
      case 'waiting':
        if (now < until) return { kind: 'open', until };
        await this.deps.dispatches.save(tx, call.id, { ...call, state: 'withdrawn', endedAt: now });
        return { kind: 'not_taken' };
      case 'taken':
        if (now < until) return { kind: 'open', until };
        await this.deps.dispatches.save(tx, call.id, { ...call, state: 'lost', endedAt: now });
        return this.#lost(tx, call);
      case 'withdrawn':
        return { kind: 'not_taken' };
      case 'lost':
        return this.#lost(tx, call);
      case 'answered':
      case 'answered_late':
        return call.answer === null ? this.#lost(tx, call) : { kind: 'answered', answer: call.answer };
    }
  }

  /** A person who finds out the effect of the call has to look at this machine. */
  async #lost(tx: Tx, { id, runnerId }: RunnerDispatch): Promise<RunnerCallEnd> {
    const runner = runnerId && (await this.deps.runners.find(tx, runnerId));
    if (runner === null) throw new Error(`the runner of the call ${id} is gone`);
    return { kind: 'lost', runner: { name: runner.name, revoked: runner.revokedAt !== null } };
  }
}
