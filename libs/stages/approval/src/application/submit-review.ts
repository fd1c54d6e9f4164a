import type { Decision, SubmitReviewBody } from '#lib/contracts';
import {
  err,
  maskSecretText,
  newId,
  notEnrolled,
  notFound,
  ok,
  type ApprovalRequestId,
  type Failure,
  type MfaProofs,
  type Principal,
  type Result,
  type ReviewId,
  type SteppedUpOperation,
  type TakenProof,
  type Tx,
  type UnitOfWork,
  proofRequired,
} from '#lib/kernel';
import { recordedKnownBy, standingsIn } from '#lib/identity';
import { isLooser, type PolicyDecisionPoint } from '#lib/policy';
import {
  rolesBefore,
  isDue,
  belongsTo,
  type ApprovalRequest,
  type ClosedReason,
  type Review,
} from '../domain/approval-request.js';
import { currentBinding, type ApprovalSubject } from '../domain/approval-subject.js';
import { bindingChanged, deniedByPolicy } from '../domain/approved-plan.js';
import { compareBindings } from '../domain/binding.js';
import { becameStricter, changedUnderneath } from '../domain/closed-reasons.js';
import { consumed, decideApproval } from '../domain/decide-approval.js';
import { decideReview, type ReviewOutcome } from '../domain/decide-review.js';
import { excludedToday, withHands, withSameHand } from '../domain/excluded-people.js';
import { heldUntil } from '../domain/held-by-freeze.js';
import { chairFor, neverFor } from '../domain/loan.js';
import { namePeople } from '../domain/name-people.js';
import { planInput, reviewInput } from '../domain/policy-inputs.js';
import { wayOut } from '../domain/ways-out.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalGrantedListener, ApprovalRepository, ApprovalSubjects, People } from './approval.ports.js';

export interface ReviewSubmitted {
  readonly review: Review;
  /** The request as it is now; where it started a run at once, consumed. */
  readonly request: ApprovalRequest;
  readonly outcome: Pick<ReviewOutcome, 'reviews' | 'quorum' | 'event'>;
}

/**
 * A person's verdict on a request, decided on locked rows: everything that the request is bound to is compared with what
 * is there now, policy is asked whether the terms still hold and whether this person may review, and only then the
 * review counts.
 *
 * Failures: `approval.reason_missing`; `resource.not_found`; `approval.expired`, `approval.binding_changed` and
 * `approval.stricter`, each recorded on the request with the refusal; `approval.already_decided`, `approval.voided`, `approval.consumed`;
 * `approval.digest_mismatch`; `approval.person_only`; `policy.denied` (recorded, with the policy's reasons); where the terms
 * oblige to a second factor, `mfa.required` and `mfa.not_enrolled` (recorded), and those of `MfaProofs.take`.
 */
