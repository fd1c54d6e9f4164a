import type { Verdict, Decision } from '#lib/formats';
import {
  err,
  maskSecretText,
  newId,
  notFound,
  ok,
  type ApprovalRequestId,
  type Failure,
  type PersonId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  endedMeanwhile,
  notEnrolled,
  type MfaProofs,
  type SteppedUpOperation,
  type TakenProof,
  proofRequired,
  recordedKnownBy,
  standingsIn,
} from '#lib/identity';
import type { PolicyDecisionPoint } from '#lib/policy';
import {
  rolesBefore,
  decidedAbout,
  subjectInWords,
  type ApprovalRequest,
  type ExcludedPerson,
  type Review,
  type UndecidedRequest,
} from '../domain/approval-request.js';
import { currentBinding, type ApprovalSubject } from '../domain/approval-subject.js';
import { bindingChanged, deniedByPolicy } from '../domain/approved-plan.js';
import { compareBindings } from '../domain/binding.js';
import { changedUnderneath } from '../domain/closed-reasons.js';
import { expired, undecided, voided } from '../domain/decide-approval.js';
import { decideReview, type ReviewOutcome } from '../domain/decide-review.js';
import { fittingAnswer, wordOfAnswer } from '../domain/fitting-answer.js';
import { fittingReview } from '../domain/fitting-review.js';
import { excludedToday, withEnrollers, withSameEnroller } from '../domain/excluded-people.js';
import { rolesForReview, excludedIds, type Delegation } from '../domain/delegation.js';
import type { ReviewId } from '../domain/ids.js';
import { namePeople } from '../domain/name-people.js';
import { reviewInput, type PersonStanding } from '../domain/policy-inputs.js';
import { wayOut } from '../domain/ways-out.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalSubjects, HeldRequest, People, PeopleNow, RequestAsLeft } from './approval.ports.js';
import type { AskAgain } from './ask-again.js';
import type { CarryOutApproval } from './carry-out-approval.js';

/** A verdict as the person gave it. */
interface GivenReview {
  readonly verdict: Verdict;
  readonly comment?: string | undefined;
  /** The digest of the subject that the person saw. */
  readonly subject_digest: string;
  readonly step_up_id?: string | undefined;
  readonly confirm_word?: string | undefined;
  readonly always?: boolean | undefined;
}

/** The request after a review; consumed if the review started a run at once, or allowed a call. */
export interface ReviewSubmitted extends RequestAsLeft {
  readonly review: Review;
  readonly outcome: Pick<ReviewOutcome, 'reviews' | 'quorum' | 'event'>;
}

interface SubmitReviewDeps {
  readonly uow: UnitOfWork;
  readonly subjects: ApprovalSubjects;
  readonly people: People;
  readonly journal: ApprovalJournal;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly askAgain: AskAgain;
  readonly carryOut: CarryOutApproval;
  readonly proofs: MfaProofs;
}

/**
 * A person's verdict on a request, decided on locked rows. Everything that the request is bound to is compared with today's records.
 * Policy decides whether the terms still hold, and whether this person may review. Only then does the review count.
 *
 * Failures: `approval.reason_missing`; `resource.not_found`; `credential.ended`; `approval.verdict_not_for_call`; `approval.expired`, `approval.binding_changed` and
 * `approval.stricter`, each recorded on the request with the refusal; `approval.already_decided`, `approval.voided`, `approval.consumed`;
 * `review.confirm_word_required`, `review.always_not_here`, `tool_call.no_shape`; `approval.digest_mismatch`; `approval.person_only`; `policy.denied` (recorded, with the policy's reasons); if the terms
 * oblige to a second factor, `mfa.required` and `mfa.not_enrolled` (recorded), and those of `MfaProofs.take`.
 */
export class SubmitReview {
  constructor(private readonly deps: SubmitReviewDeps) {}

