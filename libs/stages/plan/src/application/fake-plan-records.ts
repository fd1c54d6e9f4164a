import type { AutonomyInForce } from '#lib/autonomy';
import type { AutonomyDocument } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import {
  FakeAutonomyRepository,
  sampleRevision,
} from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeTaskRepository } from '../../../task/src/application/fake-task.repository.js';
import { FakePlanRepository } from './fake-plan.repository.js';

/** The records that plans are made from and kept in, in memory. */
export class FakePlanRecords {
  readonly world = fakeWorld();
  readonly uow = this.world.uow;
  /** The accountable person of every agent. */
  readonly ownerId = this.world.home.owner.personId;
  readonly environments = new FakeEnvironmentRepository(this.uow, [this.world.home, this.world.other]);
  readonly autonomy = new FakeAutonomyRepository(this.uow);
  readonly tasks = new FakeTaskRepository(this.uow);
  readonly tools = new FakeToolRepository(this.uow);
  readonly executors = new FakeExecutorRepository(this.uow);
  readonly plans = new FakePlanRepository(this.uow);

  /** Puts a document in force, by the admin of `home`. */
  async putAutonomy(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce> {
    const number = ((await this.autonomy.inForce(tx))?.number ?? 0) + 1;
    const createdBy = this.world.home.admin.personId;
    const revision = sampleRevision(JSON.stringify(document), { number, createdAt: this.uow.now, createdBy });
    await this.autonomy.put(tx, revision);
    const { revisionId, digest } = revision;
    return { revisionId, number, document: revision.document, digest };
  }
}
