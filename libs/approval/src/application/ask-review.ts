import type { AutonomyReader } from '#lib/autonomy';
import type { Decision } from '#lib/contracts';
import { standingsIn, type KnownBy } from '#lib/identity';
import type { HeldRole, PersonId, Principal, Tx } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { withSameHand } from '../domain/excluded-people.js';
import { chairFor, neverFor, type Loan } from '../domain/loan.js';
import { reviewInput, type ReviewQuestion } from '../domain/policy-inputs.js';
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
    const standing = principal.kind === 'person' ? await this.people.standing(tx, [principal.personId]) : null;
    const person = principal.kind === 'person' ? standing?.get(principal.personId) : undefined;
    const loans =
      principal.kind === 'person'
        ? ((await this.people.loans(tx, [principal.personId])).get(principal.personId) ?? [])
        : [];
    const inForce = await this.autonomy.current(tx);
    return {
      tenantId: tx.tenantId,
      autonomy: inForce?.document ?? null,
      now: await tx.now(),
      verdict: 'approve',
      principal,
      own: person?.roles ?? [],
      joinedAt: person?.joinedAt ?? null,
      loans,
      waysIn: await this.people.waysIn(tx, reviewersIn(principal, loans)),
      digestsMatch: true,
      // Whoever may approve but for that, steps up when they do.
      mfaProved: true,
    };
  }

  decide(request: ApprovalRequest, question: Question): Decision {
    const { own, loans, now, waysIn, ...rest } = question;
    const reviewers = reviewersIn(question.principal, loans);
    const excluded = withSameHand(request.excluded, reviewers, standingsIn(reviewers, waysIn, request.openedAt));
    const chair = chairFor(request, own, loans, now, neverFor(request, excluded));
    return this.policy.evaluate('review', reviewInput(request, { ...rest, now, chair, excluded }));
  }
}

const reviewersIn = (principal: Principal, loans: readonly Loan[]): PersonId[] => [
  ...(principal.kind === 'person' ? [principal.personId] : []),
  ...loans.map(({ personId }) => personId),
];
