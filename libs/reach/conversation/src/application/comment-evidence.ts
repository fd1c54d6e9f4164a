import type { JsonObject } from '#lib/canonical';
import type { ChangeRequestId, PlanId, Tx } from '#lib/kernel';
import { commentDocument, type Comment } from '../domain/comment.js';
import type { CommentRepository } from './conversation.ports.js';

interface CommentEvidenceDocument {
  readonly kind: 'comment';
  readonly id: string;
  readonly document: JsonObject;
}

const documentsOf = (comments: readonly Comment[]): CommentEvidenceDocument[] =>
  comments.map((comment) => ({ kind: 'comment', id: comment.id, document: commentDocument(comment) }));

/** Hands out the comments on a plan's requests for its evidence pack. */
export class RequestCommentEvidence {
  readonly section = 'conversation';

  constructor(private readonly comments: Pick<CommentRepository, 'ofPlan'>) {}

  async collect(tx: Tx, planId: PlanId): Promise<readonly CommentEvidenceDocument[]> {
    return documentsOf(await this.comments.ofPlan(tx, planId));
  }
}

/** Hands out the comments on a change. */
export class ChangeCommentEvidence {
  readonly section = 'conversation';

  constructor(private readonly comments: Pick<CommentRepository, 'ofChange'>) {}

  async collect(tx: Tx, id: ChangeRequestId): Promise<readonly CommentEvidenceDocument[]> {
    return documentsOf(await this.comments.ofChange(tx, id));
  }
}