export class SubmitReview {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjects: ApprovalSubjects,
    private readonly requests: ApprovalRepository,
    private readonly people: People,
    private readonly journal: ApprovalJournal,
    private readonly policy: Pick<PolicyDecisionPoint, 'decide'>,
    private readonly granted: ApprovalGrantedListener,
    private readonly proofs: MfaProofs,
  ) {}

  execute(principal: Principal, id: ApprovalRequestId, body: SubmitReviewBody): Promise<Result<ReviewSubmitted>> {
    if (body.verdict !== 'approve' && (body.comment ?? '').trim() === '') return Promise.resolve(err(reasonMissing));
    return this.uow.run(principal.tenantId, async (tx) => {
      const held = await this.subjects.holdRequest(tx, id);
      if (held === null) return err(notFound('approval request'));
      const { request, subject, now } = held;
      const live = await this.stillOpen(tx, request, subject, principal, now);
      if (!live.ok) return live;
      return this.review(tx, request, subject, principal, body, now);
    });
  }

  /** Closes the request where the clock, its digests or the terms say so, and refuses the review. */
  private async stillOpen(
    tx: Tx,
    request: ApprovalRequest,
    subject: ApprovalSubject,
    principal: Principal,
    now: number,
  ): Promise<Result<void>> {
    if (request.state === 'open' && isDue(request, now)) {
      await this.journal.apply(tx, request, { name: 'expire' }, principal, now);
      return err(expired);
    }
    const open = decideApproval(request, { name: 'grant' }, now);
    if (!open.ok) return open;
    const differences = compareBindings(request.binding, currentBinding(subject));
    if (differences.length > 0) {
      await this.journal.apply(tx, request, { name: 'void', reason: changedUnderneath(differences) }, principal, now);
      return err(bindingChanged(differences));
    }
    // Under a halt everything is denied; that says nothing of the terms, and the start asks again.
    if (subject.halts.length > 0) return ok(undefined);
    const today = await this.termsToday(tx, request, subject, now);
    if (!isLooser(today, request.decision)) return ok(undefined);
    const reason = becameStricter(request.decision, today);
    await this.journal.apply(tx, request, { name: 'void', reason }, principal, now);
    return err(stricter(reason, today));
  }

  /** What asking for approval would give now (T06). */
  private async termsToday(tx: Tx, request: ApprovalRequest, subject: ApprovalSubject, now: number): Promise<Decision> {
    const { requester } = request;
    const { decision } = await this.policy.decide(
      tx,
      'plan',
      planInput(subject, {
        tenantId: tx.tenantId,
        now,
        stage: 'request',
        actor: { kind: requester.kind, id: requester.id, scopes: ['submit'] },
        approval: null,
        starterRoles: [],
        approved: null,
      }),
      decidedAbout(request),
    );
    return decision;
  }

  private async review(
    tx: Tx,
    request: ApprovalRequest,
    subject: ApprovalSubject,
    principal: Principal,
    body: SubmitReviewBody,
    now: number,
  ): Promise<Result<ReviewSubmitted>> {
    // The roles of this moment, not those of when the request was authenticated.
    const standing = principal.kind === 'person' ? await this.people.standing(tx, [principal.personId]) : null;
    const person = principal.kind === 'person' ? standing?.get(principal.personId) : undefined;
    const own = person === undefined || person.disabled ? [] : person.roles;
    const authors = excludedToday(subject, request);
    const loans =
      principal.kind === 'person' && person?.disabled === false
        ? ((await this.people.loans(tx, [principal.personId])).get(principal.personId) ?? [])
        : [];
    const reviewers = [
      ...(principal.kind === 'person' ? [principal.personId] : []),
      ...loans.map(({ personId }) => personId),
    ];
    const involved = [...reviewers, ...authors.map(({ personId }) => personId)];
    // Of this moment, for a request of that one: who was vouched for since has no seat of their own here.
    const votes = standingsIn(involved, await this.people.waysIn(tx, involved), request.openedAt);
    const excluded = withSameHand(withHands(authors, votes), reviewers, votes);
    const chair = chairFor(request, own, loans, now, neverFor(request, excluded));
    const proof = await this.proofOf(tx, request, principal, body);
    if (!proof.ok) return proof;
    const decided = await this.policy.decide(
      tx,
      'review',
      reviewInput(request, {
        tenantId: tx.tenantId,
        autonomy: subject.autonomy.facts,
        now,
        verdict: body.verdict,
        principal,
        chair,
        joinedAt: person?.joinedAt ?? null,
        excluded,
        digestsMatch: true,
        mfaProved: proof.value !== null,
      }),
      decidedAbout(request),
    );
    if (decided.decision.outcome !== 'allow') {
      await this.journal.refused(tx, 'review.refused', { subject, request }, principal, {
        id: decided.id,
        level: request.decision.obligations.audit_level,
        reasons: decided.decision.reasons,
      });
      const missing = await this.missingProof(tx, decided.decision, principal, reviewed(request, body));
      if (missing !== null) return err(missing);
      const named = await this.people.standing(tx, involved);
      return err({
        ...deniedByPolicy({ reasons: namePeople(decided.decision, named) }),
        action: wayOut(decided.decision),
      });
    }
    if (principal.kind !== 'person' || person === undefined || person.disabled) return err(personOnly);
    const review: Review = {
      id: newId<ReviewId>(),
      personId: principal.personId,
      credentialId: principal.credentialId,
      verdict: body.verdict,
      comment: maskSecretText(body.comment ?? ''),
      roles: rolesBefore(chair.roles, request.openedAt),
      onLoanFrom: chair.loan?.personId ?? null,
      seat: {
        sharedWith: [
          ...new Set(
            [person.personId, chair.loan?.personId].flatMap((id) =>
              id === undefined ? [] : (votes.get(id)?.sharedWith ?? []),
            ),
          ),
        ].sort(),
        knownBy: recordedKnownBy(votes.get(person.personId)?.knownBy ?? []),
      },
      planDigest: body.plan_digest,
      decisionId: decided.id,
      createdAt: now,
      mfa: proof.value === null ? null : { method: proof.value.method, provedAt: proof.value.provedAt },
    };
    const outcome = decideReview({ request, reviews: await this.requests.reviews(tx, request.id) }, review, now);
    if (!outcome.ok) return outcome;
    await this.journal.reviewed(tx, request, review, outcome.value.replaced, principal, proof.value?.evidence);
    const settled = await this.settle(tx, outcome.value, subject, principal, now);
    return ok({ review, request: settled, outcome: outcome.value });
  }

  /** The proof that came with the review, used up with it; null where none came or none is asked for. */
  private async proofOf(
    tx: Tx,
    request: ApprovalRequest,
    principal: Principal,
    body: SubmitReviewBody,
  ): Promise<Result<TakenProof | null>> {
    if (principal.kind !== 'person' || body.step_up_id === undefined) return ok(null);
    const operation = reviewed(request, body);
    return this.proofs.take(tx, { personId: principal.personId, stepUpId: body.step_up_id, operation });
  }

  /** Where all that policy misses is a second factor, a refusal that says how to prove it. */
  private async missingProof(
    tx: Tx,
    decision: Decision,
    principal: Principal,
    operation: SteppedUpOperation,
  ): Promise<Failure | null> {
    if (principal.kind !== 'person' || decision.reasons.some(({ code }) => code !== 'mfa.required')) return null;
    const { enrolled } = await this.proofs.mfaState(tx, principal.personId);
    const refusal = enrolled ? proofRequired('Approving this', operation) : notEnrolled('Approving this');
    return { ...refusal, reasons: decision.reasons, details: { operation, ...refusal.details } };
  }

  /** Saves what became of the request, and starts the run where it was to start on approval. */
  private async settle(
    tx: Tx,
    outcome: ReviewOutcome,
    subject: ApprovalSubject,
    principal: Principal,
    now: number,
  ): Promise<ApprovalRequest> {
    const { next } = outcome;
    if (outcome.event === null) return next;
    await this.journal.changed(tx, next, principal, {
      approved_by: outcome.quorum.filled.map(({ personId, roles }) => ({
        person_id: personId,
        slot_roles: [...roles],
      })),
    });
    if (next.state !== 'granted') return next;
    const startsNow = next.start.kind === 'on_approval' || (next.start.kind === 'at' && next.start.at <= now);
    if (!startsNow) return next;
    const { reviews } = outcome;
    const refused = await this.granted.approvalGranted(tx, { request: next, reviews, subject, principal, at: now });
    if (refused === null) return consumed(next, now);
    const until = heldUntil(refused);
    if (until !== null) await this.requests.holdBack(tx, next.id, until);
    return (await this.requests.find(tx, next.id)) ?? next;
  }
}

