import type { ApprovalState } from '#lib/formats';
import type {
  AgentId,
  ApprovalRequestId,
  AuditLevel,
  ChangeRequestId,
  PersonId,
  PlanId,
  TaskId,
  Tx,
} from '#lib/kernel';
import type { Comment, Subject } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';

/** The subject of a conversation, in one line and with the things that its audit entries belong to. */
export type Topic =
  | {
      readonly type: 'approval_request';
      readonly id: ApprovalRequestId;
      readonly state: ApprovalState;
      readonly headline: string;
      readonly taskId: TaskId;
      readonly planId: PlanId;
      readonly planAgentId: AgentId | null;
      readonly environment: string;
      /** The audit level of its comments. */
      readonly level: AuditLevel;
    }
  | {
      readonly type: 'change_request';
      readonly id: ChangeRequestId;
      readonly headline: string;
      readonly level: AuditLevel;
    };

/** A comment with the name of its author, as one reader sees it. */
export interface SeenComment {
  readonly comment: Comment;
  readonly authorName: string;
}

/** A comment with the names of its author. */
export interface NamedComment extends SeenComment {
  /** The name without the address that tells imitated names apart: agents see no addresses. */
  readonly authorNameForAgents: string;
}

/** A comment that its recipient has not read. */
export interface UnreadComment extends NamedComment {
  /** The subject in one line. */
  readonly headline: string;
}

export interface CommentRepository {
  /** Locks comments on all requests of the same task until the transaction ends. Null if the subject is unknown. */
  lockTopic(tx: Tx, subject: Subject): Promise<Topic | null>;
  topic(tx: Tx, subject: Subject): Promise<Topic | null>;
  /** How many comments agents wrote on the task's requests since a person last commented or reviewed. */
  unanswered(tx: Tx, taskId: TaskId): Promise<number>;
  insert(tx: Tx, comment: Comment): Promise<void>;
  /** The name of a person of the tenant as people read it. */
  shownName(tx: Tx, id: PersonId): Promise<string>;
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
  /** People who asked, reviewed, claimed or commented, and may still sign in. */
  concerned(tx: Tx, topic: Topic): Promise<readonly PersonId[]>;
  /** People that the text mentions with @ and their name or address. */
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
