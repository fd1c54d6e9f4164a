import type { AutonomyReader } from '#lib/autonomy';
import type { Decision } from '#lib/policy-inputs';
import { standingsIn, type KnownBy } from '#lib/identity';
import type { HeldRole, PersonId, Principal, Tx } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import { rolesBefore, type ExcludedPerson, type Reviewable } from '../domain/approval-request.js';
import { withSameHand } from '../domain/excluded-people.js';
import { chairFor, neverFor, type Chair, type Loan } from '../domain/loan.js';
import type { Approver } from '../domain/match-quorum.js';
import { reviewInput, type PersonStanding, type ReviewQuestion } from '../domain/policy-inputs.js';
import type { People } from './approval.ports.js';

/** What policy is asked about somebody's approval, for any request. */
export interface Question extends Omit<ReviewQuestion, 'excluded' | 'chair'> {
  readonly own: readonly HeldRole[];
  readonly loans: readonly Loan[];
  /** How the reviewer, whoever they stand in for, and those whose hands they came in by, came in. */
  readonly waysIn: ReadonlyMap<PersonId, readonly KnownBy[]>;
}

/** Asks policy what it would say to somebody's approval now. Nothing is done by it, so nothing is recorded. */
export class AskReview {
  constructor(
    private readonly people: People,
    private readonly autonomy: AutonomyReader,
    private readonly policy: Pick<PolicyDecisionPoint, 'evaluate'>,
  ) {}

  /** All that is read for it, once for as many requests as there are. */
  async question(tx: Tx, principal: Principal): Promise<Question> {
    const [question] = await this.questions(tx, [principal]);
    if (question === undefined) throw new Error('a question was asked for nobody');
    return question;
  }

  /** The same for many people, in as many queries as for one. */
  async questions(tx: Tx, principals: readonly Principal[]): Promise<Question[]> {
    const people = principals.flatMap((each) => (each.kind === 'person' ? [each.personId] : []));
    const nobody = people.length === 0;
    const [standing, loans, inForce, now] = await Promise.all([
      nobody ? new Map<PersonId, PersonStanding>() : this.people.standing(tx, people),
      nobody ? new Map<PersonId, readonly Loan[]>() : this.people.loans(tx, people),
      this.autonomy.current(tx),
      tx.now(),
    ]);
    const loansOf = (principal: Principal): readonly Loan[] =>
      principal.kind === 'person' ? (loans.get(principal.personId) ?? []) : [];
    const waysIn = await this.people.waysIn(
      tx,
      principals.flatMap((principal) => reviewersIn(principal, loansOf(principal))),
    );
    return principals.map((principal) => {
      const person = principal.kind === 'person' ? standing.get(principal.personId) : undefined;
      return {
        tenantId: tx.tenantId,
        autonomy: inForce?.document ?? null,
        now,
        verdict: 'approve',
        principal,
        own: person?.roles ?? [],
        joinedAt: person?.joinedAt ?? null,
        loans: loansOf(principal),
        waysIn,
        digestsMatch: true,
        // Somebody who may approve but for that steps up when they do.
        mfaProved: true,
      };
    });
  }

  decide(request: Reviewable, question: Question): Decision {
    const { own: _own, loans: _loans, waysIn: _waysIn, ...rest } = question;
    const excluded = this.#excluded(request, question);
    const chair = this.chairOf(request, question);
    return this.policy.evaluate('review', reviewInput(request, { ...rest, chair, excluded }));
  }

  /** With which roles they would review it: their own, or those of somebody for whom they stand in. */
  chairOf(request: Reviewable, question: Question): Chair {
    const { own, loans, now } = question;
    return chairFor(request, own, loans, now, neverFor(request, this.#excluded(request, question)));
  }

  /** With which roles and whose votes a person would sit there; null for whoever is no person. */
  seatOf(request: Reviewable, question: Question): Approver | null {
    const { principal, loans, waysIn } = question;
    if (principal.kind !== 'person') return null;
    const { personId } = principal;
    const chair = this.chairOf(request, question);
    const lender = chair.loan?.personId ?? null;
    const votes = standingsIn(reviewersIn(principal, loans), waysIn, request.openedAt);
    return {
      personId,
      roles: rolesBefore(chair.roles, request.openedAt).map(({ role }) => role),
      onLoanFrom: lender,
      sharedWith: [personId, ...(lender === null ? [] : [lender])].flatMap((id) => votes.get(id)?.sharedWith ?? []),
    };
  }

  #excluded(request: Reviewable, { principal, loans, waysIn }: Question): ExcludedPerson[] {
    const reviewers = reviewersIn(principal, loans);
    return withSameHand(request.excluded, reviewers, standingsIn(reviewers, waysIn, request.openedAt));
  }
}

const reviewersIn = (principal: Principal, loans: readonly Loan[]): PersonId[] => [
  ...(principal.kind === 'person' ? [principal.personId] : []),
  ...loans.map(({ personId }) => personId),
];
