import { canonicalJson, type Json } from '#lib/canonical';
import type { ToolDefinition } from '#lib/formats';
import { digestText, newId, type PlanId, type ToolVersionId, type Tx } from '#lib/kernel';
import type { Plan } from '#lib/plan';
import type { ExecutorRecord } from '#lib/tool';
import { FakePlanRepository } from '../../plan/src/application/fake-plan.repository.js';
import type { SampleEnvironment, SampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import type { FakeExecutorRepository } from '../../../registry/tool/src/application/fake-executor.repository.js';
import { sampleExecutor } from '../../../registry/tool/src/application/fake-tool.js';
import type { FakeToolRepository } from '../../../registry/tool/src/application/fake-tool.repository.js';

/** Plans that somebody with a login of the database can rewrite. */
export class AlterablePlans extends FakePlanRepository {
  readonly #altered = new Map<PlanId, Plan>();

  override async find(tx: Tx, id: PlanId): Promise<Plan | null> {
    return this.#altered.get(id) ?? (await super.find(tx, id));
  }

  alter(plan: Plan): void {
    this.#altered.set(plan.id, plan);
  }
}

/** Registers the first version of each of these tools. */
export async function register(
  tx: Tx,
  tools: FakeToolRepository,
  { owner }: SampleTenant,
  catalog: readonly ToolDefinition[],
): Promise<void> {
  for (const definition of catalog) {
    const text = canonicalJson(definition as Json);
    const { name } = definition;
    const version = { id: newId<ToolVersionId>(), name, version: 1, digest: digestText('tool', text), definition };
    await tools.addVersion(tx, version, text, owner.personId, await tx.now());
  }
}

/** The executor `fleet` of each environment: a tool server that moves from address to address, or another kind without one. */
export class Fleets {
  readonly #now: Map<string, ExecutorRecord>;

  constructor(
    private readonly executors: FakeExecutorRepository,
    private readonly tenant: SampleTenant,
    kind: ExecutorRecord['kind'],
  ) {
    const url = kind === 'http' ? 'http://127.0.0.1:1' : null;
    const fleet = (environment: SampleEnvironment): [string, ExecutorRecord] => [
      environment.id,
      sampleExecutor(environment, { kind, url, version: 0 }),
    ];
    this.#now = new Map([tenant.staging, tenant.production].map(fleet));
  }

  /** In every environment; without an address where it has always been. */
  async moveTo(tx: Tx, url?: string): Promise<void> {
    for (const environment of [this.tenant.staging, this.tenant.production]) {
      const before = this.#now.get(environment.id);
      if (before === undefined) continue;
      const { digest: _digest, ...rest } = before;
      const record = sampleExecutor(environment, { ...rest, url: url ?? rest.url, version: rest.version + 1 });
      this.#now.set(environment.id, record);
      await this.executors.save(tx, environment.id, record, this.tenant.owner.personId, await tx.now());
    }
  }
}
