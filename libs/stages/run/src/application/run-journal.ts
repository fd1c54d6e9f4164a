import type { JsonObject } from '#lib/canonical';
import type { Actor, AuditSink, DecisionId, EvidenceRef, Principal, TenantId, Tx } from '#lib/kernel';
import { actorOf } from '#lib/kernel';
import { inRun } from '../domain/in-run.js';
import type { Run } from '../domain/run.js';
import type { RunRepository } from './run.repository.js';

/** The actor of all that the run engine does by itself. */
export const runExecutor = (tenantId: TenantId): Principal => ({ kind: 'system', tenantId, name: 'run-executor' });

/** One thing that happened in a run. */
export interface RunRecord {
  /** In the past tense: `run.step_dispatched`. */
  readonly type: `run.${string}`;
  readonly actor: Actor;
  readonly data: JsonObject;
  readonly at: number;
  readonly decisionId?: DecisionId;
  readonly evidence?: readonly EvidenceRef[];
}

/** Writes each event of a run twice in its transaction: as the run's event, and into the audit log. */
export class RunJournal {
  constructor(
    private readonly runs: RunRepository,
    private readonly audit: AuditSink,
  ) {}

  /** The run with its count of events moved on; the caller saves it. */
  async record<R extends Run>(tx: Tx, run: R, happening: RunRecord): Promise<R> {
    const seq = run.eventCount + 1;
    const { type, actor, data, at } = happening;
    await this.runs.appendEvent(tx, run.id, { seq, type, actor, data, at });
    await this.audit.record(tx, {
      action: type,
      actor,
      level: run.approvedTerms.obligations.audit_level,
      subject: { type: 'run', id: run.id },
      within: inRun(run),
      ...(happening.decisionId === undefined ? {} : { decisionId: happening.decisionId }),
      ...(happening.evidence === undefined ? {} : { evidence: happening.evidence }),
      payload: { seq, ...data },
    });
    return { ...run, eventCount: seq };
  }

  /** The same by the executor itself. */
  recordOwn<R extends Run>(tx: Tx, run: R, happening: Omit<RunRecord, 'actor'>): Promise<R> {
    return this.record(tx, run, { ...happening, actor: actorOf(runExecutor(tx.tenantId)) });
  }
}
