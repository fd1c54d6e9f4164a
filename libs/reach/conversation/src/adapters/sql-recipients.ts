import { IsNull } from 'typeorm';
import { approvalClaimEntity, approvalRequestEntity, reviewEntity } from '#lib/approval';
import { changeRequestEntity } from '#lib/change-request';
import { rowsOf, sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { RecipientRepository, Topic, UnreadComment } from '../application/conversation.ports.js';
import type { Comment, Subject } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';
import { mentions } from '../domain/mentions.js';
import { commentEntity, commentRecipientEntity } from './comment.entity.js';
import { NAMED_COMMENT, namedOf, type AuthorNames } from './sql-named-comments.js';

const REQUEST = approvalRequestEntity.as('request');
const AGENT = agentEntity.as('agent');
const REVIEW = reviewEntity.as('review');
const OTHER = approvalRequestEntity.as('other');
const APPROVAL_CLAIM = approvalClaimEntity.as('approval_claim');
const COMMENT = commentEntity.as('comment');
const CHANGE_REQUEST = changeRequestEntity.as('change_request');
const PERSON = personEntity.as('person');
const CHANGE = changeRequestEntity.as('change');
const RECIPIENT = commentRecipientEntity.as('recipient');

const NAMED = personEntity.pick('id', 'displayName', 'email');

const OF_REQUEST = `
  select coalesce(${REQUEST.personId}, ${REQUEST.onBehalfOf}, ${AGENT.ownerPersonId}) as id from approval_request request
    left join agent on agent.tenant_id = request.tenant_id and ${AGENT.id} = ${REQUEST.agentId}
   where request.tenant_id = $1 and ${REQUEST.id} = $2
  union select ${REVIEW.personId} from review
    join approval_request other on other.tenant_id = review.tenant_id and ${OTHER.id} = ${REVIEW.requestId}
    join approval_request request on request.tenant_id = other.tenant_id and ${REQUEST.taskId} = ${OTHER.taskId}
   where request.tenant_id = $1 and ${REQUEST.id} = $2
  union select ${APPROVAL_CLAIM.personId} from approval_claim where tenant_id = $1 and ${APPROVAL_CLAIM.requestId} = $2
  union select ${COMMENT.personId} from comment where tenant_id = $1 and ${COMMENT.subjectId} = $2`;

const OF_CHANGE = `
  select unnest(array[${CHANGE_REQUEST.requestedBy}, ${CHANGE_REQUEST.closedBy}]) as id from change_request where tenant_id = $1
    and ${CHANGE_REQUEST.id} = $2
  union select ${COMMENT.personId} from comment where tenant_id = $1 and ${COMMENT.subjectId} = $2`;

/** People that comments concern, in PostgreSQL. */
export class SqlRecipients implements RecipientRepository {
  async concerned(tx: Tx, { type, id }: Topic): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `select ${PERSON.id} from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null
          and ${PERSON.id} in (${type === 'change_request' ? OF_CHANGE : OF_REQUEST})
        order by ${PERSON.id}`,
      [tx.tenantId, id],
    );
    return rows.map((row) => row.id);
  }

  async mentioned(tx: Tx, text: string): Promise<readonly PersonId[]> {
    if (!text.includes('@')) return [];
    const rows = await sqlOf(tx).query<NonNullable<typeof NAMED.holds>>(
      `select ${NAMED.columns('person')} from person
        where tenant_id = $1 and ${PERSON.disabledAt} is null
          and (position(lower('@' || ${PERSON.displayName}) in lower($2)) > 0 or position(lower('@' || ${PERSON.email}) in lower($2)) > 0)
        order by ${PERSON.id} limit 50`,
      [tx.tenantId, text],
    );
    return rows.filter((row) => mentions(text, row.displayName) || mentions(text, row.email)).map(({ id }) => id);
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
    const rows = await sqlOf(tx).query<AuthorNames & { readonly headline: string }>(
      `select told.*, coalesce(${CHANGE.what}, ${REQUEST.headline}) as headline from (${NAMED_COMMENT}
         join comment_recipient recipient on recipient.tenant_id = comment.tenant_id and ${RECIPIENT.commentId} = ${COMMENT.id}
        where comment.tenant_id = $1 and ${RECIPIENT.personId} = $2 and ${RECIPIENT.readAt} is null
          and ($3::timestamptz is null or (${COMMENT.createdAt}, ${COMMENT.id}) < ($3, $4::uuid))
        order by ${COMMENT.createdAt} desc, ${COMMENT.id} desc limit $5) told
         left join change_request change on change.tenant_id = $1 and ${CHANGE.id} = told."subjectId"
         left join approval_request request on request.tenant_id = $1 and ${REQUEST.id} = told."subjectId"
        order by told."createdAt" desc, told.id desc`,
      [tx.tenantId, personId, after === null ? null : new Date(after.at), after?.id ?? null, limit],
    );
    return rows.map((row) => ({ ...namedOf(row), headline: row.headline }));
  }

  async read(tx: Tx, personId: PersonId, { id: subjectId }: Subject, at: number): Promise<void> {
    await rowsOf(tx, commentRecipientEntity).update({ personId, subjectId, readAt: IsNull() }, { readAt: at });
  }
}
