import { setTimeout as delay } from 'node:timers/promises';
import { relevantDocument, type RoleCensus } from '#lib/autonomy';
import type { Tx } from '#lib/kernel';
import { noDecision } from '#lib/policy';
import type { Decision } from '#lib/formats';
import { groupOf, mergeGroups, type ImpactGroup } from '../domain/groups.js';
import { NO_PROGRESS, withCells, type ImpactReport, type Progress } from '../domain/impact-report.js';
import {
  compareCell,
  inMode,
  MODES,
  modeOf,
  nextPairs,
  type LatticeCell,
  type LatticePair,
} from '../domain/lattice.js';
import { putDecision, type Evaluate } from '../domain/put-decision.js';
import type { StoredInput } from '../domain/put-input.js';
import { sampleOf, weightIn } from '../domain/strata.js';
import { addTo } from '../domain/tally.js';
import { own, worldOn, type Side, type World, type WorldChange } from '../domain/world.js';
import { NO_FINDINGS, type Findings } from './impact-findings.js';
import type { StoredDecisions, WorldReader } from './impact.ports.js';

/** More decisions are put again by a sample, which the report states. */
export const MAX_DECISIONS = 20_000;
const BATCH = 200;
/** Pairs of a tool and an environment in one batch of the lattice. */
const PAIRS = 400;
/** How many evaluations are done in a row: about two milliseconds. */
const EVALUATIONS_A_TURN = 20;
/** It then rests as long as it worked: nobody waits for a report as they wait for a decision. */
const REST_MS = 2;

export interface ImpactBatchesDeps {
  readonly decisions: StoredDecisions;
  readonly worlds: WorldReader;
  readonly census: RoleCensus;
}

/** The policies of both sides of a report. */
export interface SidePolicies {
  readonly evaluate: Evaluate;
  /** True if the policies themselves differ between the sides, so that every decision is touched. */
  readonly everything: boolean;
}

/** Works on a report batch by batch: first the lattice, then the stored decisions. It keeps nothing between two batches. */
export class ImpactBatches {
  constructor(private readonly deps: ImpactBatchesDeps) {}

  async begin(tx: Tx, report: ImpactReport, change: WorldChange): Promise<ImpactReport> {
    const strata = sampleOf(await this.deps.decisions.count(tx, report), MAX_DECISIONS);
    return {
      ...report,
      change,
      phase: 'working',
      failure: null,
      finishedAt: null,
      progress: { ...NO_PROGRESS, strata, away: await this.deps.decisions.monthsAway(tx, report) },
    };
  }

  /** The report after the next batch, and the findings of the batch. The report is done once it says so. */
  next(tx: Tx, report: ImpactReport, change: WorldChange, policies: SidePolicies): Promise<Batch> {
    return report.progress.latticeDone
      ? this.#decisions(tx, report, change, policies)
      : this.#lattice(tx, report, change, policies);
  }

  async #lattice(
    tx: Tx,
    report: ImpactReport,
    change: WorldChange,
    { evaluate, everything }: SidePolicies,
  ): Promise<Batch> {
    const { progress } = report;
    const present = (await this.deps.worlds.present(tx)).world;
    const [before, after] = [worldOn(present, change, 'before'), worldOn(present, change, 'after')];
    const pairs = nextPairs(
      {
        tools: [...Object.keys(before.tools), ...Object.keys(after.tools)],
        environments: Object.keys(after.environments),
      },
      progress.latticeAfter,
      PAIRS,
      (pair) => everything || isTouched(change, pair),
    );
    const { holders } = await this.deps.census.count(tx);
    const decide = (side: Side, world: World, cell: Cell): Decision =>
      decideCell(tx, report, world, cell, (input) => evaluate(side, 'autonomy', input));
    const cells: LatticeCell[] = [];
    const pause = pauses();
    for (const { tool, environment } of pairs) {
      for (const mode of MODES) {
        const inForce = modeOf(after.autonomy, environment) === mode;
        const cell = { tool, environment, mode, inForce };
        const was = decide('before', before, { ...cell, mode: inForce ? null : mode });
        const is = decide('after', after, { ...cell, mode: inForce ? null : mode });
        const compared = compareCell(cell, was, is, holders);
        if (compared !== null) cells.push(compared);
        await pause(2);
      }
    }
    const next: Progress = {
      ...progress,
      cells: withCells(progress.cells, cells),
      latticeAfter: pairs.at(-1) ?? progress.latticeAfter,
      latticeDone: pairs.length < PAIRS,
    };
    return { report: { ...report, progress: next }, found: { ...NO_FINDINGS, cells } };
  }

  async #decisions(
    tx: Tx,
    report: ImpactReport,
    change: WorldChange,
    { evaluate, everything }: SidePolicies,
  ): Promise<Batch> {
    const { progress } = report;
    const strata = progress.strata ?? [];
    const from = { after: progress.after, strata, limit: BATCH };
    const batch = strata.length === 0 ? [] : await this.deps.decisions.batch(tx, report, from);
    let { tally } = progress;
    const groups: ImpactGroup[] = [];
    const pause = pauses();
    for (const stored of batch) {
      const weight = weightIn(strata, stored);
      if ('malformed' in stored) {
        tally = addTo(tally, stored, { result: 'not_put', why: 'malformed' }, weight);
        continue;
      }
      const putting = putDecision(stored, change, evaluate, everything);
      tally = addTo(tally, stored, putting, weight);
      const group = groupOf(stored, putting, weight);
      if (group !== null) groups.push(group);
      await pause(2);
    }
    const next = { ...report, progress: { ...progress, tally, after: batch.at(-1)?.id ?? progress.after } };
    return {
      report: batch.length === BATCH ? next : { ...next, phase: 'done', finishedAt: await tx.now() },
      found: { ...NO_FINDINGS, groups: mergeGroups(groups) },
    };
  }
}

/** The result of one batch. */
export interface Batch {
  readonly report: ImpactReport;
  readonly found: Findings;
}

interface Cell {
  readonly tool: string;
  readonly environment: string;
  /** Null: the mode of the document itself. */
  readonly mode: LatticeCell['mode'] | null;
}

function decideCell(
  { tenantId }: Tx,
  { until }: ImpactReport,
  { autonomy, tools, environments }: World,
  cell: Cell,
  evaluate: (input: StoredInput) => Decision,
): Decision {
  const tool = own(tools, cell.tool);
  const production = own(environments, cell.environment);
  if (tool === null) return noDecision('policy.unknown_tool', cell.tool);
  if (production === null) return noDecision('policy.unknown_environment', cell.environment);
  const document = cell.mode === null ? autonomy : inMode(autonomy, cell.environment, cell.mode);
  return evaluate({
    now: until,
    tenant_id: tenantId,
    autonomy: relevantDocument(document, cell.environment, cell.tool),
    tool: tool.facts,
    environment: { id: cell.environment, name: cell.environment, production, version: 1 },
  });
}

const isTouched = ({ autonomy, tools, environments }: WorldChange, { tool, environment }: LatticePair): boolean =>
  autonomy !== undefined || own(tools, tool) !== null || own(environments, environment) !== null;

/** Lets other work of the process, and of the machine, have its turn after so many evaluations. */
function pauses(): (evaluations: number) => Promise<void> {
  let done = 0;
  return async (evaluations) => {
    done += evaluations;
    if (done < EVALUATIONS_A_TURN) return;
    done = 0;
    await delay(REST_MS);
  };
}
