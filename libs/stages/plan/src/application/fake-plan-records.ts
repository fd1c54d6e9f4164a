import type { AutonomyInForce, AutonomyReader } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument } from '#lib/formats';
import { type AutonomyRevisionId, digestText, newId, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import { FakeTaskRepository } from '../../../task/src/application/fake-task.repository.js';
import { FakePlanRepository } from './fake-plan.repository.js';

/** Keeps the autonomy document in force in memory. */
class FakeAutonomyReader implements AutonomyReader {
  readonly #documents: FakeTable<AutonomyInForce>;

  constructor(database: FakeUnitOfWork) {
    this.#documents = new FakeTable(database);
  }

  current(tx: Tx): Promise<AutonomyInForce | null> {
    return Promise.resolve(this.#documents.of(tx).get('') ?? null);
  }

  async put(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce> {
    const number = ((await this.current(tx))?.number ?? 0) + 1;
    const digest = digestText('autonomy', canonicalJson(document as Json));
    const inForce = { revisionId: newId<AutonomyRevisionId>(), number, document, digest };
    this.#documents.of(tx).set('', inForce);
    return inForce;
  }
}

/** The records that plans are made from and kept in, in memory. */
export class FakePlanRecords {
  readonly world = fakeWorld();
  readonly uow = this.world.uow;
  /** The accountable person of every agent. */
  readonly ownerId = this.world.home.owner.personId;
  readonly environments = new FakeEnvironmentRepository(this.uow, [this.world.home, this.world.other]);
  readonly autonomy = new FakeAutonomyReader(this.uow);
  readonly tasks = new FakeTaskRepository(this.uow);
  readonly tools = new FakeToolRepository(this.uow);
  readonly executors = new FakeExecutorRepository(this.uow);
  readonly plans = new FakePlanRepository(this.uow);

  putAutonomy(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce> {
    return this.autonomy.put(tx, document);
  }
}
