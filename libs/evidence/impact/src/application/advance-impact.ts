import { relevantDocument, type RoleCensus } from '#lib/autonomy';
import type { ImpactReportId, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { noDecision, type PolicyDecisionPoint } from '#lib/policy';
import type { Decision, Entrypoint, PolicyInput } from '#lib/policy-inputs';
import { NO_PROGRESS, type ImpactReport } from '../domain/impact-report.js';
import { compareCell, inMode, MODES, modeOf, type LatticeCell } from '../domain/lattice.js';
import { withChange } from '../domain/proposed-world.js';
import { putDecision, type Evaluate } from '../domain/put-decision.js';
import { sampleOf, weightIn } from '../domain/strata.js';
import { addTo } from '../domain/tally.js';
import { compareWorlds, movesNothing, own, worldOn, type Side, type World, type WorldChange } from '../domain/world.js';
import type { AskedChanges, ImpactReportRepository, StoredDecisions, WorldReader } from './impact.ports.js';

/** More decisions are put again by a sample, which the report states. */
const MOST_DECISIONS = 20_000;
const BATCH = 200;
/** Pairs of a tool and an environment in one batch of the lattice. */
const PAIRS = 100;
/** How many evaluations are done before the event loop gets its turn: about two milliseconds. */
const EVALUATIONS_A_TURN = 20;

export interface AdvanceImpactDeps {
  readonly uow: UnitOfWork;
  readonly reports: ImpactReportRepository;
  readonly decisions: StoredDecisions;
  readonly worlds: WorldReader;
  readonly changes: AskedChanges;
  readonly census: RoleCensus;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate' | 'bundleRevision'>;
  readonly most?: number;
}

/**
 * Works a report out: first the lattice, then the stored decisions, in batches of one transaction each. Any number of workers may
 * call it, and may die: the next one goes on after the last batch. If other policies come into force meanwhile, it begins anew.
 */
export class AdvanceImpact {
  constructor(private readonly deps: AdvanceImpactDeps) {}

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
    return report.progress.latticeAt === null
      ? this.#decisions(tx, report, report.change)
      : this.#lattice(tx, report, report.change, report.progress.latticeAt);
  }

  async #begin(tx: Tx, report: ImpactReport): Promise<ImpactReport> {
    const change = report.changeId === null ? report.change : await this.#changeOf(tx, report);
    if (change === null) return { ...report, phase: 'cancelled', finishedAt: await tx.now() };
    const counted = movesNothing(change) ? [] : await this.deps.decisions.count(tx, report);
    const strata = sampleOf(counted, this.deps.most ?? MOST_DECISIONS);
    const bundleRevision = this.deps.policy.bundleRevision;
    return { ...report, phase: 'working', change, bundleRevision, progress: { ...NO_PROGRESS, strata } };
  }

  /** Null if the change waits no more. */
  async #changeOf(tx: Tx, { changeId }: ImpactReport): Promise<WorldChange | null> {
    const asked = changeId === null ? null : await this.deps.changes.waiting(tx, changeId);
    if (asked === null) return null;
    const present = await this.deps.worlds.present(tx);
    const after = withChange(present, asked.kind, asked.payload);
    return after === null ? null : compareWorlds(present.world, after);
  }

  async #lattice(tx: Tx, report: ImpactReport, change: WorldChange, from: number): Promise<ImpactReport> {
    const { world } = await this.deps.worlds.present(tx);
    const [before, after] = [worldOn(world, change, 'before'), worldOn(world, change, 'after')];
    const tools = [...new Set([...Object.keys(before.tools), ...Object.keys(after.tools)])].sort();
    const environments = Object.keys(after.environments).sort();
    const pairs = tools
      .flatMap((tool) => environments.map((environment) => ({ tool, environment })))
      .filter((pair) => isTouched(change, pair));
    const { holders } = await this.deps.census.count(tx);
    const decide = (side: World, cell: Cell): Decision => this.#cell(tx, report, side, cell);
    const found: LatticeCell[] = [];
    const chosen = pairs.slice(from, from + PAIRS);
    const pause = pauses();
    for (const { tool, environment } of chosen) {
      for (const mode of MODES) {
        const inForce = modeOf(after.autonomy, environment) === mode;
        const cell = { tool, environment, mode, inForce };
        const was = decide(before, { ...cell, mode: inForce ? null : mode });
        const is = decide(after, { ...cell, mode: inForce ? null : mode });
        const compared = compareCell(cell, was, is, holders);
        if (compared !== null) found.push(compared);
        await pause(2);
      }
    }
    const done = from + chosen.length;
    const cells = [...report.progress.cells, ...found];
    return { ...report, progress: { ...report.progress, cells, latticeAt: done < pairs.length ? done : null } };
  }

  #cell(tx: Tx, { until }: ImpactReport, { autonomy, tools, environments }: World, cell: Cell): Decision {
    const tool = own(tools, cell.tool);
    const production = own(environments, cell.environment);
    if (tool === null) return noDecision('policy.unknown_tool', cell.tool);
    if (production === null) return noDecision('policy.unknown_environment', cell.environment);
    const document = cell.mode === null ? autonomy : inMode(autonomy, cell.environment, cell.mode);
    return this.deps.policy.evaluate('autonomy', {
      now: until,
      tenant_id: tx.tenantId,
      autonomy: relevantDocument(document, cell.environment, cell.tool),
      tool: tool.facts,
      environment: { id: cell.environment, name: cell.environment, production, version: 1 },
    });
  }

  async #decisions(tx: Tx, report: ImpactReport, change: WorldChange): Promise<ImpactReport> {
    const { progress } = report;
    const strata = progress.strata ?? [];
    const from = { after: progress.after, strata, limit: BATCH };
    const batch = strata.length === 0 ? [] : await this.deps.decisions.batch(tx, report, from);
    const evaluate: Evaluate = (_side: Side, entrypoint, input) =>
      this.deps.policy.evaluate(entrypoint, input as PolicyInput<Entrypoint>);
    let { tally } = progress;
    const pause = pauses();
    for (const stored of batch) {
      tally = addTo(tally, stored, putDecision(stored, change, evaluate), weightIn(strata, stored));
      await pause(2);
    }
    const next = { ...report, progress: { ...progress, tally, after: batch.at(-1)?.id ?? progress.after } };
    return batch.length === BATCH ? next : { ...next, phase: 'done', finishedAt: await tx.now() };
  }
}

interface Cell {
  readonly tool: string;
  readonly environment: string;
  /** Null: the mode of the document itself. */
  readonly mode: LatticeCell['mode'] | null;
}

const isTouched = (
  { autonomy, tools, environments }: WorldChange,
  cell: { readonly tool: string; readonly environment: string },
): boolean => autonomy !== undefined || own(tools, cell.tool) !== null || own(environments, cell.environment) !== null;

/** Lets other work of the process have its turn after so many evaluations. */
function pauses(): (evaluations: number) => Promise<void> {
  let done = 0;
  return async (evaluations) => {
    done += evaluations;
    if (done < EVALUATIONS_A_TURN) return;
    done = 0;
    await new Promise((resolve) => setImmediate(resolve));
  };
}
