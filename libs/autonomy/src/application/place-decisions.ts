import type { Decision } from '#lib/contracts';
import type { AutonomyRevisionId, TenantId, UnitOfWork } from '#lib/kernel';
import { pointerOfSource } from '../domain/compare-cells.js';
import { parseYaml } from '../domain/parse-yaml.js';
import type { AutonomyRepository, AutonomyRevision } from './autonomy.ports.js';

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

/** A decision that is kept with the revision it was taken by; null where there was none. */
export interface DecisionOfRevision {
  readonly decision: Pick<Decision, 'effective'>;
  readonly autonomyRevisionId: AutonomyRevisionId | null;
}

/** Finds the line that a decision's mode came from, in the revision that was in force when it was taken. */
export class PlaceDecisions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: Pick<AutonomyRepository, 'findMany' | 'inForceAt'>,
  ) {}

  /** Null where no document said anything about it. */
  async execute(tenantId: TenantId, decided: PlacedDecision | null): Promise<AutonomyPlace | null> {
    if (decided === null || pointerOfSource(decided.decision.effective.source) === null) return null;
    const revision = await this.uow.run(tenantId, (tx) => this.revisions.inForceAt(tx, decided.decidedAt));
    return revision === null ? null : placesIn(revision)(decided.decision);
  }

  /** Those of a list, whose revisions are read in one query and once each. A decision that no document is behind is absent. */
  async executeAll<Decided extends DecisionOfRevision>(
    tenantId: TenantId,
    decided: readonly Decided[],
  ): Promise<ReadonlyMap<Decided, AutonomyPlace>> {
    const ids = new Set(decided.flatMap(({ autonomyRevisionId }) => autonomyRevisionId ?? []));
    if (ids.size === 0) return new Map();
    const revisions = await this.uow.run(tenantId, (tx) => this.revisions.findMany(tx, [...ids]));
    const placesBy = new Map(revisions.map((revision) => [revision.revisionId, placesIn(revision)]));
    return new Map(
      decided.flatMap((one): [Decided, AutonomyPlace][] => {
        const place = one.autonomyRevisionId === null ? null : placesBy.get(one.autonomyRevisionId)?.(one.decision);
        return place == null ? [] : [[one, place]];
      }),
    );
  }
}

/** Where in a revision the mode of a decision stands. */
function placesIn({
  number,
  source,
}: AutonomyRevision): (decision: Pick<Decision, 'effective'>) => AutonomyPlace | null {
  const yaml = parseYaml(source);
  return ({ effective }) => {
    const pointer = pointerOfSource(effective.source);
    const position = pointer === null || !yaml.ok ? undefined : yaml.value.values.get(pointer);
    return position === undefined ? null : { revision: number, line: position.line, column: position.column };
  };
}
