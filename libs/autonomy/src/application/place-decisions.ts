import type { Decision } from '#lib/contracts';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import { pointerOfSource } from '../domain/compare-cells.js';
import { parseYaml } from '../domain/parse-yaml.js';
import type { AutonomyRepository } from './autonomy.ports.js';

/** Where in which revision of the document the mode of a decision stands. */
export interface AutonomyPlace {
  readonly revision: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** What is known of a decision that was taken. */
export interface PlacedDecision {
  readonly decision: Pick<Decision, 'effective'>;
  /** The database's clock under the locks of the decision, epoch milliseconds. */
  readonly decidedAt: number;
}

/** Finds the line that a decision's mode came from, in the revision that was in force when it was taken. */
export class PlaceDecisions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: Pick<AutonomyRepository, 'inForceAt'>,
  ) {}

  /** Null where no document said anything about it. */
  async execute(tenantId: TenantId, decided: PlacedDecision | null): Promise<AutonomyPlace | null> {
    const pointer = decided === null ? null : pointerOfSource(decided.decision.effective.source);
    if (decided === null || pointer === null) return null;
    const revision = await this.uow.run(tenantId, (tx) => this.revisions.inForceAt(tx, decided.decidedAt));
    const yaml = revision === null ? null : parseYaml(revision.source);
    const position = yaml?.ok === true ? yaml.value.values.get(pointer) : undefined;
    if (revision === null || position === undefined) return null;
    return { revision: revision.number, line: position.line, column: position.column };
  }
}
