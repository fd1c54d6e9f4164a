import type { JsonObject } from '#lib/canonical';
import {
  runnersOfPool,
  type Dispatch,
  type DispatchOrder,
  type DispatchOutcome,
  type KeptAnswer,
  type SentCallName,
} from '#lib/dispatch';
import { hookAudience } from '#lib/formats';
import { digestOf, type TenantId, type Tx } from '#lib/kernel';
import type { HookRunners } from '../application/lifecycle-hook.ports.js';
import { HOOK_CALL_TOOL } from '../domain/fill-command.js';
import type { HookExecution } from '../domain/hook-execution.js';

/** A runner has half of it to take the call, and the program's own time limit fits in the rest. */
const CALL_SECONDS = 60;

/**
 * The runners of a pool, reached as by any call. The grant lasts a minute and names the program, its arguments and its
 * variables.
 */
export class RunnerHooks implements HookRunners {
  constructor(private readonly dispatch: Pick<Dispatch, 'dispatcher' | 'keptAnswers'>) {}

  async send(
    tenantId: TenantId,
    execution: HookExecution,
    mayLeaveUntil: (tx: Tx) => Promise<number | null>,
  ): Promise<DispatchOutcome> {
    const { call, pool, environment } = execution;
    if (call === null || pool === null || environment === null)
      throw new Error('an execution without a call is not sent');
    const given: JsonObject = call;
    const order: DispatchOrder = {
      ...nameOf(execution),
      tenantId,
      environment,
      basis: 'policy',
      tool: { ...HOOK_CALL_TOOL, timeLimitSeconds: CALL_SECONDS },
      executor: runnersOfPool('lifecycle-hook', pool, hookAudience(environment)),
      arguments: given,
      argumentsDigest: digestOf('arguments', given),
      planDigest: null,
      shell: null,
      withSecrets: false,
      mayLeaveUntil,
    };
    const outcome = await this.dispatch.dispatcher.dispatch(order);
    if (outcome.kind === 'offered') throw new Error('a call for a runner is answered by the runner');
    return outcome;
  }

  kept(tx: Tx, execution: HookExecution): Promise<KeptAnswer | null> {
    return this.dispatch.keptAnswers.of(tx, nameOf(execution));
  }
}

const nameOf = ({ id, attempts }: HookExecution): SentCallName => ({
  source: { type: 'lifecycle_hook', id },
  step: id,
  attempt: attempts,
  idempotencyKey: id,
});
