import type { Freeze } from '#lib/formats';
import { err, notFound, ok, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { ToolRegistry } from '#lib/tool';
import { stretchAt, type Stretch } from '../domain/freezes.js';
import { pointerOfSource } from '../domain/compare-cells.js';
import type { Position } from '../domain/parse-yaml.js';
import { parseYaml } from '../domain/parse-yaml.js';
import { unifiedDiff } from '../domain/unified-diff.js';
import type { AutonomyRepository, AutonomyRevision, EnvironmentList } from './autonomy.ports.js';
import type { Matrix, MatrixCell } from './matrix.js';

/** A revision with its changes, and whether it is in force. */
export interface RevisionWithDiff {
  readonly revision: AutonomyRevision;
  /** Unified, against the revision before it. */
  readonly diff: string;
  readonly inForce: boolean;
}

/** A cell with the line of the document that its mode comes from. */
export interface SourcedCell extends MatrixCell {
  readonly source: Position | null;
}

/** A freeze of the document in force, with its next time and its line. */
export interface SourcedFreeze {
  readonly freeze: Freeze;
  /** The current stretch, or else the next one; null if none comes. */
  readonly stretch: Stretch | null;
  readonly active: boolean;
  readonly source: Position | null;
}

export interface EffectiveMatrix {
  /** Null if the tenant has no document. */
  readonly revision: number | null;
  readonly bundleRevision: string;
  readonly cells: readonly SourcedCell[];
  readonly freezes: readonly SourcedFreeze[];
}

/** Reads the document in force, its history, and the effective matrix. */
export class ReadAutonomy {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly revisions: AutonomyRepository,
    private readonly tools: ToolRegistry,
    private readonly environments: EnvironmentList,
    private readonly matrix: Matrix,
  ) {}

  /** The document in force. */
  async current(principal: Principal): Promise<Result<AutonomyRevision>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const revision = await this.revisions.inForce(tx);
      return revision === null
        ? err({
            ...notFound('autonomy document'),
            action: 'Put one: without it the tenant is in plan_only, and nobody may approve.',
          })
        : ok(revision);
    });
  }

  /** Newest first. */
  async list(
    principal: Principal,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly revisions: readonly AutonomyRevision[]; readonly inForce: number | null }> {
    return this.uow.run(principal.tenantId, async (tx) => ({
      revisions: await this.revisions.list(tx, page),
      inForce: (await this.revisions.current(tx))?.number ?? null,
    }));
  }

  /** One revision by its number. */
  async revision(principal: Principal, number: number): Promise<Result<RevisionWithDiff>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const revision = await this.revisions.find(tx, number);
      if (revision === null) return err(notFound('autonomy revision'));
      const before = number > 1 ? await this.revisions.find(tx, number - 1) : null;
      const diff = unifiedDiff(
        { name: before === null ? '/dev/null' : `revision ${String(before.number)}`, source: before?.source ?? '' },
        { name: `revision ${String(number)}`, source: revision.source },
      );
      return ok({ revision, diff, inForce: (await this.revisions.current(tx))?.number === number });
    });
  }

  /** Every tool in every environment, or of one tool or environment. Each has the line that its mode comes from. */
  async effective(
    principal: Principal,
    only: { readonly tool: string | null; readonly environment: string | null },
  ): Promise<EffectiveMatrix> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const revision = await this.revisions.inForce(tx);
      const tools = (await this.tools.list(tx)).filter(({ name }) => only.tool === null || name === only.tool);
      const environments = (await this.environments.all(tx)).filter(
        ({ name }) => only.environment === null || name === only.environment,
      );
      const now = await tx.now();
      const cells = await this.matrix.cells(tx, now, revision?.document ?? null, tools, environments);
      const yaml = revision === null ? null : parseYaml(revision.source);
      const positionOf = (source: string): Position | null => {
        const pointer = pointerOfSource(source);
        return pointer === null || yaml?.ok !== true ? null : (yaml.value.values.get(pointer) ?? null);
      };
      return {
        revision: revision?.number ?? null,
        bundleRevision: this.matrix.bundleRevision,
        freezes: (revision?.document?.freezes ?? []).map((freeze, index) => {
          const stretch = stretchAt(freeze, now);
          const source = yaml?.ok === true ? (yaml.value.values.get(`/freezes/${String(index)}`) ?? null) : null;
          return { freeze, stretch, active: stretch !== null && stretch.from <= now, source };
        }),
        cells: cells.map((cell) => ({ ...cell, source: positionOf(cell.decision.effective.source) })),
      };
    });
  }
}
