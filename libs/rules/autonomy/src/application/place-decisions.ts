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

/** So many revisions, of 64 KiB at most, are kept parsed. */
const MAX_KEPT = 50;

/** Where the values of a revision stand. */
interface Positions {
  readonly number: number;
  readonly values: ParsedYaml['values'];
}

/** Finds the line that a decision's mode came from, in the revision that was in force when it was taken. */
export class PlaceDecisions {
  /** A revision never changes, and parsing one takes longer than everything else that shows a request. */
  readonly #positions = new Map<AutonomyRevisionId, Positions>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: Pick<AutonomyRepository, 'findMany' | 'inForceAt'>,
  ) {}

  /** Null where no document said anything about it. */
  async execute(tenantId: TenantId, decided: PlacedDecision | null): Promise<AutonomyPlace | null> {
    if (decided === null || pointerOfSource(decided.decision.effective.source) === null) return null;
    const revision = await this.uow.run(tenantId, (tx) => this.revisions.inForceAt(tx, decided.decidedAt));
    return revision === null ? null : placeIn(this.#keep(revision), decided.decision);
  }

  /** The same of a decision whose revision is known. */
  async ofRevision(tenantId: TenantId, decided: DecisionOfRevision): Promise<AutonomyPlace | null> {
    return (await this.executeAll(tenantId, [decided])).get(decided) ?? null;
  }

  /** Those of a list, whose revisions are read in one query and once each. A decision that no document is behind is absent. */
  async executeAll<Decided extends DecisionOfRevision>(
    tenantId: TenantId,
    decided: readonly Decided[],
  ): Promise<ReadonlyMap<Decided, AutonomyPlace>> {
    const positions = await this.#positionsOf(
      tenantId,
      decided.flatMap(({ autonomyRevisionId }) => autonomyRevisionId ?? []),
    );
    return new Map(
      decided.flatMap((one): [Decided, AutonomyPlace][] => {
        const revision = one.autonomyRevisionId === null ? undefined : positions.get(one.autonomyRevisionId);
        const place = revision === undefined ? null : placeIn(revision, one.decision);
        return place === null ? [] : [[one, place]];
      }),
    );
  }

  /** Reads the revisions that are not kept. */
  async #positionsOf(
    tenantId: TenantId,
    ids: readonly AutonomyRevisionId[],
  ): Promise<ReadonlyMap<AutonomyRevisionId, Positions>> {
    const found = new Map<AutonomyRevisionId, Positions>();
    for (const id of ids) {
      const kept = this.#positions.get(id);
      if (kept !== undefined) found.set(id, kept);
    }
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    const read = await this.uow.run(tenantId, (tx) => this.revisions.findMany(tx, missing));
    for (const revision of read) found.set(revision.revisionId, this.#keep(revision));
    return found;
  }

  #keep({ revisionId, number, source }: AutonomyRevision): Positions {
    const positions = this.#positions.get(revisionId) ?? { number, values: positionsIn(source) };
    this.#positions.set(revisionId, positions);
    const oldest = this.#positions.size > MAX_KEPT ? this.#positions.keys().next().value : undefined;
    if (oldest !== undefined) this.#positions.delete(oldest);
    return positions;
  }
}

function placeIn({ number, values }: Positions, { effective }: Pick<Decision, 'effective'>): AutonomyPlace | null {
  const pointer = pointerOfSource(effective.source);
  const position = pointer === null ? undefined : values.get(pointer);
  return position === undefined ? null : { revision: number, line: position.line, column: position.column };
}

function positionsIn(source: string): ParsedYaml['values'] {
  const yaml = parseYaml(source);
  return yaml.ok ? yaml.value.values : new Map<string, Position>();
}
