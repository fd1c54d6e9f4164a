import type { ApprovalState } from '#lib/contracts';
import type {
  AgentId,
  ApprovalRequestId,
  AuditLevel,
  ChangeRequestId,
  CommentId,
  PersonId,
  PlanId,
  TaskId,
  Tx,
} from '#lib/kernel';
import type { Comment, Subject } from '../domain/comment.js';

/** What is talked about, with what the record of it belongs to. */
export type Topic =
  | {
      readonly type: 'approval_request';
      readonly id: ApprovalRequestId;
      readonly state: ApprovalState;
      readonly taskId: TaskId;
      readonly planId: PlanId;
      readonly planAgentId: AgentId | null;
      readonly environment: string;
      /** How long what is said of it is kept. */
      readonly level: AuditLevel;
    }
  | {
      readonly type: 'change_request';
      readonly id: ChangeRequestId;
      readonly what: string;
      readonly level: AuditLevel;
    };

/** A comment with the names of those in it. */
export interface NamedComment {
  readonly comment: Comment;
  readonly authorName: string;
  /** The same without the address that tells imitated names apart: agents are shown no addresses. */
  readonly authorNameForAgents: string;
}

/** A comment that waits for somebody to read it. */
export interface UnreadComment extends NamedComment {
  /** What the change does, in one line; null for a request. */
  readonly what: string | null;
  /** The plan of the request; null for a change. */
  readonly planId: PlanId | null;
}

export interface CommentRepository {
  /** Nobody else speaks of a request of the same task until this transaction ends. Null if there is no such thing. */
  lockTopic(tx: Tx, subject: Subject): Promise<Topic | null>;
  topic(tx: Tx, subject: Subject): Promise<Topic | null>;
  /** How often agents spoke of the task's requests since a person last commented or reviewed. */
  unanswered(tx: Tx, taskId: TaskId): Promise<number>;
  insert(tx: Tx, comment: Comment): Promise<void>;
  find(tx: Tx, id: CommentId): Promise<NamedComment | null>;
  /** In the order in which they were written. */
  list(
    tx: Tx,
    subject: Subject,
    page: { readonly limit: number; readonly after: { readonly at: number; readonly id: string } | null },
  ): Promise<readonly NamedComment[]>;
  /** All of a plan's requests, or of a change, in order. */
  ofPlan(tx: Tx, planId: PlanId): Promise<readonly Comment[]>;
  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<readonly Comment[]>;
}

export interface RecipientRepository {
  /** Who asked, reviewed, claimed or commented, of those who may still sign in. */
  concerned(tx: Tx, topic: Topic): Promise<readonly PersonId[]>;
  /** People whose address or name stands behind an @ in the text. */
  mentioned(tx: Tx, text: string): Promise<readonly PersonId[]>;
  tell(tx: Tx, comment: Comment, people: readonly PersonId[]): Promise<void>;
  told(tx: Tx, id: CommentId): Promise<readonly PersonId[]>;
  /** Newest first. */
  unread(
    tx: Tx,
    personId: PersonId,
    page: { readonly limit: number; readonly after: { readonly at: number; readonly id: string } | null },
  ): Promise<readonly UnreadComment[]>;
  read(tx: Tx, personId: PersonId, subject: Subject, at: number): Promise<void>;
}
