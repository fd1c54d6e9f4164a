import { approvalRequestEntity, reviewEntity } from '#lib/approval';
import { changeRequestEntity } from '#lib/change-request';
import { rowsOf, sqlOf } from '#lib/database';
import { personEntity } from '#lib/identity';
import type { ChangeRequestId, PersonId, PlanId, TaskId, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { taskEntity } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type { CommentRepository, NamedComment, Topic } from '../application/conversation.ports.js';
import type { Comment, Subject } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';
import { commentEntity } from './comment.entity.js';
import { NAMED_COMMENT, commentOf, namedOf, storedComment, type AuthorNames } from './sql-named-comments.js';

const TASK = taskEntity.as('task');
const REQUEST = approvalRequestEntity.as('request');
const PLAN = planEntity.as('plan');
const ENVIRONMENT = environmentEntity.as('environment');
const APPROVAL_REQUEST = approvalRequestEntity.as('approval_request');
const COMMENT = commentEntity.as('comment');
const SAID = commentEntity.as('said');
const REVIEW = reviewEntity.as('review');
const PERSON = personEntity.as('person');

const ALL = commentEntity.all;

/** Comments in PostgreSQL. */
export class SqlComments implements CommentRepository {
  async lockTopic(tx: Tx, subject: Subject): Promise<Topic | null> {
    if (subject.type === 'approval_request')
      await sqlOf(tx).query(
        `select ${TASK.id} from task
           join approval_request request on request.tenant_id = task.tenant_id and ${REQUEST.taskId} = ${TASK.id}
          where request.tenant_id = $1 and ${REQUEST.id} = $2 for no key update of task`,
        [tx.tenantId, subject.id],
      );
    return this.topic(tx, subject);
  }

  async topic(tx: Tx, subject: Subject): Promise<Topic | null> {
    if (subject.type === 'change_request') {
      const row = await rowsOf(tx, changeRequestEntity).findOne({ id: subject.id }, { only: ['id', 'what'] });
      return row && { type: 'change_request', id: row.id, headline: row.what, level: 'full_with_evidence' };
    }
    const [topic] = await sqlOf(tx).query<Topic>(
      `select 'approval_request' as type, ${REQUEST.id}, ${REQUEST.state} as state, ${REQUEST.headline} as headline,
              ${REQUEST.taskId} as "taskId", request.plan_id as "planId",
              ${PLAN.agentId} as "planAgentId", ${ENVIRONMENT.name} as environment,
              ${REQUEST.decision} -> 'obligations' ->> 'audit_level' as level
         from approval_request request
         join plan on plan.tenant_id = request.tenant_id and ${PLAN.id} = request.plan_id
         join task on task.tenant_id = request.tenant_id and ${TASK.id} = ${REQUEST.taskId}
         join environment on environment.tenant_id = task.tenant_id and ${ENVIRONMENT.id} = ${TASK.environmentId}
        where request.tenant_id = $1 and ${REQUEST.id} = $2`,
      [tx.tenantId, subject.id],
    );
    return topic ?? null;
  }

  async unanswered(tx: Tx, taskId: TaskId): Promise<number> {
    const [row] = await sqlOf(tx).query<{ count: number }>(
      `with request as (select ${APPROVAL_REQUEST.id} from approval_request where tenant_id = $1 and ${APPROVAL_REQUEST.taskId} = $2),
            said as (
              select ${COMMENT.authorKind}, ${COMMENT.createdAt} from comment
               where tenant_id = $1 and ${COMMENT.subjectId} in (select id from request)
              union all
              select 'person', ${REVIEW.createdAt} from review where tenant_id = $1 and ${REVIEW.requestId} in (select id from request))
       select count(*)::integer as count from said
        where ${SAID.authorKind} = 'agent'
          and ${SAID.createdAt} > coalesce((select max(${SAID.createdAt}) from said where ${SAID.authorKind} = 'person'), '-infinity')`,
      [tx.tenantId, taskId],
    );
    return row?.count ?? 0;
  }

  insert(tx: Tx, comment: Comment): Promise<void> {
    return rowsOf(tx, commentEntity).insert(storedComment(comment));
  }

  async shownName(tx: Tx, id: PersonId): Promise<string> {
    const [person] = await sqlOf(tx).query<{ name: string }>(
      `select countersign_shown_name(person) as name from person where tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, id],
    );
    return person?.name ?? '';
  }

  async find(tx: Tx, id: CommentId): Promise<NamedComment | null> {
    const [comment] = await this.#named(tx, `${COMMENT.id} = $2`, [id]);
    return comment ?? null;
  }

  list(
    tx: Tx,
    subject: Subject,
    { limit, after }: Parameters<CommentRepository['list']>[2],
  ): Promise<readonly NamedComment[]> {
    return this.#named(
      tx,
      `${COMMENT.subjectId} = $2 and ($3::timestamptz is null or (${COMMENT.createdAt}, ${COMMENT.id}) > ($3, $4::uuid))
        order by ${COMMENT.createdAt}, ${COMMENT.id} limit $5`,
      [subject.id, after && new Date(after.at), after?.id ?? null, limit],
    );
  }

  async ofPlan(tx: Tx, planId: PlanId): Promise<readonly Comment[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${ALL.columns('comment')} from comment
        where comment.tenant_id = $1
          and ${COMMENT.subjectId} in (select ${APPROVAL_REQUEST.id} from approval_request where tenant_id = $1
            and ${APPROVAL_REQUEST.subjectId} = $2)
        order by ${COMMENT.createdAt}, ${COMMENT.id}`,
      [tx.tenantId, planId],
    );
    return rows.map((row) => commentOf(ALL.row(row)));
  }

  async ofChange(tx: Tx, subjectId: ChangeRequestId): Promise<readonly Comment[]> {
    const order = { createdAt: 'asc', id: 'asc' } as const;
    return (await rowsOf(tx, commentEntity).find({ subjectId }, { order })).map(commentOf);
  }

  /** @param rest the condition after the tenant's, and the order. */
  async #named(tx: Tx, rest: string, parameters: readonly unknown[]): Promise<readonly NamedComment[]> {
    const rows = await sqlOf(tx).query<AuthorNames>(`${NAMED_COMMENT} where comment.tenant_id = $1 and ${rest}`, [
      tx.tenantId,
      ...parameters,
    ]);
    return rows.map(namedOf);
  }
}
