import type { Decision } from '#lib/formats';
import type { AutonomyRevisionId, TenantId, UnitOfWork } from '#lib/kernel';
import { pointerOfSource } from '../domain/compare-cells.js';
import { parseYaml, type ParsedYaml, type Position } from '../domain/parse-yaml.js';
import type { AutonomyRepository, AutonomyRevision } from './autonomy.ports.js';

/** The line of the document that the mode of a decision comes from. */
export interface AutonomyLine {
  readonly revision: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The facts of a decision that locate its line. */
export interface LocatedDecision {
  readonly decision: Pick<Decision, 'effective'>;
  /** The database's clock under the locks of the decision, epoch milliseconds. */
  readonly decidedAt: number;
}

/** A decision with its revision; null if the tenant had none. */
export interface DecisionOfRevision {
  readonly decision: Pick<Decision, 'effective'>;
  readonly autonomyRevisionId: AutonomyRevisionId | null;
}

/** How many parsed revisions, of at most 64 KiB each, are kept. */
const MAX_KEPT = 50;

/** The lines of the values in a revision. */
interface Positions {
  readonly number: number;
  readonly values: ParsedYaml['values'];
}

/** Locates the line that a decision's mode comes from, in the revision that was in force then. */
export class LocateAutonomyLine {
  /** Parsed revisions. A revision never changes, and parsing takes longer than the rest of showing a request. */
  readonly #positions = new Map<AutonomyRevisionId, Positions>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: Pick<AutonomyRepository, 'findMany' | 'inForceAt'>,
  ) {}

  /** Null if no document said anything about it. */
  async execute(tenantId: TenantId, decided: LocatedDecision | null): Promise<AutonomyLine | null> {
    if (decided === null || pointerOfSource(decided.decision.effective.source) === null) return null;
    const revision = await this.uow.run(tenantId, (tx) => this.revisions.inForceAt(tx, decided.decidedAt));
    return revision === null ? null : lineIn(this.#keep(revision), decided.decision);
  }

  /** As `execute`, for a decision with a known revision. */
  async ofRevision(tenantId: TenantId, decided: DecisionOfRevision): Promise<AutonomyLine | null> {
    return (await this.executeAll(tenantId, [decided])).get(decided) ?? null;
  }

  /** The lines of a list of decisions. One query reads their revisions. A decision without a document is absent. */
  async executeAll<Decided extends DecisionOfRevision>(
    tenantId: TenantId,
    decided: readonly Decided[],
  ): Promise<ReadonlyMap<Decided, AutonomyLine>> {
    const positions = await this.#positionsOf(
      tenantId,
      decided.flatMap(({ autonomyRevisionId }) => autonomyRevisionId ?? []),
    );
    return new Map(
      decided.flatMap((one): [Decided, AutonomyLine][] => {
        const revision = one.autonomyRevisionId === null ? undefined : positions.get(one.autonomyRevisionId);
        const line = revision === undefined ? null : lineIn(revision, one.decision);
        return line === null ? [] : [[one, line]];
      }),
    );
  }

  /** Reads the revisions that are not cached. */
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

function lineIn({ number, values }: Positions, { effective }: Pick<Decision, 'effective'>): AutonomyLine | null {
  const pointer = pointerOfSource(effective.source);
  const position = pointer === null ? undefined : values.get(pointer);
  return position === undefined ? null : { revision: number, line: position.line, column: position.column };
}

function positionsIn(source: string): ParsedYaml['values'] {
  const yaml = parseYaml(source);
  return yaml.ok ? yaml.value.values : new Map<string, Position>();
}
