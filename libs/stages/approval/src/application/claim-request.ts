import {
  actorOf,
  err,
  notFound,
  ok,
  type ApprovalRequestId,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { undecided } from '../domain/decide-approval.js';
import { belongsTo, type ApprovalRequest } from '../domain/approval-request.js';
import { deniedByPolicy } from '../domain/approved-plan.js';
import { claims, type Claim } from '../domain/claim.js';
import { namePeople } from '../domain/name-people.js';
import type { ApprovalRepository, ClaimRepository, People } from './approval.ports.js';
import type { AskReview } from './ask-review.js';
import { overviewOf, type RequestOverview } from './read-requests.js';

/**
 * Claims a request for its reader, for a quarter of an hour. A claim is only a hint to others: every person who may review
 * still may. Only a person that policy would let approve claims.
 *
 * Failures: `resource.not_found`, `approval.claimed` (by somebody else), `approval.already_decided` and the like,
 * `policy.denied` with the policy's reasons.
 */
export class ClaimRequest {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'find' | 'lock' | 'reviews'>,
    private readonly held: ClaimRepository,
    private readonly people: People,
    private readonly asking: AskReview,
    private readonly audit: AuditSink,
  ) {}

  /** One's own claim is lengthened. */
  claim(by: PersonPrincipal, id: ApprovalRequestId): Promise<Result<RequestOverview>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const request = await this.requests.lock(tx, id);
      if (request === null) return err(notFound('approval request'));
      const question = await this.asking.question(tx, by);
      const open = undecided(request, question.now);
      if (!open.ok) return open;
      const decision = this.asking.decide(request, question);
      if (decision.outcome !== 'allow') {
        const people = await this.people.standing(tx, [by.personId]);
        return err(deniedByPolicy({ reasons: namePeople(decision, people) }));
      }
      const standing = await this.held.claim(tx, id, question.now);
      if (standing !== null && standing.personId !== by.personId) {
        return err(await this.#claimedBy(tx, standing));
      }
      const claim = claims(by.personId, question.now);
      await this.held.saveClaim(tx, id, claim);
      await this.held.saw(tx, id, by.personId, question.now);
      await this.#record(tx, 'approval_request.claimed', request, by);
      const reviews = await this.requests.reviews(tx, id);
      const named = [claim, ...reviews].map(({ personId }) => personId);
      const people = await this.people.standing(tx, named);
      return ok(overviewOf(by, { request, reviews, people, claim, now: question.now }));
    });
  }

  /** Without a claim of one's own, a release changes nothing. */
  release(by: PersonPrincipal, id: ApprovalRequestId): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const request = await this.requests.lock(tx, id);
      if (request === null) return err(notFound('approval request'));
      if (await this.held.releaseClaim(tx, id, by.personId))
        await this.#record(tx, 'approval_request.released', request, by);
      return ok(undefined);
    });
  }

  /** A screen shows it to this person. Only the first time counts. */
  seen(by: PersonPrincipal, id: ApprovalRequestId): Promise<Result<void>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const request = await this.requests.find(tx, id);
      if (request === null) return err(notFound('approval request'));
      if (request.state !== 'open') return ok(undefined);
      if (await this.held.saw(tx, id, by.personId, await tx.now()))
        await this.#record(tx, 'approval_request.seen', request, by);
      return ok(undefined);
    });
  }

  async #claimedBy(tx: Tx, claim: Claim): Promise<Failure> {
    const name = (await this.people.standing(tx, [claim.personId])).get(claim.personId)?.displayName ?? '';
    return {
      kind: 'conflict',
      code: 'approval.claimed',
      message: `${name} is looking at it.`,
      action: 'You may still review it. To claim it, wait until they release it or their claim expires.',
      details: { person_id: claim.personId, expires_at: new Date(claim.expiresAt).toISOString() },
    };
  }

  #record(
    tx: Tx,
    action: 'approval_request.claimed' | 'approval_request.released' | 'approval_request.seen',
    request: ApprovalRequest,
    by: PersonPrincipal,
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'basic',
      subject: { type: 'approval_request', id: request.id },
      within: belongsTo(request.subject),
      payload: {},
    });
  }
}
