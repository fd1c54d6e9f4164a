import { createHash } from 'node:crypto';
import { createAutonomyStore, type AutonomyInForce } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument } from '#lib/formats';
import { type AutonomyRevisionId, digestText, newId, type RowSeals, type Tx } from '#lib/kernel';
import { createPlanStore } from '#lib/plan';
import { createTaskStore } from '#lib/task';
import { createToolStore } from '#lib/tool';
import type { ContractWorld } from '../../libs/foundation/kernel/src/fake-tenant.js';

/** The records in PostgreSQL that plans are made from and kept in. */
export class PlanRecords {
  readonly tasks = createTaskStore();
  readonly #registry = createToolStore();
  readonly tools = this.#registry.tools;
  readonly executors = this.#registry.executors;
  readonly plans: ReturnType<typeof createPlanStore>['plans'];
  readonly #autonomy: ReturnType<typeof createAutonomyStore>['revisions'];

  constructor(
    readonly world: ContractWorld,
    seals: RowSeals,
  ) {
    this.plans = createPlanStore(seals).plans;
    this.#autonomy = createAutonomyStore(seals).revisions;
  }

  /** Puts a document in force, by the admin of `home`. */
  async putAutonomy(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce> {
    const number = ((await this.#autonomy.inForce(tx))?.number ?? 0) + 1;
    const source = canonicalJson(document as Json);
    const inForce = {
      revisionId: newId<AutonomyRevisionId>(),
      number,
      document,
      digest: digestText('autonomy', source),
    };
    await this.#autonomy.put(tx, {
      ...inForce,
      source,
      sourceSha256: createHash('sha256').update(source).digest('hex'),
      createdAt: await tx.now(),
      createdBy: this.world.home.admin.personId,
    });
    return inForce;
  }
}
