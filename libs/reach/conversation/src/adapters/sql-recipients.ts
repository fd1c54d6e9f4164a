import { IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { PersonId, PlanId, Tx } from '#lib/kernel';
import type { RecipientRepository, Topic, UnreadComment } from '../application/conversation.ports.js';
import type { Comment, Subject } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';
import { mentions } from '../domain/mentions.js';
import { commentRecipientEntity } from './comment.entity.js';
import { COMMENT, namedOf, type AuthorNames } from './sql-named-comments.js';

const OF_REQUEST = `
  select coalesce(request.person_id, request.on_behalf_of, agent.owner_person_id) as id from approval_request request
    left join agent on agent.tenant_id = request.tenant_id and agent.id = request.agent_id
   where request.tenant_id = $1 and request.id = $2
  union select review.person_id from review
    join approval_request other on other.tenant_id = review.tenant_id and other.id = review.request_id
    join approval_request request on request.tenant_id = other.tenant_id and request.task_id = other.task_id
   where request.tenant_id = $1 and request.id = $2
  union select person_id from approval_claim where tenant_id = $1 and request_id = $2
  union select person_id from comment where tenant_id = $1 and subject_id = $2`;

const OF_CHANGE = `
  select unnest(array[requested_by, closed_by]) as id from change_request where tenant_id = $1 and id = $2
  union select person_id from comment where tenant_id = $1 and subject_id = $2`;

/** People that comments concern, in PostgreSQL. */
export class SqlRecipients implements RecipientRepository {
  async concerned(tx: Tx, { type, id }: Topic): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `select person.id from person
        where person.tenant_id = $1 and person.disabled_at is null
          and person.id in (${type === 'change_request' ? OF_CHANGE : OF_REQUEST})
        order by person.id`,
      [tx.tenantId, id],
    );
    return rows.map((row) => row.id);
  }

  async mentioned(tx: Tx, text: string): Promise<readonly PersonId[]> {
    if (!text.includes('@')) return [];
    const rows = await sqlOf(tx).query<{ id: PersonId; display_name: string; email: string }>(
      `select id, display_name, email from person
        where tenant_id = $1 and disabled_at is null
          and (position(lower('@' || display_name) in lower($2)) > 0 or position(lower('@' || email) in lower($2)) > 0)
        order by id limit 50`,
      [tx.tenantId, text],
    );
    return rows.filter((row) => mentions(text, row.display_name) || mentions(text, row.email)).map(({ id }) => id);
  }

  async tell(tx: Tx, { id, subject, createdAt }: Comment, people: readonly PersonId[]): Promise<void> {
    if (people.length === 0) return;
    const recipient = { commentId: id, subjectId: subject.id, createdAt, readAt: null };
    await rowsOf(tx, commentRecipientEntity).insert(people.map((personId) => ({ ...recipient, personId })));
  }

  async told(tx: Tx, commentId: CommentId): Promise<readonly PersonId[]> {
    const recipients = await rowsOf(tx, commentRecipientEntity).find({ commentId }, { order: { personId: 'asc' } });
    return recipients.map(({ personId }) => personId);
  }

  async unread(
    tx: Tx,
    personId: PersonId,
    { limit, after }: Parameters<RecipientRepository['unread']>[2],
  ): Promise<readonly UnreadComment[]> {
    const rows = await sqlOf(tx).query<AuthorNames & { what: string | null; planId: PlanId | null }>(
      `select told.*, change.what, request.plan_id as "planId" from (${COMMENT}
         join comment_recipient recipient on recipient.tenant_id = comment.tenant_id and recipient.comment_id = comment.id
        where comment.tenant_id = $1 and recipient.person_id = $2 and recipient.read_at is null
          and ($3::timestamptz is null or (comment.created_at, comment.id) < ($3, $4::uuid))
        order by comment.created_at desc, comment.id desc limit $5) told
         left join change_request change on change.tenant_id = $1 and change.id = told."subjectId"
         left join approval_request request on request.tenant_id = $1 and request.id = told."subjectId"
        order by told."createdAt" desc, told.id desc`,
      [tx.tenantId, personId, after === null ? null : new Date(after.at), after?.id ?? null, limit],
    );
    return rows.map((row) => ({ ...namedOf(row), what: row.what, planId: row.planId }));
  }

  async read(tx: Tx, personId: PersonId, { id: subjectId }: Subject, at: number): Promise<void> {
    await rowsOf(tx, commentRecipientEntity).update({ personId, subjectId, readAt: IsNull() }, { readAt: at });
  }
}