  execute(principal: Principal, id: ApprovalRequestId, given: GivenReview): Promise<Result<ReviewSubmitted>> {
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const held = await this.deps.subjects.holdRequest(tx, id);
      if (held === null) return err(notFound('approval request'));
      const fits = fittingReview(held.request.subject, given);
      if (!fits.ok) return fits;
      const request = await this.#stillOpen(tx, held, principal);
      if (!request.ok) return request;
      const open = { ...held, request: request.value };
      const answers = fittingAnswer(open.request, open.subject, given);
      if (!answers.ok) return answers;
      // All reads come before the first decision, so that the decisions travel with their consequences.
      const voters = await this.#votersOf(tx, open, principal);
      if (principal.kind === 'person' && voters.person === undefined) return err(endedMeanwhile);
      const terms = await this.deps.askAgain.execute(tx, open, given.verdict, principal);
      return terms.ok ? this.#review(tx, open, voters, principal, given) : terms;
    });
  }

  /** The request, if a review can count. Closes it if the clock or its digests say so, and refuses the review. */
  async #stillOpen(
    tx: Tx,
    { request, subject, now }: HeldRequest,
    principal: Principal,
  ): Promise<Result<UndecidedRequest>> {
    const open = undecided(request, now);
    if (!open.ok) {
      const late = request.state === 'open' ? expired(request, now) : null;
      if (late !== null) await this.deps.journal.changed(tx, late, principal);
      return open;
    }
    const differences = compareBindings(request.binding, currentBinding(subject));
    const what = subjectInWords(subject);
    if (differences.length > 0) {
      await this.deps.journal.changed(tx, voided(open.value, changedUnderneath(differences, what), now), principal);
      return err(bindingChanged(differences, what));
    }
    return open;
  }

  /** The people that the review depends on, as they stand now. */
  async #votersOf(tx: Tx, held: HeldRequest, principal: Principal): Promise<Voters> {
    const { request, subject, claim } = held;
    const authors = excludedToday(subject, request);
    const caller = principal.kind === 'person' ? principal : undefined;
    const reader = caller === undefined ? [] : [caller.personId];
    // The roles of this moment, not those at authentication.
    const [people, delegated] = await Promise.all([
      this.deps.people.standing(
        tx,
        [
          ...reader,
          ...authors.map(({ personId }) => personId),
          ...held.reviewedBy,
          ...(claim === null ? [] : [claim.personId]),
        ],
        caller,
      ),
      this.deps.people.delegations(tx, reader),
    ]);
    const person = caller && people.get(caller.personId);
    const delegations = person?.disabled === false ? (delegated.get(person.personId) ?? []) : [];
    const reviewers = [...reader, ...delegations.map(({ personId }) => personId)];
    const involved = [...reviewers, ...authors.map(({ personId }) => personId)];
    // Their ways in of this moment, as of when the request opened: a vouch since then gives no seat here.
    const votes = standingsIn(involved, await this.deps.people.waysIn(tx, involved), request.openedAt);
    return {
      person,
      people,
      delegations,
      involved,
      votes,
      excluded: withSameEnroller(withEnrollers(authors, votes), reviewers, votes),
    };
  }

  async #review(
    tx: Tx,
    held: HeldRequest,
    { person, people, delegations, involved, votes, excluded }: Voters,
    principal: Principal,
    given: GivenReview,
  ): Promise<Result<ReviewSubmitted>> {
    const { request, subject, claim, now } = held;
    const own = person === undefined || person.disabled ? [] : person.roles;
    const reviewing = rolesForReview(request, own, delegations, now, excludedIds(request, excluded));
    const proof = await this.#proofOf(tx, request, principal, given);
    if (!proof.ok) return proof;
    const decided = await this.deps.policy.decide(
      tx,
      'review',
      reviewInput(request, {
        tenantId: tx.tenantId,
        autonomy: subject.autonomy.facts,
        now,
        verdict: given.verdict,
        principal,
        reviewing,
        joinedAt: person?.joinedAt ?? null,
        excluded,
        digestsMatch: true,
        mfaProved: proof.value !== null,
      }),
      decidedAbout(request),
    );
    if (decided.decision.outcome !== 'allow') {
      await this.deps.journal.refused(tx, 'review.refused', { subject, request }, principal, {
        id: decided.id,
        level: request.decision.obligations.audit_level,
        reasons: decided.decision.reasons,
      });
      const missing = await this.#missingProof(tx, decided.decision, principal, reviewed(request, given));
      if (missing !== null) return err(missing);
      const named = await this.deps.people.standing(tx, involved);
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
      verdict: given.verdict,
      comment: maskSecretText(given.comment ?? ''),
      roles: rolesBefore(reviewing.roles, request.openedAt),
      delegatedBy: reviewing.delegation?.personId ?? null,
      seat: {
        sharedWith: [
          ...new Set(
            [person.personId, reviewing.delegation?.personId].flatMap((id) =>
              id === undefined ? [] : (votes.get(id)?.sharedWith ?? []),
            ),
          ),
        ].sort(),
        knownBy: recordedKnownBy(votes.get(person.personId)?.knownBy ?? []),
      },
      subjectDigest: given.subject_digest,
      always: given.always === true,
      confirmWord: wordOfAnswer(request, given),
      decisionId: decided.id,
      createdAt: now,
      mfa: proof.value === null ? null : { method: proof.value.method, provedAt: proof.value.provedAt },
    };
    const outcome = decideReview({ request, reviews: await held.reviews() }, review, now);
    if (!outcome.ok) return outcome;
    await this.deps.journal.reviewed(tx, request, review, outcome.value.replaced, principal, proof.value?.evidence);
    const settled = await this.#settle(tx, outcome.value, { subject, always: review.always }, people, principal, now);
    const { reviews } = outcome.value;
    return ok({ review, request: settled, outcome: outcome.value, subject, reviews, people, claim, now });
  }

  /** The proof that came with the review, used up with it; null if none came or none is asked for. */
  async #proofOf(
    tx: Tx,
    request: ApprovalRequest,
    principal: Principal,
    given: GivenReview,
  ): Promise<Result<TakenProof | null>> {
    if (principal.kind !== 'person' || given.step_up_id === undefined) return ok(null);
    const operation = reviewed(request, given);
    return this.deps.proofs.take(tx, { personId: principal.personId, stepUpId: given.step_up_id, operation });
  }

  /** If all that policy misses is a second factor, a refusal that says how to prove it. */
  async #missingProof(
    tx: Tx,
    decision: Decision,
    principal: Principal,
    operation: SteppedUpOperation,
  ): Promise<Failure | null> {
    if (principal.kind !== 'person' || decision.reasons.some(({ code }) => code !== 'mfa.required')) return null;
    const { enrolled } = await this.deps.proofs.mfaState(tx, principal.personId);
    const refusal = enrolled ? proofRequired('Approving this', operation) : notEnrolled('Approving this');
    return { ...refusal, reasons: decision.reasons, details: { operation, ...refusal.details } };
  }

  /** Saves the request's next state, and carries out its approval. */
  async #settle(
    tx: Tx,
    outcome: ReviewOutcome,
    { subject, always }: { readonly subject: ApprovalSubject; readonly always: boolean },
    people: PeopleNow,
    principal: Principal,
    now: number,
  ): Promise<ApprovalRequest> {
    const { next, reviews } = outcome;
    if (outcome.event === null) return next;
    await this.deps.journal.changed(tx, next, principal, {
      approved_by: outcome.quorum.filled.map(({ personId, roles }) => ({
        person_id: personId,
        slot_roles: [...roles],
      })),
    });
    if (next.state !== 'approved') return next;
    const approved = { request: next, reviews, principal, at: now };
    return subject.type === 'plan'
      ? this.deps.carryOut.ofPlan(tx, { ...approved, subject, people })
      : this.deps.carryOut.ofCall(tx, { ...approved, subject, always });
  }
}

interface Voters {
  /** The reviewer; undefined for others than people. */
  readonly person: PersonStanding | undefined;
  readonly people: PeopleNow;
  readonly delegations: readonly Delegation[];
  /** The reviewer, the people who delegated to the reviewer, and the authors. */
  readonly involved: readonly PersonId[];
  readonly votes: ReturnType<typeof standingsIn>;
  readonly excluded: readonly ExcludedPerson[];
}

/** The operation that a proof for a review is bound to. */
const reviewed = (request: ApprovalRequest, given: GivenReview): SteppedUpOperation => {
  const word = wordOfAnswer(request, given);
  return {
    kind: 'review',
    request_id: request.id,
    verdict: given.verdict,
    subject_digest: given.subject_digest,
    comment: maskSecretText(given.comment ?? ''),
    ...(given.always === true ? { always: true } : {}),
    ...(word === null ? {} : { confirm_word: word }),
  };
};

const personOnly: Failure = {
  kind: 'forbidden',
  code: 'approval.person_only',
  message: 'Only people review.',
  action: 'Review with a person’s own credential.',
};
