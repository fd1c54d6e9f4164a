import type { IssueGrant } from '../../application/issue-grant.js';
import { recordable } from '../../application/recordable-outcome.js';
import { resolveCallSecrets } from '../../application/resolve-call-secrets.js';
import type { RunnerCalls } from '../../application/runner-calls.port.js';
import type { SecretResolver } from '../../application/secret-resolver.port.js';
import {
  notStarted,
  type DispatchOrder,
  type DispatchOutcome,
  type ToolDispatcher,
} from '../../application/tool-dispatcher.port.js';
import { outcomeOfRunner } from './outcome-of-runner.js';
import { poolUnreachable } from './pool-unreachable.js';

/** Offers calls to the runners of a pool. One of them takes the call with its grant, and its report is the answer. */
export class RunnerToolDispatcher implements ToolDispatcher {
  constructor(
    private readonly issueGrant: Pick<IssueGrant, 'execute'>,
    private readonly secrets: SecretResolver,
    private readonly calls: RunnerCalls,
  ) {}

  async dispatch(order: DispatchOrder): Promise<DispatchOutcome> {
    const { tenantId, environment, executor } = order;
    const pool = String(executor.settings.pool);
    const reach = await this.calls.reach(tenantId, pool, environment);
    // A runner that is offline may be back within the time of the offer.
    if (reach === 'none' || reach === 'elsewhere')
      return notStarted('dispatch.unreachable', poolUnreachable(reach, pool, environment));
    const resolved = await resolveCallSecrets(this.secrets, order);
    if (!resolved.ok) return resolved.error;
    const grant = await this.issueGrant.execute(order);
    if (grant === null) {
      return notStarted('dispatch.overtaken', 'The call did not leave in time, or a halt came before it.');
    }
    const end = await this.calls.carryOut({ ...order, executor: executor.name, pool, grant });
    return recordable(outcomeOfRunner(end, pool), resolved.value.values);
  }
}
