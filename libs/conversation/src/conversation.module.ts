import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import {
  AddComment,
  ChangeCommentEvidence,
  CommentNotices,
  ReadComments,
  RequestCommentEvidence,
  SlackReplies,
  SqlComments,
  SqlRecipients,
} from '#lib/conversation';
import { UNIT_OF_WORK } from '#lib/database';
import { OUTBOX, type AuditSink, type Outbox, type UnitOfWork } from '#lib/kernel';
import { THREAD_REPLIES } from '#lib/notify';
import { ReadDescription } from '#lib/plan';

const comments = new SqlComments();
const recipients = new SqlRecipients();

/** Conversations. Needs the modules of plan, audit and notify, all global. */
@Module({})
export class ConversationModule {
  /** @param config.publicUrl where people reach Countersign. */
  static of({ publicUrl }: { readonly publicUrl: string }): DynamicModule {
    const providers: FactoryProvider[] = [
      {
        provide: AddComment,
        inject: [UNIT_OF_WORK, AUDIT_SINK, OUTBOX],
        useFactory: (uow: UnitOfWork, audit: AuditSink, outbox: Outbox) =>
          new AddComment(uow, comments, recipients, audit, outbox),
      },
      {
        provide: ReadComments,
        inject: [UNIT_OF_WORK],
        useFactory: (uow: UnitOfWork) => new ReadComments(uow, comments, recipients),
      },
      {
        provide: THREAD_REPLIES,
        inject: [AddComment],
        useFactory: (adding: AddComment) => new SlackReplies(adding),
      },
      {
        provide: CommentNotices,
        inject: [ReadDescription],
        useFactory: (descriptions: ReadDescription) =>
          new CommentNotices(comments, recipients, descriptions, publicUrl),
      },
      { provide: RequestCommentEvidence, useFactory: () => new RequestCommentEvidence(comments) },
      { provide: ChangeCommentEvidence, useFactory: () => new ChangeCommentEvidence(comments) },
    ];
    return { module: ConversationModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
