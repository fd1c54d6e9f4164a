import type { ApprovalState } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import type {
  AgentId,
  ApprovalRequestId,
  AuditLevel,
  ChangeRequestId,
  CommentId,
  PlanId,
  TaskId,
  Tx,
} from '#lib/kernel';
import type { CommentRepository, NamedComment, Topic } from '../application/conversation.ports.js';
import type { Comment, Subject } from '../domain/comment.js';
import { COMMENT, commentOf, namedOf, type CommentRow } from './comment-rows.js';

interface RequestTopicRow {
  readonly id: ApprovalRequestId;
  readonly state: ApprovalState;
  readonly task_id: TaskId;
  readonly plan_id: PlanId;
  readonly agent_id: AgentId | null;
  readonly environment: string;
  readonly level: AuditLevel;
}

/** Comments in PostgreSQL, table comment. */
export class SqlComments implements CommentRepository {
  async lockTopic(tx: Tx, subject: Subject): Promise<Topic | null> {
    if (subject.type === 'approval_request')
      await sqlOf(tx).query(
        `select task.id from task
           join approval_request request on request.tenant_id = task.tenant_id and request.task_id = task.id
          where request.tenant_id = $1 and request.id = $2 for no key update of task`,
        [tx.tenantId, subject.id],
      );
    return this.topic(tx, subject);
  }

  async topic(tx: Tx, subject: Subject): Promise<Topic | null> {
    if (subject.type === 'change_request') {
      const [row] = await sqlOf(tx).query<{ id: ChangeRequestId; what: string }>(
        'select id, what from change_request where tenant_id = $1 and id = $2',
        [tx.tenantId, subject.id],
      );
      return row === undefined ? null : { type: 'change_request', ...row, level: 'full_with_evidence' };
    }
    const [row] = await sqlOf(tx).query<RequestTopicRow>(
      `select request.id, request.state, request.task_id, request.plan_id, plan.agent_id, environment.name as environment,
              request.decision -> 'obligations' ->> 'audit_level' as level
         from approval_request request
         join plan on plan.tenant_id = request.tenant_id and plan.id = request.plan_id
         join task on task.tenant_id = request.tenant_id and task.id = request.task_id
         join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
        where request.tenant_id = $1 and request.id = $2`,
      [tx.tenantId, subject.id],
    );
    if (row === undefined) return null;
    const { id, state, environment, level } = row;
    const { task_id: taskId, plan_id: planId, agent_id: planAgentId } = row;
    return { type: 'approval_request', id, state, taskId, planId, planAgentId, environment, level };
  }

  async unanswered(tx: Tx, taskId: TaskId): Promise<number> {
    const [row] = await sqlOf(tx).query<{ count: number }>(
      `with request as (select id from approval_request where tenant_id = $1 and task_id = $2),
            said as (
              select author_kind, created_at from comment
               where tenant_id = $1 and subject_id in (select id from request)
              union all
              select 'person', created_at from review where tenant_id = $1 and request_id in (select id from request))
       select count(*)::integer as count from said
        where author_kind = 'agent'
          and created_at > coalesce((select max(created_at) from said where author_kind = 'person'), '-infinity')`,
      [tx.tenantId, taskId],
    );
    return row?.count ?? 0;
  }

  async insert(tx: Tx, { id, subject, author, credentialId, body, via, createdAt }: Comment): Promise<void> {
    await sqlOf(tx).execute(
      `insert into comment (tenant_id, id, subject_id, request_id, change_id, author_kind, agent_id, person_id,
         on_behalf_of, credential_id, body, via, slack_channel, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        tx.tenantId,
        id,
        subject.id,
        subject.type === 'approval_request' ? subject.id : null,
        subject.type === 'change_request' ? subject.id : null,
        author.kind,
        author.kind === 'agent' ? author.id : null,
        author.kind === 'person' ? author.id : null,
        author.onBehalfOf,
        credentialId,
        body,
        via.kind,
        via.kind === 'slack' ? via.channel : null,
        new Date(createdAt),
      ],
    );
  }

  async find(tx: Tx, id: CommentId): Promise<NamedComment | null> {
    const [row] = await sqlOf(tx).query<CommentRow>(`${COMMENT} where comment.tenant_id = $1 and comment.id = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : namedOf(row);
  }

  async list(
    tx: Tx,
    subject: Subject,
    { limit, after }: Parameters<CommentRepository['list']>[2],
  ): Promise<readonly NamedComment[]> {
    const rows = await sqlOf(tx).query<CommentRow>(
      `${COMMENT} where comment.tenant_id = $1 and comment.subject_id = $2
         and ($3::timestamptz is null or (comment.created_at, comment.id) > ($3, $4::uuid))
       order by comment.created_at, comment.id limit $5`,
      [tx.tenantId, subject.id, after === null ? null : new Date(after.at), after?.id ?? null, limit],
    );
    return rows.map(namedOf);
  }

  async ofPlan(tx: Tx, planId: PlanId): Promise<readonly Comment[]> {
    const rows = await sqlOf(tx).query<CommentRow>(
      `${COMMENT} where comment.tenant_id = $1
         and comment.request_id in (select id from approval_request where tenant_id = $1 and subject_id = $2)
       order by comment.created_at, comment.id`,
      [tx.tenantId, planId],
    );
    return rows.map(commentOf);
  }

  async ofChange(tx: Tx, changeId: ChangeRequestId): Promise<readonly Comment[]> {
    const rows = await sqlOf(tx).query<CommentRow>(
      `${COMMENT} where comment.tenant_id = $1 and comment.change_id = $2 order by comment.created_at, comment.id`,
      [tx.tenantId, changeId],
    );
    return rows.map(commentOf);
  }
}
