import { secretReferences, type SecretResolver } from '#lib/dispatch';
import { err, ok, type Result, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { unjudgedPaths, type ToolRegistry } from '#lib/tool';
import type { RunnerDispatchId } from '../domain/ids.js';
import type { RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import { servedEnvironments, type Runner } from '../domain/runner.js';
import { runnerRevoked } from './runner-revoked.js';
import { offeredTo, type RunnerRepository, type RunnerSignals } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/** A call that a runner has taken, with the values of its secrets by reference. */
export interface TakenCall {
  readonly call: RunnerDispatch;
  readonly secrets: Readonly<Record<string, string>>;
  /** Within how many milliseconds its answer counts. */
  readonly answerWithinMs: number;
}

/** How long a runner waits for a call, and the calls that it holds already. */
export interface TakeOptions {
  readonly waitMs: number;
  readonly held: readonly RunnerDispatchId[];
  /** Aborts when the runner has gone. */
  readonly gone: AbortSignal;
}

/** The wait for a call with a locked row, in milliseconds. */
const LOCKED_MS = 50;

interface TakeCallDeps {
  readonly uow: UnitOfWork;
  readonly runners: Pick<RunnerRepository, 'find'>;
  readonly dispatches: RunnerDispatchRepository;
  readonly secrets: SecretResolver;
  readonly signals: RunnerSignals;
  readonly tools: Pick<ToolRegistry, 'get'>;
}

/**
 * Gives a runner one call of its pool, in an environment that it was added for and works in. A call is taken by one runner and by no other one
 * after it. If the runner does not hold a call that it took, the answer to its take was lost. It gets that call again,
 * and its journal keeps it from starting twice.
 *
 * The runner advertises which arguments of its tools are paths. A call ends as not started if its definition lacks one of them
 * (`runner.paths_not_declared`): that path was not judged (T52). It is looked at here since a definition and a runner may come in any order.
 *
 * A runner that was started again without the environment of such a call gets it no more (`runner.works_elsewhere`).
 *
 * Failures: `runner.revoked`.
 */
export class TakeCall {
  constructor(private readonly deps: TakeCallDeps) {}

  /** @returns null if there was none in time. */
  async execute(proven: ProvenRunner, { waitMs, held, gone }: TakeOptions): Promise<Result<TakenCall | null>> {
    const { tenantId, runner } = proven;
    const until = performance.now() + waitMs;
    const wake = this.deps.signals.listen(offeredTo(tenantId, runner.pool));
    try {
      for (;;) {
        // A runner that has gone gets no call: it would be lost.
        if (gone.aborted) return ok(null);
        const taken = await this.#take(proven, held);
        if (!taken.ok) return taken;
        const { value } = taken;
        if (value.kind === 'refused') {
          await this.#refuse(tenantId, value.call, value.refusal);
          continue;
        }
        if (value.kind === 'taken') {
          const complete = await this.#withSecrets(tenantId, value);
          if (complete !== null) return ok(complete);
          continue;
        }
        const left = until - performance.now();
        if (left <= 0) return ok(null);
        await wake.next(value.kind === 'locked' ? Math.min(left, LOCKED_MS) : left, gone);
      }
    } finally {
      wake.close();
    }
  }

  #take({ tenantId, runner }: ProvenRunner, held: TakeOptions['held']): Promise<Result<Look>> {
    return this.deps.uow.run(tenantId, async (tx): Promise<Result<Look>> => {
      const standing = await this.deps.runners.find(tx, runner.id, 'share');
      if (standing?.revokedAt !== null) return err(runnerRevoked);
      const now = await tx.now();
      const again = await this.deps.dispatches.lockUndelivered(tx, runner.id, held, now);
      if (again !== null) return ok(await this.#judged(tx, standing, again, now));
      const serves = { pool: standing.pool, environments: servedEnvironments(standing) };
      const call = await this.deps.dispatches.lockWaiting(tx, serves, now);
      // The worker that offered it may look at it just now, and no other word of it would come.
      if (call === null) return ok({ kind: (await this.deps.dispatches.waits(tx, serves, now)) ? 'locked' : 'none' });
      const taken = { ...call, state: 'taken', runnerId: runner.id, takenAt: now } as const;
      await this.deps.dispatches.save(tx, call.id, taken);
      return ok(await this.#judged(tx, standing, taken, now));
    });
  }

  async #judged(tx: Tx, runner: Runner, call: RunnerDispatch, now: number): Promise<Look> {
    const refusal = await this.#refusal(tx, runner, call);
    return refusal === null ? { kind: 'taken', call, now } : { kind: 'refused', call, refusal };
  }

  /** The reason why a call that was taken does not reach its runner; null if it does. */
  async #refusal(tx: Tx, runner: Runner, call: RunnerDispatch): Promise<Refusal | null> {
    if (!servedEnvironments(runner).includes(call.environment)) return worksElsewhere(call.environment);
    const unjudged = await this.#unjudged(tx, runner, call);
    return unjudged.length === 0 ? null : pathsNotDeclared(call.tool, unjudged);
  }

  /** The paths that the runner advertises for the call's tool, and that the definition of the decision does not name. */
  async #unjudged(tx: Tx, { tools }: Pick<Runner, 'tools'>, call: RunnerDispatch): Promise<readonly string[]> {
    const advertised = tools.find(({ name }) => name === call.tool);
    if (advertised === undefined) return [];
    const version = await this.deps.tools.get(tx, call.tool, call.toolVersion);
    return unjudgedPaths(advertised.parameters, version?.definition ?? {});
  }

  /** Ends a call that was taken, before the runner got it. */
  #refuse(tenantId: TenantId, { id }: RunnerDispatch, error: Refusal): Promise<void> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const standing = await this.deps.dispatches.lock(tx, id);
      if (standing?.state !== 'taken') return;
      const answer = { ok: false, effect: 'not_started', error } as const;
      await this.deps.dispatches.save(tx, id, { ...standing, state: 'answered', endedAt: await tx.now(), answer });
    });
  }

  /** Null if a secret of the call is gone. Then the call has ended, and the runner does not get it. */
  async #withSecrets(tenantId: TenantId, { call, now }: Taken): Promise<TakenCall | null> {
    const references = call.withSecrets ? secretReferences(call.arguments) : [];
    const { environment, executor, tool } = call;
    const use = { purpose: 'tool_arguments', environment, executor, tool } as const;
    try {
      const values = await this.deps.secrets.resolveAll(
        tenantId,
        references.map((reference) => ({ reference, use })),
      );
      return { call, secrets: Object.fromEntries(values), answerWithinMs: call.answerBy - now };
    } catch {
      await this.#refuse(tenantId, call, SECRET_GONE);
      return null;
    }
  }
}

/**
 * The findings of a look for a call. It finds a call for the runner, one that may not reach it, one that another lock
 * holds, or none.
 */
type Look =
  | Taken
  | { readonly kind: 'refused'; readonly call: RunnerDispatch; readonly refusal: Refusal }
  | { readonly kind: 'locked' | 'none' };

interface Taken {
  readonly kind: 'taken';
  readonly call: RunnerDispatch;
  readonly now: number;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

const worksElsewhere = (environment: string): Refusal => ({
  code: 'runner.works_elsewhere',
  message: `The runner that took the call no longer works in ${environment}. Name it in its COUNTERSIGN_RUNNER_ENVIRONMENTS, or start another runner.`,
});

const pathsNotDeclared = (tool: string, pointers: readonly string[]): Refusal => ({
  code: 'runner.paths_not_declared',
  message: `The runner takes ${pointers.join(', ')} of ${tool} for a path, and the catalog does not, so nobody judged it. Name it in path_arguments of ${tool}.`,
});

const SECRET_GONE: Refusal = {
  code: 'dispatch.secret_unavailable',
  message: "A secret that the call needs cannot be read; see the tenant's secrets.",
};
