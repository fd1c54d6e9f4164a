import { secretReferences, unrecordable, withoutSecrets, type SecretResolver } from '#lib/dispatch';
import type { ToolCallResponse } from '#lib/formats';
import {
  err,
  maskSecrets,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { stateAfter, type DispatchState } from '../domain/dispatch-transitions.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import { keepHeld, keepOutput } from '../domain/keep-output.js';
import { runnerActor } from './runner-actor.js';
import type { RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import { runnerRevoked } from './runner-revoked.js';
import type { OutputChunk, RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/**
 * Takes the output and the answer of a call from the runner that took it. Secrets are masked before anything is stored (T32). A
 * runner that was revoked meanwhile is refused, under the lock that its revocation takes.
 */
export class ReportCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: Pick<RunnerRepository, 'find'>,
    private readonly dispatches: RunnerDispatchRepository,
    private readonly secrets: SecretResolver,
    private readonly audit: AuditSink,
  ) {}

  /**
   * Appends output. Chunks that were kept before are ignored, so that a runner may send them again.
   *
   * Failures: `runner.revoked`, `resource.not_found`, `runner.output_gap`.
   */
  async output(
    { tenantId, runner }: ProvenRunner,
    id: RunnerDispatchId,
    firstSeq: number,
    chunks: readonly OutputChunk[],
  ): Promise<Result<null>> {
    return this.uow.run(tenantId, async (tx): Promise<Result<null>> => {
      if (!(await this.#stands(tx, runner.id))) return err(runnerRevoked);
      const call = await this.dispatches.lock(tx, id);
      if (call?.runnerId !== runner.id) return err(notFound('call'));
      const kept = keepOutput(call, firstSeq, chunks);
      if (kept === null) return err(gap(call.outputSeq + 1));
      if (kept.chunks.length > 0 || kept.progress.outputCut !== call.outputCut) {
        // No later chunk takes held text once the call has ended.
        const outputHeld = call.endedAt === null ? kept.progress.outputHeld : null;
        await this.dispatches.append(tx, id, call.outputSeq + 1, kept.chunks, { ...kept.progress, outputHeld });
      }
      return ok(null);
    });
  }

  /**
   * Ends a call with its answer. An answer that comes after the call was lost is kept beside it, on record. A person
   * resolves the step by it. A repetition changes nothing. The effect of a call is unknown if its result cannot be
   * recorded.
   *
   * Failures: `runner.revoked`, `resource.not_found`. @returns the state of the call.
   */
  async result(proven: ProvenRunner, id: RunnerDispatchId, answer: ToolCallResponse): Promise<Result<DispatchState>> {
    const { tenantId, runner } = proven;
    const found = await this.uow.run(tenantId, (tx) => this.dispatches.find(tx, id));
    if (found?.runnerId !== runner.id) return err(notFound('call'));
    const values = await this.#valuesOf(tenantId, found);
    // Text is replaced by text, so the shape stays.
    const clean = maskSecrets(withoutSecrets(recordable(answer), values)) as ToolCallResponse;
    return this.uow.run(tenantId, async (tx): Promise<Result<DispatchState>> => {
      if (!(await this.#stands(tx, runner.id))) return err(runnerRevoked);
      const call = await this.dispatches.lock(tx, id);
      if (call === null) return err(notFound('call'));
      const state = stateAfter(call.state, 'answer');
      if (state === null) return ok(call.state);
      const rest = keepHeld(call);
      await this.dispatches.append(tx, id, call.outputSeq + 1, rest.chunks, rest.progress);
      const now = await tx.now();
      const handOverAt = state === 'answered' ? now + HAND_OVER_MS : null;
      await this.dispatches.save(tx, id, { ...call, state, endedAt: call.endedAt ?? now, answer: clean, handOverAt });
      if (state === 'answered_late')
        await this.audit.record(tx, {
          action: 'runner.answered_late',
          actor: runnerActor(runner),
          level: 'full',
          subject: { type: 'runner', id: runner.id },
          within: [{ type: call.sourceType, id: call.sourceId }],
          payload: { call_id: id, tool: call.tool, step: call.step, attempt: call.attempt, answer: clean },
        });
      return ok(state);
    });
  }

  /** Keeps a revocation waiting until the transaction ends. */
  async #stands(tx: Tx, id: RunnerId): Promise<boolean> {
    return (await this.runners.find(tx, id, 'share'))?.revokedAt === null;
  }

  /** A secret that cannot be read any more is masked by the runner, which has its value. */
  async #valuesOf(tenantId: TenantId, call: RunnerDispatch): Promise<ReadonlyMap<string, string>> {
    const references = call.withSecrets ? secretReferences(call.arguments) : [];
    const { environment, executor, tool } = call;
    const use = { purpose: 'tool_arguments', environment, executor, tool } as const;
    try {
      return await this.secrets.resolveAll(
        tenantId,
        references.map((reference) => ({ reference, use })),
      );
    } catch {
      return new Map();
    }
  }
}

function recordable(answer: ToolCallResponse): ToolCallResponse {
  const error = answer.ok ? unrecordable(answer.result) : null;
  return error === null ? answer : { ok: false, effect: 'unknown', error: { ...error } };
}

/** The worker that waits for an answer has so long to record it by itself. */
const HAND_OVER_MS = 2_000;

const gap = (expected: number): Failure => ({
  kind: 'conflict',
  code: 'runner.output_gap',
  message: `The next chunk of output has the number ${String(expected)}.`,
  action: 'Send the output from that number on.',
  details: { expected },
});
