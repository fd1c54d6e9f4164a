import type { AutonomyReader } from '#lib/autonomy';
import type { Decision } from '#lib/formats';
import { standingsIn, type KnownBy } from '#lib/identity';
import type { HeldRole, PersonId, Principal, Tx } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import { rolesBefore, type ExcludedPerson, type Reviewable } from '../domain/approval-request.js';
import { withSameEnroller } from '../domain/excluded-people.js';
import { rolesForReview, excludedIds, type ReviewerRoles, type Delegation } from '../domain/delegation.js';
import type { Approver } from '../domain/match-quorum.js';
import { reviewInput, type PersonStanding, type ReviewQuestion } from '../domain/policy-inputs.js';
import type { People } from './approval.ports.js';

/** The question to policy about a person's approval, for any request. */
export interface Question extends Omit<ReviewQuestion, 'excluded' | 'reviewing'> {
  readonly own: readonly HeldRole[];
  readonly delegations: readonly Delegation[];
  /** The ways in of the reviewer, of the people they stand in for, and of their hands. */
  readonly waysIn: ReadonlyMap<PersonId, readonly KnownBy[]>;
}

/** Asks policy for its decision on a person's approval now. Nothing is done by it, so nothing is recorded. */
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
    const [standing, delegations, inForce, now] = await Promise.all([
      nobody ? new Map<PersonId, PersonStanding>() : this.people.standing(tx, people),
      nobody ? new Map<PersonId, readonly Delegation[]>() : this.people.delegations(tx, people),
      this.autonomy.current(tx),
      tx.now(),
    ]);
    const delegationsOf = (principal: Principal): readonly Delegation[] =>
      principal.kind === 'person' ? (delegations.get(principal.personId) ?? []) : [];
    const waysIn = await this.people.waysIn(
      tx,
      principals.flatMap((principal) => reviewersIn(principal, delegationsOf(principal))),
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
        delegations: delegationsOf(principal),
        waysIn,
        digestsMatch: true,
        // Somebody who may approve but for that steps up when they do.
        mfaProved: true,
      };
    });
  }

  decide(request: Reviewable, question: Question): Decision {
    const { own: _own, delegations: _delegations, waysIn: _waysIn, ...rest } = question;
    const excluded = this.#excluded(request, question);
    const reviewing = this.rolesOf(request, question);
    return this.policy.evaluate('review', reviewInput(request, { ...rest, reviewing, excluded }));
  }

  /** The roles with which they would review it: their own, or those of a person they stand in for. */
  rolesOf(request: Reviewable, question: Question): ReviewerRoles {
    const { own, delegations, now } = question;
    return rolesForReview(request, own, delegations, now, excludedIds(request, this.#excluded(request, question)));
  }

  /** The person as an approver of it, with their roles and shared votes. Null for a principal that is no person. */
  seatOf(request: Reviewable, question: Question): Approver | null {
    const { principal, delegations, waysIn } = question;
    if (principal.kind !== 'person') return null;
    const { personId } = principal;
    const reviewing = this.rolesOf(request, question);
    const delegator = reviewing.delegation?.personId ?? null;
    const votes = standingsIn(reviewersIn(principal, delegations), waysIn, request.openedAt);
    return {
      personId,
      roles: rolesBefore(reviewing.roles, request.openedAt).map(({ role }) => role),
      delegatedBy: delegator,
      sharedWith: [personId, ...(delegator === null ? [] : [delegator])].flatMap(
        (id) => votes.get(id)?.sharedWith ?? [],
      ),
    };
  }

  #excluded(request: Reviewable, { principal, delegations, waysIn }: Question): ExcludedPerson[] {
    const reviewers = reviewersIn(principal, delegations);
    return withSameEnroller(request.excluded, reviewers, standingsIn(reviewers, waysIn, request.openedAt));
  }
}

const reviewersIn = (principal: Principal, delegations: readonly Delegation[]): PersonId[] => [
  ...(principal.kind === 'person' ? [principal.personId] : []),
  ...delegations.map(({ personId }) => personId),
];
