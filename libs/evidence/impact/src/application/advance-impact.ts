import type { ImpactReportId, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Entrypoint, PolicyInput } from '#lib/policy-inputs';
import type { ImpactReport } from '../domain/impact-report.js';
import { withChange } from '../domain/proposed-world.js';
import { compareWorlds, type WorldChange } from '../domain/world.js';
import { ImpactBatches, type ImpactBatchesDeps } from './impact-batches.js';
import type { AskedChanges, ImpactReportRepository } from './impact.ports.js';

export interface AdvanceImpactDeps extends ImpactBatchesDeps {
  readonly uow: UnitOfWork;
  readonly reports: ImpactReportRepository;
  readonly changes: AskedChanges;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate' | 'bundleRevision'>;
}

/**
 * Works a report out: first the lattice, then the stored decisions, in batches of one transaction each. Any number of workers may
 * call it, and may die: the next one goes on after the last batch. If other policies come into force meanwhile, it begins anew.
 */
export class AdvanceImpact {
  readonly #batches: ImpactBatches;

  constructor(private readonly deps: AdvanceImpactDeps) {
    const { policy } = deps;
    this.#batches = new ImpactBatches(deps, (_side, entrypoint, input) =>
      policy.evaluate(entrypoint, input as PolicyInput<Entrypoint>),
    );
  }

  /** @returns 0 if there is more to do when others had their turn; null if the report is finished, or another worker has it. */
  async execute(tenantId: TenantId, id: ImpactReportId, turn: { readonly over: boolean }): Promise<number | null> {
    for (;;) {
      const more = await this.deps.uow.run(tenantId, (tx) => this.#batch(tx, id));
      if (!more) return null;
      if (turn.over) return 0;
    }
  }

  /** @returns whether there is more to do. */
  async #batch(tx: Tx, id: ImpactReportId): Promise<boolean> {
    const report = await this.deps.reports.take(tx, id);
    if (report === null) return false;
    const next = await this.#step(tx, report);
    await this.deps.reports.save(tx, next);
    return next.finishedAt === null;
  }

  async #step(tx: Tx, report: ImpactReport): Promise<ImpactReport> {
    const { policy } = this.deps;
    if (report.phase === 'waiting' || report.bundleRevision !== policy.bundleRevision) return this.#begin(tx, report);
    if (report.change === null) throw new Error('a report at work knows its change');
    return this.#batches.next(tx, report, report.change);
  }

  async #begin(tx: Tx, report: ImpactReport): Promise<ImpactReport> {
    const change = report.changeId === null ? report.change : await this.#changeOf(tx, report);
    if (change === null) return { ...report, phase: 'cancelled', finishedAt: await tx.now() };
    const { bundleRevision } = this.deps.policy;
    return this.#batches.begin(tx, { ...report, change, bundleRevision }, change);
  }

  /** Null if the change waits no more. */
  async #changeOf(tx: Tx, { changeId }: ImpactReport): Promise<WorldChange | null> {
    const asked = changeId === null ? null : await this.deps.changes.waiting(tx, changeId);
    if (asked === null) return null;
    const present = await this.deps.worlds.present(tx);
    const after = withChange(present, asked.kind, asked.payload);
    return after === null ? null : compareWorlds(present.world, after);
  }
}
