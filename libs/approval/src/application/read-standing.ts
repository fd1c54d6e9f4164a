import type { ApprovalFacts } from '#lib/contracts';
import type { PersonId, Tx } from '#lib/kernel';
import { rolesBefore, type ApprovalRequest } from '../domain/approval-request.js';
import { quorumOf } from '../domain/decide-review.js';
import { approvalFacts, type PersonStanding } from '../domain/policy-inputs.js';
import type { ApprovalRepository, People } from './approval.ports.js';

/** Those whose approvals fill the quorum, as they stand now. */
export interface ReviewersNow {
  readonly reviewers: ApprovalFacts['reviewers'];
  /** Those among them who are disabled. */
  readonly disabled: readonly string[];
  readonly people: ReadonlyMap<PersonId, PersonStanding>;
}

/** How an approval stands at this moment, for the decision at the start of a run and before each of its steps. */
export class ReadStanding {
  constructor(
    private readonly requests: ApprovalRepository,
    private readonly people: People,
  ) {}

  async reviewers(tx: Tx, request: ApprovalRequest): Promise<ReviewersNow> {
    const { filled } = quorumOf(request, await this.requests.reviews(tx, request.id));
    const standing = await this.people.standing(
      tx,
      filled.map(({ personId }) => personId),
    );
    const disabled = filled
      .filter(({ personId }) => standing.get(personId)?.disabled ?? true)
      .map(({ personId }) => personId);
    const reviewers = filled.map(({ personId, roles }) => ({
      person_id: personId,
      roles: rolesBefore(standing.get(personId)?.roles ?? [], request.openedAt).map(({ role }) => role),
      slot_roles: [...roles],
    }));
    return { reviewers, disabled, people: standing };
  }

  /** The request as policies see it; `reviewers` from {@link reviewers}. */
  facts(request: ApprovalRequest, reviewers: ApprovalFacts['reviewers']): ApprovalFacts {
    return approvalFacts(request, reviewers);
  }
}
