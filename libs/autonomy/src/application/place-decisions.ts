import type { Decision } from '#lib/contracts';
import type { AutonomyRevisionId, TenantId, UnitOfWork } from '#lib/kernel';
import { pointerOfSource } from '../domain/compare-cells.js';
import { parseYaml, type ParsedYaml, type Position } from '../domain/parse-yaml.js';
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

/** So many texts, of 64 KiB at most, are kept parsed. */
const MOST_KEPT = 50;

/** Finds the line that a decision's mode came from, in the revision that was in force when it was taken. */
export class PlaceDecisions {
  /** By the text itself, which says all: parsing one takes longer than everything else that shows a request. */
  readonly #positions = new Map<string, ParsedYaml['values']>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: Pick<AutonomyRepository, 'findMany' | 'inForceAt'>,
  ) {}

  /** Null where no document said anything about it. */
  async execute(tenantId: TenantId, decided: PlacedDecision | null): Promise<AutonomyPlace | null> {
    if (decided === null || pointerOfSource(decided.decision.effective.source) === null) return null;
    const revision = await this.uow.run(tenantId, (tx) => this.revisions.inForceAt(tx, decided.decidedAt));
    return revision === null ? null : this.#placeIn(revision, decided.decision);
  }

  /** Those of a list, whose revisions are read in one query and once each. A decision that no document is behind is absent. */
  async executeAll<Decided extends DecisionOfRevision>(
    tenantId: TenantId,
    decided: readonly Decided[],
  ): Promise<ReadonlyMap<Decided, AutonomyPlace>> {
    const ids = new Set(decided.flatMap(({ autonomyRevisionId }) => autonomyRevisionId ?? []));
    if (ids.size === 0) return new Map();
    const revisions = await this.uow.run(tenantId, (tx) => this.revisions.findMany(tx, [...ids]));
    const byId = new Map(revisions.map((revision) => [revision.revisionId, revision]));
    return new Map(
      decided.flatMap((one): [Decided, AutonomyPlace][] => {
        const revision = one.autonomyRevisionId === null ? undefined : byId.get(one.autonomyRevisionId);
        const place = revision === undefined ? null : this.#placeIn(revision, one.decision);
        return place === null ? [] : [[one, place]];
      }),
    );
  }

  #placeIn({ number, source }: AutonomyRevision, { effective }: Pick<Decision, 'effective'>): AutonomyPlace | null {
    const pointer = pointerOfSource(effective.source);
    const position = pointer === null ? undefined : this.#positionsIn(source).get(pointer);
    return position === undefined ? null : { revision: number, line: position.line, column: position.column };
  }

  #positionsIn(source: string): ParsedYaml['values'] {
    const positions = this.#positions.get(source) ?? positionsIn(source);
    this.#positions.delete(source);
    this.#positions.set(source, positions);
    const oldest = this.#positions.size > MOST_KEPT ? this.#positions.keys().next().value : undefined;
    if (oldest !== undefined) this.#positions.delete(oldest);
    return positions;
  }
}

function positionsIn(source: string): ParsedYaml['values'] {
  const yaml = parseYaml(source);
  return yaml.ok ? yaml.value.values : new Map<string, Position>();
}
