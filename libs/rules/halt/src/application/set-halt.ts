import {
  actorOf,
  err,
  newId,
  ok,
  type AgentId,
  type AuditSink,
  type Failure,
  type HaltId,
  type Principal,
  type Result,
  type RunId,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { decideMayHalt, type Halt, type HaltEffect, type HaltTarget } from '../domain/halt.js';
import type {
  CallStopper,
  GrantRevoker,
  HaltRepository,
  HaltTargets,
  InFlightReader,
  RevokedGrants,
  RunPauser,
} from './halt.ports.js';

/** A halt as it was asked for: its target by the name or id that people use. */
type WantedHalt = { readonly reason: string } & (
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'agent'; readonly agent_id: string }
  | { readonly kind: 'tool'; readonly tool: string }
);

interface SetHaltDeps {
  readonly uow: UnitOfWork;
  readonly halts: HaltRepository;
  readonly targets: HaltTargets;
  readonly runs: RunPauser;
  readonly inFlight: InFlightReader;
  readonly calls: CallStopper;
  readonly grants: GrantRevoker;
  readonly audit: AuditSink;
}

/**
 * Sets a halt: from its commit on, policy denies each call that it covers, and no worker dispatches one. It takes one
 * request, one transaction and no approval. A holder of the scope stops first and explains in the reason.
 *
 * Order matters. Runs are asked to pause first, because that waits for steps that are being committed; single calls likewise.
 * Revoking grants and listing in-flight calls then see them.
 *
 * Failures: `halt.own_work_only` (403), `halt.unknown_environment`, `halt.unknown_agent`, `halt.unknown_tool` (422).
 */
export class SetHalt {
  constructor(private readonly deps: SetHaltDeps) {}

  execute(principal: Principal, wanted: WantedHalt): Promise<Result<Halt>> {
    const allowed = decideMayHalt(principal, wanted);
    if (!allowed.ok) return Promise.resolve(allowed);
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const target = await this.#resolve(tx, wanted);
      if (!target.ok) return target;
      const halt: Halt = {
        id: newId<HaltId>(),
        target: target.value,
        reason: wanted.reason,
        effect: { pausedRuns: [], revokedGrants: 0, deniedCalls: [], inFlight: [] },
        createdAt: await tx.now(),
        createdBy: actorOf(principal),
        lifted: null,
      };
      await this.deps.halts.insert(tx, halt);
      const effect = await this.#stop(tx, halt, principal);
      await this.deps.halts.saveEffect(tx, halt.id, effect);
      await this.deps.audit.record(tx, {
        action: 'halt.set',
        actor: halt.createdBy,
        level: 'full',
        subject: { type: 'halt', id: halt.id },
        payload: {
          target: { ...halt.target },
          reason: halt.reason,
          paused_runs: [...effect.pausedRuns],
          revoked_grants: effect.revokedGrants,
          denied_calls: [...effect.deniedCalls],
          in_flight: effect.inFlight.map((call) => ({ ...call })),
        },
      });
      return ok({ ...halt, effect });
    });
  }

  async #stop(tx: Tx, halt: Halt, principal: Principal): Promise<HaltEffect> {
    const pausedRuns = await this.deps.runs.requestPause(tx, halt.target, halt);
    const by = { principal, at: halt.createdAt, halt };
    const { denied, inFlight } = await this.deps.calls.stopCalls(tx, halt.target, by);
    const calls = inFlight.map((call) => call.tool_call_id);
    const revokedGrants = await this.deps.grants.revoke(
      tx,
      revokedBy(halt.target, pausedRuns, calls),
      `halt ${halt.id}`,
    );
    const ofRuns = await this.deps.inFlight.list(tx, halt.target);
    return { pausedRuns, revokedGrants, deniedCalls: denied, inFlight: [...ofRuns, ...inFlight] };
  }

  async #resolve(tx: Tx, wanted: WantedHalt): Promise<Result<HaltTarget>> {
    switch (wanted.kind) {
      case 'tenant':
        return ok({ kind: 'tenant' });
      case 'environment': {
        const environment = await this.deps.targets.environmentByName(tx, wanted.environment);
        if (environment === null) return err(unknown('environment', wanted.environment));
        return ok({ kind: 'environment', environmentId: environment.id, environment: environment.name });
      }
      case 'agent': {
        // A schema has checked its form; the next line looks whether there is such an agent.
        const agentId = wanted.agent_id as AgentId;
        if (!(await this.deps.targets.agentExists(tx, agentId)))
          return err(unknown('agent', wanted.agent_id, '/agent_id'));
        return ok({ kind: 'agent', agentId });
      }
      case 'tool':
        if (!(await this.deps.targets.toolExists(tx, wanted.tool))) return err(unknown('tool', wanted.tool));
        return ok({ kind: 'tool', tool: wanted.tool });
    }
  }
}

function revokedBy(target: HaltTarget, pausedRuns: readonly RunId[], calls: readonly ToolCallId[]): RevokedGrants {
  switch (target.kind) {
    case 'tenant':
      return { kind: 'tenant' };
    case 'environment':
      return { kind: 'environment', environment: target.environment };
    case 'tool':
      return { kind: 'tool', tool: target.tool };
    case 'agent':
      return {
        kind: 'sources',
        sources: [
          ...pausedRuns.map((id) => ({ type: 'run', id }) as const),
          ...calls.map((id) => ({ type: 'tool_call', id }) as const),
        ],
      };
  }
}

const unknown = (what: 'environment' | 'agent' | 'tool', name: string, pointer = `/${what}`): Failure => ({
  kind: 'unprocessable',
  code: `halt.unknown_${what}`,
  message: `There is no ${what} ${name} in this tenant, so nothing was halted.`,
  action: `Check the ${what}, or halt the whole tenant.`,
  errors: [{ pointer, code: `halt.unknown_${what}`, message: 'is not known' }],
});
