import { createApprovalStore } from '#lib/approval';
import type { SystemQuery } from '#lib/database';
import { createDirectory } from '#lib/identity';
import type { ApprovalRequestId, DecisionId, EnvironmentId, ToolCallId, Tx } from '#lib/kernel';
import { createDecisionLog } from '#lib/policy';
import { compiledPolicies } from '../../libs/rules/policy/src/fake-policy.js';
import { createTaskStore, type Task } from '#lib/task';
import { createToolStore, type ToolVersion } from '#lib/tool';
import type { ContractWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { openCallRequest } from '../../libs/stages/approval/src/application/approval-store.contract.js';
import { sampleDecision } from '../../libs/rules/policy/src/application/fake-decision.js';
import { definitionText } from '../../libs/registry/tool/src/application/fake-tool.js';
import { testSeals } from './seals.js';

/** Puts the rows into PostgreSQL that rows of the stages refer to, in the world's tenant `home`. */
export class StageRows {
  constructor(private readonly world: ContractWorld) {}

  keepTask(task: Task): Promise<void> {
    const { uow, home } = this.world;
    return uow.run(home.tenantId, (tx) => createTaskStore().insert(tx, task));
  }

  keepTool(tool: ToolVersion): Promise<void> {
    const { uow, home } = this.world;
    const text = definitionText(tool.definition);
    return uow.run(home.tenantId, (tx) => createToolStore().tools.addVersion(tx, tool, text, home.admin.personId, 0));
  }

  async newDecision(): Promise<DecisionId> {
    const { uow, home } = this.world;
    const { bundle } = compiledPolicies();
    const decision = sampleDecision(bundle);
    await uow.run(home.tenantId, (tx) => createDecisionLog().record(tx, decision, bundle));
    return decision.id;
  }

  /** Keeps a request about this call, which its transaction keeps, too. */
  async newRequest(
    tx: Tx,
    { id: callId, environmentId }: { readonly id: ToolCallId; readonly environmentId: EnvironmentId },
    system: SystemQuery,
  ): Promise<ApprovalRequestId> {
    const { uow, home } = this.world;
    const seals = testSeals();
    const decisionId = await this.newDecision();
    const request = await openCallRequest(
      {
        uow,
        tenantId: home.tenantId,
        agent: () => Promise.resolve({ id: home.agent.agentId, credentialId: home.agent.credentialId }),
        plan: () => Promise.reject(new Error('it is about a call')),
        call: () => Promise.resolve({ callId, environmentId, decisionId }),
      },
      { openedAt: await tx.now() },
    );
    await createApprovalStore(seals, createDirectory({ system, seals })).requests.insert(tx, request);
    return request.id;
  }
}
