import type { Json } from '#lib/canonical';
import type { RequestDocument, ReviewDocument } from '#lib/formats';
import { seatDocument } from '#lib/identity';
import { digestOf, type ApprovalRequestId, type DigestKind, type EvidenceRef, type PlanId, type Tx } from '#lib/kernel';
import { planKey, type ApprovalRequest, type AskedSubject, type Review } from '../domain/approval-request.js';
import { excludedFacts } from '../domain/policy-inputs.js';
import type { ApprovalRepository } from './approval.ports.js';

/** A document of this stage, exactly as its action digested it. */
export interface ApprovalDocument {
  readonly kind: DigestKind;
  readonly id: string;
  readonly document: Json;
}

/** The question of a request: all of it that never changes. */
export const requestDocuments = (request: ApprovalRequest): ApprovalDocument[] => [
  { kind: 'binding', id: request.id, document: request.binding },
  { kind: 'approval-request', id: request.id, document: questionOf(request) },
];

const questionOf = (request: ApprovalRequest): RequestDocument => ({
  id: request.id,
  subject: askedDocument(request.subject),
  binding_digest: request.bindingDigest,
  decision_id: request.decisionId,
  obligations: request.decision.obligations,
  effective: request.decision.effective,
  autonomy_revision_id: request.autonomyRevisionId,
  bundle_revision: request.bundleRevision,
  excluded: request.excluded.map(excludedFacts),
  requester: {
    kind: request.requester.kind,
    id: request.requester.id,
    on_behalf_of: request.requester.onBehalfOf,
    credential_id: request.requester.credentialId,
  },
  start: request.start.kind,
  start_at: request.start.kind === 'at' ? request.start.at : null,
  opened_at: request.openedAt,
  expires_at: request.expiresAt,
});

function askedDocument(subject: AskedSubject): RequestDocument['subject'] {
  const { type, id } = subject;
  if (type === 'tool_call') return { type, id, session_id: subject.sessionId };
  const { taskId, simulationId, phases } = subject;
  return { type, id, task_id: taskId, simulation_id: simulationId, phases };
}

/** The verdict of one person, with the digests that it names. */
export const reviewDocument = (request: ApprovalRequest, review: Review): ApprovalDocument => ({
  kind: 'review',
  id: review.id,
  document: verdictOf(request, review),
});

const verdictOf = (request: ApprovalRequest, review: Review): ReviewDocument => ({
  id: review.id,
  request_id: request.id,
  binding_digest: request.bindingDigest,
  subject_digest: review.subjectDigest,
  ...(review.always ? { always: true } : {}),
  ...(review.confirmWord === null ? {} : { confirm_word: review.confirmWord }),
  person_id: review.personId,
  credential_id: review.credentialId,
  verdict: review.verdict,
  comment: review.comment,
  roles: review.roles.map(({ role, assignedAt }) => ({ role, assigned_at: assignedAt })),
  ...(review.delegatedBy === null ? {} : { delegated_by: review.delegatedBy }),
  seat: seatDocument(review.seat),
  decision_id: review.decisionId,
  created_at: review.createdAt,
  ...(review.mfa === null ? {} : { mfa: { method: review.mfa.method, proved_at: review.mfa.provedAt } }),
});

/** How an audit entry names documents that its action fixed. */
export const evidenceRefs = (documents: readonly ApprovalDocument[]): EvidenceRef[] =>
  documents.map(({ kind, id, document }) => ({ kind, id, digest: digestOf(kind, document) }));

const CHUNK = 200;

/** Hands out the requests and reviews of a plan for its evidence pack. */
export class ApprovalEvidence {
  readonly section = 'approval';

  constructor(private readonly requests: Pick<ApprovalRepository, 'find' | 'list' | 'reviewHistory'>) {}

  async collect(tx: Tx, planId: PlanId): Promise<readonly ApprovalDocument[]> {
    const documents: ApprovalDocument[] = [];
    for (let after: { readonly at: number; readonly id: string } | null = null; ;) {
      const requests: readonly ApprovalRequest[] = await this.requests.list(
        tx,
        { subject: planKey(planId) },
        { limit: CHUNK, after },
      );
      for (const request of requests) documents.push(...(await this.#ofRequest(tx, request)));
      const last = requests.at(-1);
      if (last === undefined || requests.length < CHUNK) return documents;
      after = { at: last.openedAt, id: last.id };
    }
  }

  /** The same of one request; empty if there is none. */
  async about(tx: Tx, id: ApprovalRequestId): Promise<readonly ApprovalDocument[]> {
    const request = await this.requests.find(tx, id);
    return request === null ? [] : this.#ofRequest(tx, request);
  }

  async #ofRequest(tx: Tx, request: ApprovalRequest): Promise<readonly ApprovalDocument[]> {
    const reviews = await this.requests.reviewHistory(tx, request.id);
    return [...requestDocuments(request), ...reviews.map((review) => reviewDocument(request, review))];
  }
}
