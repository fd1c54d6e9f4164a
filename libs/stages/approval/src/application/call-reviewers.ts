import { standingsIn, type CredentialRepository } from '#lib/identity';
import {
  newId,
  type ApprovalRequestId,
  type CredentialId,
  type PersonId,
  type PersonPrincipal,
  type Tx,
} from '#lib/kernel';
import type { Decision } from '#lib/formats';
import { excludedFromCall, withEnrollers, type CallAuthorship } from '../domain/excluded-people.js';
import type { AskReview } from './ask-review.js';
import type { People } from './approval.ports.js';

/** An answer that a person gave before, which is to hold for a later call, too. */
export interface EarlierAnswer {
  readonly madeBy: PersonId;
  readonly credentialId: CredentialId;
  /** Whether they proved a second factor for it. */
  readonly factorProved: boolean;
}

/** A call that people would have to approve now. */
export interface CallToCover extends CallAuthorship {
  /** The decision that asks for them. */
  readonly decision: Decision;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
}

/** Judges whether an earlier answer of a person may stand for an approval of a later call (T06). */
export class CallReviewers {
  constructor(
    private readonly people: Pick<People, 'standing' | 'waysIn'>,
    private readonly asking: Pick<AskReview, 'question' | 'decide'>,
    private readonly credentials: Pick<CredentialRepository, 'find'>,
  ) {}

  /**
   * Whether the person could approve this call alone at this moment, by the same rules as a review. They are not
   * disabled, fill the place in question, and have no part in the call. If the terms want a second factor now, they
   * proved one. The credential of the answer was not revoked. One that has merely expired still counts: it says nothing
   * against the person.
   */
  async wouldApprove(tx: Tx, { decision, now, ...call }: CallToCover, answer: EarlierAnswer): Promise<boolean> {
    const principal = await this.#inPerson(tx, answer);
    if (principal === null) return false;
    const excluded = excludedFromCall(call);
    const authors = excluded.map(({ personId }) => personId);
    const votes = standingsIn(authors, await this.people.waysIn(tx, authors), now);
    const question = await this.asking.question(tx, principal);
    const request = {
      // Nobody is asked: the review is a thought.
      id: newId<ApprovalRequestId>(),
      subject: { type: 'tool_call' },
      state: 'open',
      requester: call.call.submitter,
      excluded: withEnrollers(excluded, votes),
      decision,
      openedAt: now,
      expiresAt: now + 1,
    } as const;
    const review = this.asking.decide(request, { ...question, now, mfaProved: answer.factorProved });
    return review.outcome === 'allow';
  }

  /** The person as they acted then; null if they are disabled, or the credential was revoked. */
  async #inPerson(tx: Tx, { madeBy: personId, credentialId }: EarlierAnswer): Promise<PersonPrincipal | null> {
    const person = (await this.people.standing(tx, [personId])).get(personId);
    const credential = await this.credentials.find(tx, credentialId, { personId, all: false });
    if (person === undefined || person.disabled || credential === null || credential.revokedAt !== null) return null;
    const { holder, scopes } = credential;
    if (!('personId' in holder) || holder.personId !== personId) return null;
    return {
      ...{ kind: 'person', tenantId: tx.tenantId, personId, credentialId, credentialKind: holder.kind, scopes },
      ...{ displayName: person.displayName, roles: person.roles, signedInAt: null },
    };
  }
}
