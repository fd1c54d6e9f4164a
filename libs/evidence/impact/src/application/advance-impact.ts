import { newId, type ImpactReportId, type Outbox, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Entrypoint, PolicyInput } from '#lib/policy-inputs';
import {
  hasMoved,
  isRenewable,
  mayBeginAnew,
  type ImpactFailure,
  type ImpactReport,
  type InForce,
} from '../domain/impact-report.js';
import { withChange } from '../domain/proposed-world.js';
import { compareWorlds, type WorldChange } from '../domain/world.js';
import type { Batch, ImpactBatches, SidePolicies } from './impact-batches.js';
import { NO_FINDINGS, type ImpactFindings } from './impact-findings.js';
import type {
  AskedChanges,
  ImpactReportRepository,
  Lease,
  NextTurn,
  SettingsStamps,
  WorldReader,
} from './impact.ports.js';

interface AdvanceImpactDeps {
  readonly uow: UnitOfWork;
  readonly reports: ImpactReportRepository;
  readonly findings: ImpactFindings;
  readonly changes: AskedChanges;
  readonly stamps: SettingsStamps;
  readonly outbox: Outbox;
  readonly batches: Pick<ImpactBatches, 'begin' | 'next'>;
  readonly worlds: Pick<WorldReader, 'present'>;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate' | 'bundleRevision'>;
}

/**
 * The lease of a report: longer than a batch takes, and longer than a count of a long period. A report of a lost worker
 * waits for its end.
 */
const LEASE_MS = 300_000;
/** How often a batch is begun before its report is given up. */
export const MAX_ATTEMPTS = 5;
/** The pause after a batch that failed, times the attempts. */
const AFTER_FAILURE_MS = 10_000;
/** How often settings are compared while a change waits. A change that is confirmed meanwhile is seen at once. */
const LOOK_AGAIN_MS = 60_000;
/** How often a failed report is tried again while its change waits. */
const TRY_AGAIN_MS = 600_000;

/**
 * Works a report out: first the lattice, then the stored decisions, in batches of one transaction each. Any number of workers may
 * call it, and may die: the next one goes on after the last batch. No row is locked while a batch works. A lease keeps
 * other workers away, and a change that ends takes the lease away.
 *
 * If settings or policies move while a change waits, its report is begun anew, even if it was done. One that failed is
 * begun anew, too. Both together are bounded.
 */
export class AdvanceImpact {
  /** Those in force decide for both sides. */
  readonly #policies: SidePolicies;

