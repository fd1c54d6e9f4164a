import { canonicalJson } from '#lib/canonical';
import type {
  ApprovalRequest,
  CallApproved,
  CallApprovedListener,
  CallDenied,
  CallDeniedListener,
} from '#lib/approval';
import { FailureError, type Digest, type JobQueue, type Principal, type ToolCallId, type Tx } from '#lib/kernel';
import type { SessionRepository, TrustCall } from '#lib/session';
import type { AllowedCall } from '../domain/call-changes.js';
import { approved, denied, type DeniedCall, type PendingCall } from '../domain/decide-tool-call.js';
import { isToSend, type CallFault, type UnansweredAs } from '../domain/tool-call.js';
import { journaled, type ToolCallJournal } from './tool-call-journal.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** Carries out the answer of people about a pending call, in its transaction, and the end of their time. */
export class SettleToolCall implements CallApprovedListener, CallDeniedListener {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lock' | 'save'>,
    private readonly jobs: JobQueue,
    private readonly journal: ToolCallJournal,
    private readonly sessions: Pick<SessionRepository, 'find' | 'touch'>,
    private readonly trust: Pick<TrustCall, 'execute'>,
  ) {}

  async callApproved(tx: Tx, event: CallApproved): Promise<void> {
    const { request, subject, principal, at } = event;
    await this.#settle(tx, subject.call.id, { request, principal }, (call) => approved(call, at));
    if (event.always) await this.#trust(tx, event);
  }

  /** @throws {FailureError} `session.ended`, `session.shape_too_long`: the answer is taken back with it. */
  async #trust(tx: Tx, { subject: { call, shape }, principal, reviews }: CallApproved): Promise<void> {
    const session = call.sessionId === null ? null : await this.sessions.find(tx, call.sessionId);
    if (session === null || shape === null) throw new Error(`the call ${call.id} has nothing to trust`);
    // A call keeps the digests as the catalog gave them.
    const [toolDigest, executorDigest] = [call.tool.digest as Digest, (call.executor?.digest ?? null) as Digest | null];
    const covers = { tool: call.tool.name, toolDigest, executorDigest, shape: canonicalJson(shape) };
    const factorProved = reviews.some(
      ({ personId, mfa }) => principal.kind === 'person' && personId === principal.personId && mfa !== null,
    );
    const kept = await this.trust.execute(tx, principal, session, covers, { callId: call.id, factorProved });
    if (!kept.ok) throw new FailureError(kept.error);
  }

  async callDenied(tx: Tx, { callId, request, principal }: CallDenied): Promise<void> {
    const [as, denial] = ANSWERS[request.state](request);
    await this.#settle(tx, callId, { request, principal }, (call) =>
      denied(call, { as, denial, at: request.closedAt }),
    );
  }

  async #settle(
    tx: Tx,
    id: ToolCallId,
    { request, principal }: { readonly request: ApprovalRequest; readonly principal: Principal },
    decide: (call: PendingCall) => AllowedCall | DeniedCall,
  ): Promise<void> {
    const call = await this.calls.lock(tx, id);
    if (call?.state !== 'pending')
      throw new Error(`the request ${request.id} settles the call ${id}, which is ${call?.state ?? 'not there'}`);
    const next = decide(call);
    await this.calls.save(tx, next);
    // The agent has waited for the answer. It goes on in the session now.
    if (next.sessionId !== null) await this.sessions.touch(tx, next.sessionId);
    if (isToSend(next)) await this.jobs.enqueue(tx, 'tool_call.execute', id);
    const denial = 'denial' in next ? next.denial : null;
    await this.journal.record(tx, principal, journaled(next), {
      level: request.decision.obligations.audit_level,
      decisionId: request.decisionId,
      outcome: request.decision.outcome,
      decidedAs: next.decidedAs,
      reasons: denial === null ? request.decision.reasons : [{ ...denial }],
      requestId: request.id,
    });
  }
}

/** The decision word and the reason, by the state in which the request closed. */
const ANSWERS: Readonly<
  Record<CallDenied['request']['state'], (request: CallDenied['request']) => readonly [UnansweredAs, CallFault]>
> = {
  denied: () => ['rejected', { code: 'tool_call.rejected', message: 'A person rejected the call.' }],
  changes_requested: () => ['rejected', { code: 'tool_call.rejected', message: 'A person rejected the call.' }],
  expired: ({ openedAt, expiresAt }) => [
    'timeout',
    {
      code: 'tool_call.approval_timeout',
      message: `No answer came within ${String(Math.round((expiresAt - openedAt) / 1_000))} seconds.`,
    },
  ],
  voided: ({ closedReason: { code, message } }) => ['cancelled', { code, message }],
};