/** What a proof for a review is bound to. */
const reviewed = (request: ApprovalRequest, body: SubmitReviewBody): SteppedUpOperation => ({
  kind: 'review',
  request_id: request.id,
  verdict: body.verdict,
  plan_digest: body.plan_digest,
  comment: maskSecretText(body.comment ?? ''),
});

/** The API's schema says so, too; a modal of Slack's takes blanks. */
const reasonMissing: Failure = {
  kind: 'invalid',
  code: 'approval.reason_missing',
  message: 'The requester needs to know what to change, and you have not said it.',
  action: 'Say in a few words what is wrong, and decide again.',
  errors: [
    { pointer: '/comment', code: 'approval.reason_missing', message: 'is needed to reject or to request changes' },
  ],
};

const expired: Failure = {
  kind: 'conflict',
  code: 'approval.expired',
  message: 'The time to decide on this request is over.',
  action: 'Have approval asked for again.',
};

const personOnly: Failure = {
  kind: 'forbidden',
  code: 'approval.person_only',
  message: 'Only people review.',
  action: 'Review with a person’s own credential.',
};

const stricter = ({ code, message, details = {} }: ClosedReason, today: Decision): Failure => ({
  kind: 'conflict',
  code,
  message: `The request was voided. ${message}`,
  action: 'Have approval asked for again, on the terms of today.',
  reasons: today.reasons,
  details,
});

const decidedAbout = (request: ApprovalRequest) => {
  const subject = { type: 'approval_request', id: request.id };
  return { subject, within: [...belongsTo(request.subject), subject] };
};