  constructor(private readonly deps: AdvanceImpactDeps) {
    const { policy } = deps;
    this.#policies = {
      // An input as it was stored: the policy refuses one of a wrong shape.
      evaluate: (_side, entrypoint, input) => policy.evaluate(entrypoint, input as PolicyInput<Entrypoint>),
      everything: false,
    };
  }

  /**
   * @returns 0 if there is more to do when others had their turn. Null if the report is finished, or another worker has it.
   * @throws what a batch threw. The report is due again after a pause, or given up.
   */
  async execute(tenantId: TenantId, id: ImpactReportId, turn: { readonly over: boolean }): Promise<number | null> {
    const token = newId();
    const run = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => this.deps.uow.run(tenantId, work);
    let report = await run((tx) => this.#taken(tx, id, token));
    while (report !== null) {
      const last: ImpactReport = report;
      try {
        const turned = await run((tx) => this.#turn(tx, last, token, turn));
        if (!('goesOn' in turned)) return turned.dueIn;
        report = turned.goesOn;
      } catch (error) {
        // If even that fails, the lease ends by itself.
        await run((tx) => this.#failed(tx, id, token)).catch(() => undefined);
        throw error;
      }
    }
    return null;
  }

  /** Null if the report is not due, or given up: its workers were lost again and again. */
  async #taken(tx: Tx, id: ImpactReportId, token: string): Promise<ImpactReport | null> {
    const report = await this.deps.reports.lease(tx, id, await this.#lease(tx, token));
    if (report === null || report.attempts <= MAX_ATTEMPTS) return report;
    const lost = await givenUp(tx, report, 'worker_lost');
    await this.#keep(tx, report, lost, token, await this.#look(tx, lost));
    return null;
  }

  async #turn(tx: Tx, report: ImpactReport, token: string, turn: { readonly over: boolean }): Promise<Turned> {
    const { report: stepped, found, anew } = await this.#step(tx, report);
    const next = { ...stepped, attempts: 0 };
    const ended = next.finishedAt !== null;
    const over = turn.over;
    const later: NextTurn = ended
      ? await this.#look(tx, next)
      : over
        ? { at: await tx.now() }
        : { lease: await this.#lease(tx, token) };
    if (!(await this.#keep(tx, report, next, token, later))) return { dueIn: null };
    if (anew) await this.deps.findings.drop(tx, report.id);
    await this.deps.findings.add(tx, report.id, found);
    if (ended) return { dueIn: null };
    return over ? { dueIn: 0 } : { goesOn: next };
  }

  async #step(tx: Tx, report: ImpactReport): Promise<Step> {
    const inForce = await this.#inForce(tx);
    const moved = hasMoved(report, inForce);
    if (report.phase === 'done') return { report: moved ? outdated(report) : report, found: NO_FINDINGS, anew: false };
    if (report.phase === 'failed') return this.#begin(tx, { ...report, failure: null, finishedAt: null }, inForce);
    if (report.phase === 'waiting') return this.#begin(tx, report, inForce);
    // The asker of a configuration is told in the end that settings have moved.
    const stays = report.changeId === null && report.bundleRevision === inForce.bundleRevision;
    if (report.phase === 'outdated' || (moved && !stays)) {
      if (mayBeginAnew(report)) return this.#begin(tx, { ...report, renewals: report.renewals + 1 }, inForce);
      if (report.bundleRevision !== inForce.bundleRevision)
        return { report: await givenUp(tx, report, 'policies_moved'), found: NO_FINDINGS, anew: false };
    }
    if (report.change === null) throw new Error('a report at work knows its change');
    return { ...(await this.deps.batches.next(tx, report, report.change, this.#policies)), anew: false };
  }

  async #begin(tx: Tx, report: ImpactReport, inForce: InForce): Promise<Step> {
    const change = report.changeId === null ? report.change : await this.#changeOf(tx, report);
    const ended = change === 'unreadable' ? await givenUp(tx, report, 'change_unreadable') : null;
    if (change === null || change === 'unreadable')
      return {
        report: ended ?? { ...report, phase: 'cancelled', finishedAt: await tx.now() },
        found: NO_FINDINGS,
        anew: true,
      };
    // The change of a configuration was worked out when it was asked for, against the settings of that time.
    const { stamp, bundleRevision } = inForce;
    const against = { ...report, bundleRevision, stamp: report.changeId === null ? report.stamp : stamp };
    const begun = await this.deps.batches.begin(tx, against, change);
    return { report: begun, found: NO_FINDINGS, anew: true };
  }

  /** Null if the change waits no more; `unreadable` if it does not fit the settings of today. */
  async #changeOf(tx: Tx, { changeId }: ImpactReport): Promise<WorldChange | 'unreadable' | null> {
    const asked = changeId === null ? null : await this.deps.changes.waiting(tx, changeId);
    if (asked === null) return null;
    const present = await this.deps.worlds.present(tx);
    const after = withChange(present, asked.kind, asked.payload);
    return after === null ? 'unreadable' : compareWorlds(present.world, after);
  }

  /** Settings are named before they are read: if they move in between, the report is begun anew. */
  async #inForce(tx: Tx): Promise<InForce> {
    return { stamp: await this.deps.stamps.present(tx), bundleRevision: this.deps.policy.bundleRevision };
  }

  async #keep(tx: Tx, from: ImpactReport, to: ImpactReport, token: string, next: NextTurn): Promise<boolean> {
    const kept = await this.deps.reports.save(tx, to, token, next);
    const { changeId, phase } = to;
    // The message about the change shows the result.
    if (kept && changeId !== null && phase !== from.phase && (phase === 'done' || phase === 'failed'))
      await this.deps.outbox.write(tx, {
        topic: 'change_request.changed',
        payload: { change_id: changeId, event: 'impact' },
      });
    return kept;
  }

  /** The commit of a batch may have been kept although its answer was lost. So the report is read, and never set back. */
  async #failed(tx: Tx, id: ImpactReportId, token: string): Promise<void> {
    const report = await this.deps.reports.held(tx, id, token);
    if (report === null) return;
    const attempts = Math.max(1, report.attempts);
    const over = attempts >= MAX_ATTEMPTS;
    const next = over ? await givenUp(tx, report, 'batch_failed') : { ...report, attempts };
    const later = over ? await this.#look(tx, next) : { at: (await tx.now()) + attempts * AFTER_FAILURE_MS };
    await this.#keep(tx, report, next, token, later);
  }

  async #lease(tx: Tx, token: string): Promise<Lease> {
    return { token, until: (await tx.now()) + LEASE_MS };
  }

  async #look(tx: Tx, report: ImpactReport): Promise<NextTurn> {
    const { phase } = report;
    if ((phase !== 'done' && phase !== 'failed') || !isRenewable(report)) return null;
    return { at: (await tx.now()) + (phase === 'done' ? LOOK_AGAIN_MS : TRY_AGAIN_MS) };
  }
}

type Turned = { readonly goesOn: ImpactReport } | { readonly dueIn: 0 | null };

interface Step extends Batch {
  /** Whether the findings so far count no more. */
  readonly anew: boolean;
}

/** It keeps its result until it is begun anew. */
const outdated = (report: ImpactReport): ImpactReport => ({ ...report, phase: 'outdated', finishedAt: null });

const givenUp = async (tx: Tx, report: ImpactReport, failure: ImpactFailure): Promise<ImpactReport> => ({
  ...report,
  phase: 'failed',
  failure,
  // The next try has its own attempts.
  attempts: 0,
  renewals: report.renewals + 1,
  finishedAt: await tx.now(),
});
