import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import type { DecisionId } from '#lib/kernel';
import { loadPolicyBundle, SqlDecisionLog } from '#lib/policy';
import { type Task, TypeormTaskRepository } from '#lib/task';
import { type ToolVersion, TypeormToolRepository } from '#lib/tool';
import type { ContractWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { sampleDecision } from '../../libs/rules/policy/src/application/fake-decision.js';
import { definitionText } from '../../libs/registry/tool/src/application/fake-tool.js';

/** Puts the rows into PostgreSQL that rows of the stages refer to, in the world's tenant `home`. */
export class StageRows {
  constructor(private readonly world: ContractWorld) {}

  keepTask(task: Task): Promise<void> {
    const { uow, home } = this.world;
    return uow.run(home.tenantId, (tx) => new TypeormTaskRepository().insert(tx, task));
  }

  keepTool(tool: ToolVersion): Promise<void> {
    const { uow, home } = this.world;
    const text = definitionText(tool.definition);
    return uow.run(home.tenantId, (tx) =>
      new TypeormToolRepository().addVersion(tx, tool, text, home.admin.personId, 0),
    );
  }

  async newDecision(): Promise<DecisionId> {
    const { uow, home } = this.world;
    const bundle = loadPolicyBundle(join(packageRoot(), 'policies'));
    const decision = sampleDecision(bundle);
    await uow.run(home.tenantId, (tx) => new SqlDecisionLog().record(tx, decision, bundle));
    return decision.id;
  }
}
