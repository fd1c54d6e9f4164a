import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import type { CommentRepository, RecipientRepository } from './conversation.ports.js';

/** Notices of a comment: to the people it concerns, and to the Slack thread of its subject. */
export class CommentNotices implements NoticeSource<'comment.added'> {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly comments: CommentRepository,
    private readonly recipients: RecipientRepository,
    private readonly publicUrl: string,
  ) {}

  async read(tx: Tx, { comment_id: id }: OutboxPayloads['comment.added']): Promise<NoticeToTell | null> {
    const named = await this.comments.find(tx, id);
    // An agent's words are never sent out.
    if (named?.comment.author.kind !== 'person') return null;
    const { comment, authorName } = named;
    const topic = await this.comments.topic(tx, comment.subject);
    if (topic === null) return null;
    const request = topic.type === 'approval_request';
    return {
      id: comment.id,
      title: `${authorName} commented: ${topic.headline}`,
      lines: [],
      done: null,
      words: { of: authorName, text: comment.body },
      url: new URL(`/${request ? 'requests' : 'changes'}/${topic.id}#conversation`, this.publicUrl).toString(),
      environment: request ? topic.environment : null,
      thread: {
        of: request ? `request:${topic.id}` : `change_request.changed:${topic.id}`,
        notIn: comment.via.kind === 'slack' ? comment.via.channel : null,
      },
      people: await this.recipients.told(tx, comment.id),
      told: 'comments',
      always: false,
      alsoTo: [],
    };
  }
}
