import type { JsonObject } from '#lib/canonical';
import { seatDocument } from '#lib/identity';
import type {
  AuditLevel,
  AuditSink,
  DecisionId,
  EvidenceRef,
  FirstDelivery,
  Outbox,
  Principal,
  SubjectRef,
  Tx,
} from '#lib/kernel';
import { actorOf } from '#lib/kernel';
import {
  belongsTo,
  callKey,
  planKey,
  type ApprovalRequest,
  type ClosedReason,
  type Review,
} from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import { excludedFacts } from '../domain/policy-inputs.js';
import { evidenceRefs, requestDocuments, reviewDocument } from './approval-evidence.js';
import type { ApprovalRepository, CallDeniedListener } from './approval.ports.js';
import { notifiedAsOpened, type DeliverOpened } from './deliver-opened.js';

/** The actions of a request in the audit log. */
export type RequestAction =
  | 'approval_request.opened'
  | 'approval_request.approved'
  | 'approval_request.denied'
  | 'approval_request.changes_requested'
  | 'approval_request.expired'
  | 'approval_request.voided'
  | 'approval_request.consumed';

/** Writes the events of requests, each with its audit entry and its message to people. Every change of a request goes through here. */
export class ApprovalJournal {
  constructor(
    private readonly requests: Pick<ApprovalRepository, 'insert' | 'insertReview' | 'save'>,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
    private readonly calls: CallDeniedListener,
    private readonly deliver: DeliverOpened,
  ) {}

  async opened(tx: Tx, request: ApprovalRequest, subject: ApprovalSubject, principal: Principal): Promise<void> {
    await this.requests.insert(tx, request);
    await this.#record(
      tx,
      'approval_request.opened',
      request,
      principal,
      {
        excluded: request.excluded.map(excludedFacts),
        obligations: request.decision.obligations,
        expires_at: request.expiresAt,
      },
      evidenceRefs(requestDocuments(request)),
    );
    const told = notifiedAsOpened(request, subject);
    await this.#tell(tx, request, 'opened', told === null ? undefined : this.deliver(told));
  }

  /** A request after an event. @param more members of its audit entry beside the reason. */
  async changed(tx: Tx, request: ApprovalRequest, principal: Principal, more: JsonObject = {}): Promise<void> {
    await this.requests.save(tx, request);
    if (request.state === 'open') return;
    const reason = 'closedReason' in request ? { reason: reasonDocument(request.closedReason) } : {};
    await this.#record(tx, `approval_request.${request.state}`, request, principal, { ...reason, ...more });
    await this.#tell(tx, request, request.state);
    const { subject } = request;
    if ('closedReason' in request && subject.type === 'tool_call')
      await this.calls.callDenied(tx, { callId: subject.id, request, principal });
  }

  /** A refusal on a request or its subject, with the decision that refused. */
  async refused(
    tx: Tx,
    action: 'approval_request.refused' | 'approval_request.not_required' | 'review.refused',
    about: { readonly subject: ApprovalSubject; readonly request?: ApprovalRequest },
    principal: Principal,
    decision: {
      readonly id: DecisionId;
      readonly level: AuditLevel;
      readonly reasons: readonly { readonly code: string }[];
    },
  ): Promise<void> {
    const { request } = about;
    const { subject, within, digest } = namesOf(about.subject);
    await this.audit.record(tx, {
      action,
      actor: actorOf(principal),
      level: decision.level,
      subject: request === undefined ? subject : { type: 'approval_request', id: request.id },
      within,
      decisionId: decision.id,
      payload: { ...digest, reasons: decision.reasons.map(({ code }) => code) },
    });
  }

  /** An agent asks for more than people can review (T09). */
  async throttled(tx: Tx, about: ApprovalSubject, principal: Principal, until: number): Promise<void> {
    const { subject, within, digest } = namesOf(about);
    await this.audit.record(tx, {
      action: 'approval_request.throttled',
      actor: actorOf(principal),
      level: 'full',
      subject,
      within,
      payload: { ...digest, until },
    });
  }

  /** @param signed the part of it that the reviewer's passkey signed. */
  async reviewed(
    tx: Tx,
    request: ApprovalRequest,
    review: Review,
    replaced: Review | null,
    principal: Principal,
    signed: readonly EvidenceRef[] = [],
  ): Promise<void> {
    await this.requests.insertReview(tx, request.id, review, replaced?.id ?? null);
    await this.audit.record(tx, {
      action: 'review.submitted',
      actor: actorOf(principal),
      level: request.decision.obligations.audit_level,
      subject: { type: 'approval_request', id: request.id },
      within: belongsTo(request.subject),
      decisionId: review.decisionId,
      evidence: [...evidenceRefs([reviewDocument(request, review)]), ...signed],
      payload: {
        review_id: review.id,
        verdict: review.verdict,
        comment: review.comment,
        subject_digest: review.subjectDigest,
        ...(review.always ? { always: true } : {}),
        ...(review.confirmWord === null ? {} : { confirm_word: review.confirmWord }),
        binding_digest: request.bindingDigest,
        roles: review.roles.map(({ role }) => role),
        ...(review.delegatedBy === null ? {} : { delegated_by: review.delegatedBy }),
        seat: seatDocument(review.seat),
        replaces: replaced?.id ?? null,
        mfa: review.mfa === null ? null : { method: review.mfa.method, proved_at: review.mfa.provedAt },
      },
    });
    await this.#tell(tx, request, 'reviewed');
  }

  #tell(tx: Tx, request: ApprovalRequest, event: string, first?: FirstDelivery): Promise<void> {
    const payload = { request_id: request.id, event };
    return this.outbox.write(tx, { topic: 'approval_request.changed', payload }, first);
  }

  #record(
    tx: Tx,
    action: RequestAction,
    request: ApprovalRequest,
    principal: Principal,
    more: JsonObject,
    evidence: readonly EvidenceRef[] = [],
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(principal),
      level: request.decision.obligations.audit_level,
      subject: { type: 'approval_request', id: request.id },
      within: belongsTo(request.subject),
      decisionId: request.decisionId,
      ...(evidence.length === 0 ? {} : { evidence }),
      payload: {
        state: request.state,
        ...(request.subject.type === 'plan' ? { phases: request.subject.phases } : {}),
        bundle_revision: request.bundleRevision,
        autonomy_revision_id: request.autonomyRevisionId,
        ...more,
      },
      digests: { binding: request.binding, binding_digest: request.bindingDigest },
    });
  }
}

/** The names of a subject in the audit log, and its digest. */
function namesOf(about: ApprovalSubject): {
  readonly subject: SubjectRef;
  readonly within: readonly SubjectRef[];
  readonly digest: JsonObject;
} {
  if (about.type === 'tool_call') {
    const { id, sessionId, digest } = about.call;
    const within = belongsTo({ type: 'tool_call', id, sessionId });
    return { subject: callKey(id), within, digest: { tool_call_digest: digest } };
  }
  const { id, digest } = about.plan;
  const within = belongsTo({ type: 'plan', id, taskId: about.task.id });
  return { subject: planKey(id), within, digest: { plan_digest: digest } };
}

const reasonDocument = ({ code, message, details }: ClosedReason): JsonObject => ({
  code,
  message,
  details: details === undefined ? {} : { ...details },
});
