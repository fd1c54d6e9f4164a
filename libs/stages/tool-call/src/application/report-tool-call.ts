import type { DispatchOutcome, IssueGrant } from '#lib/dispatch';
import {
  err,
  notFound,
  ok,
  toTimestamp,
  type Failure,
  type Principal,
  type Result,
  type ToolCallId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { noExecutor, type ToolCall } from '../domain/tool-call.js';
import { agentIdOf } from './dispatch-tool-call.js';
import { mayReadCall, type ToolCallAnswer, type ToolCallAnswers } from './tool-call-answer.js';
import type { RecordCallAnswer } from './record-call-answer.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** An agent's report of a call that it made. It is unverified, and every reader is told so. */
export interface ToolCallReport {
  /** The jti of the grant it acted under. */
  readonly jti: string;
  readonly argumentsDigest: string;
  readonly outcome: DispatchOutcome;
}

/**
 * Takes an agent's report of a call, once and before its time is over. It comes from the agent that got its grant. The
 * same report is answered once more as the first. A late report is kept as evidence, decides nothing, and is answered
 * so.
 *
 * Failures: `resource.not_found` also for another agent's call, `tool_call.no_executor`, `tool_call.not_yours`, `tool_call.grant_differs`, `tool_call.arguments_differ`,
 * `tool_call.already_reported`, `tool_call.late`.
 */
export class ReportToolCall {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly calls: ToolCallRepository,
    private readonly recording: RecordCallAnswer,
    private readonly grants: Pick<IssueGrant, 'wasIssued'>,
    private readonly answers: ToolCallAnswers,
  ) {}

  execute(principal: Principal, id: ToolCallId, report: ToolCallReport): Promise<Result<ToolCallAnswer>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const call = await this.calls.lock(tx, id);
      if (call === null || !mayReadCall(principal, call)) return err(notFound('tool call'));
      const refused = await this.#refusal(tx, principal, call, report);
      if (refused !== null) return err(refused);
      const left = await this.#take(tx, principal, call, report.outcome);
      return left.ok ? ok(await this.answers.of(tx, left.value)) : left;
    });
  }

  async #refusal(
    tx: Tx,
    by: Principal,
    call: ToolCall,
    { jti, argumentsDigest }: ToolCallReport,
  ): Promise<Failure | null> {
    if (call.executor === null) return noExecutor(call);
    if (by.kind !== 'agent' || agentIdOf(call) !== by.agentId || call.executor.answeredBy !== 'agent') return notYours;
    if (jti !== call.id || !(await this.grants.wasIssued(tx, jti))) return grantDiffers;
    return argumentsDigest === call.argumentsDigest ? null : argumentsDiffer(call);
  }

  async #take(tx: Tx, by: Principal, call: ToolCall, outcome: DispatchOutcome): Promise<Result<ToolCall>> {
    // The answer to the first report was lost.
    if (this.recording.has(call, outcome)) return ok(call);
    if (call.state === 'succeeded' || call.state === 'failed') return err(alreadyReported(call));
    const now = await tx.now();
    if (call.state === 'executing' && now < call.leaseUntil)
      return ok(await this.recording.write(tx, call, { outcome, by, now }));
    await this.recording.keepLate(tx, call, { outcome, by, attempt: 1 });
    return err(late(call));
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'tool_call.not_yours',
  message: 'Only the agent that got the grant of a call reports it. An executor answers its calls itself.',
  action: 'Report with the credential of the agent that asked for the call.',
};

const grantDiffers: Failure = {
  kind: 'conflict',
  code: 'tool_call.grant_differs',
  message: 'The report does not name the grant that was issued for this call.',
  action: 'Get the call, act under its grant, and report the jti of that grant.',
  errors: [{ pointer: '/jti', code: 'tool_call.grant_differs', message: 'Not the grant of this call.' }],
};

const argumentsDiffer = ({ argumentsDigest }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.arguments_differ',
  message: 'The report is about another call than the allowed one: the digest of the arguments differs.',
  action: 'Make exactly the call that the grant is for. If you made another one, tell a person.',
  errors: [
    { pointer: '/arguments_digest', code: 'tool_call.arguments_differ', message: `Allowed is ${argumentsDigest}.` },
  ],
});

const alreadyReported = ({ state }: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.already_reported',
  message: 'This call has an outcome already.',
  action: 'Get the call and read it.',
  details: { state },
});

const late = (call: ToolCall): Failure => ({
  kind: 'conflict',
  code: 'tool_call.late',
  message: 'The report came after the time of its call was over. It is kept as evidence, and nothing follows from it.',
  action: 'Get the call. If it is unknown, a person resolves it.',
  details: { lease_until: call.state === 'executing' ? toTimestamp(call.leaseUntil) : null },
});
