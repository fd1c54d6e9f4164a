import { canonicalJson } from '#lib/canonical';
import {
  actorOf,
  type AuditSink,
  digestText,
  err,
  ok,
  type Result,
  type SimulationId,
  type SystemPrincipal,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { minutesInWords, stateInWords } from '#lib/words';
import type { AutonomyReader } from '#lib/autonomy';
import type { ToolDispatcher } from '#lib/dispatch';
import type { HaltReader, HaltScope } from '#lib/halt';
import { isLive, type PlanRepository, type PlanResolver } from '#lib/plan';
import type { EnvironmentReader, TaskRepository } from '#lib/task';
import { aggregateResults } from '../domain/aggregate-results.js';
import { beginSimulation, waitAfterError } from '../domain/begin-simulation.js';
import { haltScopeOf } from '../domain/halt-scope.js';
import {
  expiryOf,
  type RunningSimulation,
  type SimulationOutput,
  type SimulationReason,
  type SucceededSimulation,
} from '../domain/simulation.js';
import { planToSimulate, waitSecondsOf } from '../domain/simulation-calls.js';
import { validMinutesIn } from '../domain/valid-minutes.js';
import { askSimulationTool, type PredictedCall, unpredicted } from './ask-simulation-tool.js';
import type { CallPreparation, PreparedCall } from './prepare-calls.js';
import type { SimulationRepository } from './simulation.ports.js';

/** The ports that {@link ExecuteSimulation} needs. */
export interface ExecuteSimulationPorts {
  readonly uow: UnitOfWork;
  readonly simulations: SimulationRepository;
  readonly plans: PlanRepository;
  readonly tasks: TaskRepository;
  readonly environments: EnvironmentReader;
  readonly resolver: PlanResolver;
  readonly preparation: CallPreparation;
  readonly autonomy: AutonomyReader;
  readonly halts: HaltReader;
  readonly dispatcher: ToolDispatcher;
  readonly audit: AuditSink;
}

/** Calls under way at once. */
const CONCURRENCY = 4;
/** The longest that one attempt takes. */
const TIME_LIMIT_MS = 10 * 60_000;
/** How much longer than a tool's time limit its answer is waited for. */
const MARGIN_MS = 30_000;
/** The longest result, as canonical JSON. */
const MAX_RESULT_CHARACTERS = 1_048_576;

interface Work {
  readonly simulation: RunningSimulation;
  readonly environment: string;
  readonly calls: readonly PreparedCall[];
  readonly waitSeconds: number;
  readonly haltScope: HaltScope;
  /** When this attempt is given up, epoch milliseconds. */
  readonly deadline: number;
}

/** Computes a simulation. Called at least once for each; one under another worker's lease is left alone. */
export class ExecuteSimulation {
  constructor(private readonly ports: ExecuteSimulationPorts) {}

  async execute(tenantId: TenantId, id: SimulationId): Promise<void> {
    const work = await this.ports.uow.run(tenantId, (tx) => this.#begin(tx, id));
    if (work === undefined) return;
    try {
      const predictions = await this.#compute(tenantId, work);
      if (predictions === undefined) return;
      await this.ports.uow.run(tenantId, (tx) => this.#finish(tx, work, predictions));
    } catch (error) {
      await this.#giveBack(tenantId, work);
      throw error;
    }
  }

  /** The next attempt need not wait for the lease: no call of this one is under way. A lease that cannot be given back ends by itself. */
  async #giveBack(tenantId: TenantId, { simulation: { id, fence } }: Work): Promise<void> {
    const { uow, simulations } = this.ports;
    await uow
      .run(tenantId, async (tx) => simulations.giveBack(tx, id, fence, (await tx.now()) + waitAfterError(fence)))
      .catch(() => undefined);
  }

  async #begin(tx: Tx, id: SimulationId): Promise<Work | undefined> {
    const simulation = await this.ports.simulations.lock(tx, id);
    if (simulation === null) return undefined;
    const now = await tx.now();
    const step = beginSimulation(simulation, now);
    if (step.kind === 'nothing') return undefined;
    if (step.kind === 'check_age') {
      if (simulation.state === 'succeeded') await this.#checkAge(tx, simulation, now);
      return undefined;
    }
    await this.ports.simulations.save(tx, step.running);
    const work: Result<Work, SimulationReason> =
      step.kind === 'give_up' ? err(exhausted) : await this.#gather(tx, step.running, now);
    if (work.ok) return work.value;
    await this.#fail(tx, step.running, work.error, now);
    return undefined;
  }

  async #gather(tx: Tx, simulation: RunningSimulation, now: number): Promise<Result<Work, SimulationReason>> {
    const { plans, tasks, environments, resolver, preparation } = this.ports;
    const plan = await plans.find(tx, simulation.planId);
    const task = plan === null ? null : await tasks.find(tx, plan.taskId);
    const environment = task === null ? null : await environments.byId(tx, task.environmentId);
    if (plan === null || task === null || environment === null) {
      throw new Error(`simulation ${simulation.id} has no plan, task or environment`);
    }
    if (!isLive(plan))
      return err({ code: 'simulation.plan_not_live', message: `The plan is ${stateInWords(plan.state)} by now.` });
    const expanded = plan.expansion.plan;
    const calls = planToSimulate(expanded, await resolver.heldBy(tx, plan.id));
    if (!calls.ok) return err({ code: calls.error.code, message: calls.error.message });
    const haltScope = haltScopeOf(task, plan.submitter, calls.value);
    const halted = await this.#halted(tx, haltScope);
    if (halted !== null) return err(halted);
    const prepared = await preparation.prepare(tx, expanded, environment, calls.value);
    if (!prepared.ok) return prepared;
    return ok({
      simulation,
      environment: environment.name,
      calls: prepared.value,
      waitSeconds: waitSecondsOf(expanded),
      haltScope,
      deadline: now + TIME_LIMIT_MS,
    });
  }

  /**
   * The predictions in order, or the reason for none; undefined if another attempt has overtaken this one. After an error no further
   * call leaves, and those under way are awaited before it is thrown.
   */
  async #compute(
    tenantId: TenantId,
    work: Work,
  ): Promise<Result<readonly PredictedCall[], SimulationReason> | undefined> {
    const predictions = new Map<number, PredictedCall>();
    const waiting = [...work.calls.entries()];
    let ended: { readonly failure: SimulationReason | undefined } | { readonly error: unknown } | undefined;
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && ended === undefined; next = waiting.shift()) {
        const [key, call] = next;
        try {
          const answer = await this.#predict(tenantId, work, call);
          if (answer?.ok === true) predictions.set(key, answer.value);
          else ended ??= { failure: answer?.error };
        } catch (error) {
          ended ??= { error };
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    if (ended !== undefined && 'error' in ended) throw ended.error;
    if (ended !== undefined) return ended.failure === undefined ? undefined : err(ended.failure);
    return ok([...predictions.entries()].sort(([a], [b]) => a - b).map(([, prediction]) => prediction));
  }

  async #predict(
    tenantId: TenantId,
    work: Work,
    call: PreparedCall,
  ): Promise<Result<PredictedCall, SimulationReason> | undefined> {
    const by = call.with;
    if (by === null) return ok(unpredicted(call));
    const leave = await this.ports.uow.run(tenantId, (tx) =>
      this.#mayDispatch(tx, work, by.tool.definition.time_limit_seconds * 1_000),
    );
    if (!leave?.ok) return leave;
    const { dispatcher } = this.ports;
    const prepared = { ...call, with: by };
    return askSimulationTool(dispatcher, tenantId, work.environment, work.simulation, prepared, (tx) =>
      this.#mayLeaveUntil(tx, work),
    );
  }

  /** Asked in the transaction that issues the grant, which a halt that comes after it sees and revokes (T35). */
  async #mayLeaveUntil(tx: Tx, { simulation, haltScope, deadline }: Work): Promise<number | null> {
    const current = await this.ports.simulations.lock(tx, simulation.id);
    if (current?.state !== 'running' || current.fence !== simulation.fence) return null;
    return (await this.ports.halts.activeNow(tx, haltScope)).length > 0 ? null : deadline;
  }

  /** Just before a call leaves: the attempt still counts, there is time, and nothing was halted. */
  async #mayDispatch(tx: Tx, work: Work, timeLimitMs: number): Promise<Result<void, SimulationReason> | undefined> {
    const now = await tx.now();
    const renewed = await this.ports.simulations.renew(
      tx,
      work.simulation.id,
      work.simulation.fence,
      now + timeLimitMs + MARGIN_MS,
    );
    if (!renewed) return undefined;
    if (now >= work.deadline) return err(timedOut);
    const halted = await this.#halted(tx, work.haltScope);
    return halted === null ? ok(undefined) : err(halted);
  }

  async #finish(tx: Tx, work: Work, predictions: Result<readonly PredictedCall[], SimulationReason>): Promise<void> {
    const { simulation } = work;
    const current = await this.ports.simulations.lock(tx, simulation.id);
    if (current?.state !== 'running' || current.fence !== simulation.fence) return;
    const now = await tx.now();
    if (!predictions.ok) return this.#fail(tx, simulation, predictions.error, now);
    const value = aggregateResults(
      predictions.value.map((prediction) => prediction.call),
      predictions.value.flatMap((prediction) => prediction.healthCheckPoints),
      work.waitSeconds,
    );
    const text = canonicalJson(value);
    if (text.length > MAX_RESULT_CHARACTERS) return this.#fail(tx, simulation, tooLarge, now);
    await this.#succeed(tx, work, { value, text, digest: digestText('simulation', text) }, now);
  }

  async #succeed(tx: Tx, { simulation, environment }: Work, output: SimulationOutput, now: number): Promise<void> {
    const inForce = await this.ports.autonomy.current(tx);
    const validMinutes = validMinutesIn(inForce?.document ?? null, environment);
    const nextAt = expiryOf({ finishedAt: now }, validMinutes);
    await this.ports.simulations.save(tx, { ...simulation, state: 'succeeded', finishedAt: now, output, nextAt });
    await this.ports.audit.record(tx, {
      ...about(tx.tenantId, simulation),
      action: 'simulation.succeeded',
      level: 'full',
      evidence: [{ kind: 'simulation', id: simulation.id, digest: output.digest }],
      payload: {
        plan_digest: simulation.planDigest,
        simulation_digest: output.digest,
        affected_assets: output.value.affected_assets,
        estimated_duration_minutes: output.value.estimated_duration_minutes,
        predicted_risk: output.value.predicted_risk,
      },
    });
  }

  async #fail(tx: Tx, simulation: RunningSimulation, failure: SimulationReason, now: number): Promise<void> {
    await this.ports.simulations.save(tx, { ...simulation, state: 'failed', finishedAt: now, failure, nextAt: null });
    await this.ports.audit.record(tx, {
      ...about(tx.tenantId, simulation),
      action: 'simulation.failed',
      level: 'full',
      payload: { plan_digest: simulation.planDigest, code: failure.code, message: failure.message },
    });
  }

  /** A result that is too old by the rules of today becomes stale. One that got a longer life is looked at again later. */
  async #checkAge(tx: Tx, simulation: SucceededSimulation, now: number): Promise<void> {
    const plan = await this.ports.plans.find(tx, simulation.planId);
    const inForce = await this.ports.autonomy.current(tx);
    const minutes = validMinutesIn(inForce?.document ?? null, plan?.expansion?.plan.environment.name ?? '');
    const expiresAt = expiryOf(simulation, minutes);
    if (expiresAt > now) return this.ports.simulations.save(tx, { ...simulation, nextAt: expiresAt });
    const staleReason = { code: 'simulation.too_old', message: `The result is older than ${minutesInWords(minutes)}.` };
    await this.ports.simulations.save(tx, { ...simulation, state: 'stale', staleReason, nextAt: null });
    await this.ports.audit.record(tx, {
      ...about(tx.tenantId, simulation),
      action: 'simulation.outdated',
      level: 'detailed',
      payload: { plan_digest: simulation.planDigest, code: staleReason.code },
    });
  }

  async #halted(tx: Tx, scope: HaltScope): Promise<SimulationReason | null> {
    const [halt] = await this.ports.halts.active(tx, scope);
    return halt === undefined
      ? null
      : { code: 'simulation.halted', message: `The halt ${halt.id} of the ${halt.kind} stops it.` };
  }
}

const about = (tenantId: TenantId, { id, planId }: RunningSimulation | SucceededSimulation) => ({
  actor: actorOf({ kind: 'system', tenantId, name: 'simulation-executor' } satisfies SystemPrincipal),
  subject: { type: 'simulation', id },
  within: [{ type: 'plan', id: planId }],
});

const exhausted: SimulationReason = {
  code: 'simulation.attempts_exhausted',
  message: 'It was started over too often: its workers died, or runs kept touching its targets.',
};

const timedOut: SimulationReason = {
  code: 'simulation.timed_out',
  message: `It took longer than ${String(TIME_LIMIT_MS / 60_000)} minutes.`,
};

const tooLarge: SimulationReason = {
  code: 'simulation.result_too_large',
  message: 'The tools answered more than can be kept: ask them for fewer details.',
};
