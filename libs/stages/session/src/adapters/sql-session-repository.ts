import { Any } from 'typeorm';
import { lockNameAhead, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { requireSeal, type AgentId, type PageRequest, type RowSeals, type SessionId, type Tx } from '#lib/kernel';
import { storedSubmitter, submitterIn } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type { OpenSessions, SessionFilter, SessionRefusal, SessionRepository } from '../application/session.ports.js';
import { idleAt, TOUCH_MS, type EndedSession, type Session } from '../domain/session.js';
import { sealedSession } from './session-seals.js';
import { sessionAgentEntity, sessionEntity } from './session.entity.js';

const ENVIRONMENT = environmentEntity.as('environment');
const MEMBER = sessionAgentEntity.as('member');
const SESSION = sessionEntity.as('session');
const COLUMN = sessionEntity.column;
const BUSY = sessionEntity.as('busy');

const SESSION_ROW = sessionEntity.all;

interface Joined {
  /** The name. */
  readonly environment: string;
  readonly agents: readonly AgentId[];
}

type Row = RowOf<typeof sessionEntity> & Joined;

const SELECT = `select ${SESSION_ROW.columns('session')}, ${ENVIRONMENT.name} as environment,
    array(select ${MEMBER.agentId} from session_agent member
           where member.tenant_id = session.tenant_id and ${MEMBER.sessionId} = ${SESSION.id} order by ${MEMBER.agentId}) as agents
  from session
  join environment on environment.tenant_id = session.tenant_id and ${ENVIRONMENT.id} = ${SESSION.environmentId}`;

const TOUCH = `
  update session set ${COLUMN.lastUsedAt} = used.at, ${COLUMN.idleAt} = used.at + ${SESSION.idleSeconds} * interval '1 second'
    from (select date_trunc('milliseconds', clock_timestamp()) as at) used
   where tenant_id = $1 and ${SESSION.id} =
     (select ${BUSY.id} from session busy
       where busy.tenant_id = $1 and ${BUSY.id} = $2 and ${BUSY.state} = 'open'
         and ${BUSY.lastUsedAt} < clock_timestamp() - $3 * interval '1 millisecond'
         for no key update skip locked)`;

/** Sessions in PostgreSQL. */
export class SqlSessionRepository implements SessionRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, session: Session): Promise<void> {
    await rowsOf(tx, sessionEntity).insert({
      ...session,
      ...session.autonomy,
      ...storedSubmitter(session.openedBy),
      environmentId: session.environment.id,
      idleAt: idleAt(session),
      seal: await this.seals.seal(sealedSession(tx, session)),
    });
    await rowsOf(tx, sessionAgentEntity).insert(
      session.agentIds.map((agentId) => ({ sessionId: session.id, agentId })),
    );
  }

  find(tx: Tx, id: SessionId): Promise<Session | null> {
    return this.#one(tx, id, '');
  }

  lock(tx: Tx, id: SessionId): Promise<Session | null> {
    return this.#one(tx, id, 'for no key update of session');
  }

  share(tx: Tx, id: SessionId): Promise<Session | null> {
    return this.#one(tx, id, 'for share of session');
  }

  async touch(tx: Tx, id: SessionId): Promise<void> {
    await sqlOf(tx).execute(TOUCH, [tx.tenantId, id, TOUCH_MS]);
  }

  async lockOpen(tx: Tx, agentIds: readonly AgentId[]): Promise<ReadonlyMap<AgentId, OpenSessions>> {
    for (const id of agentIds) lockNameAhead(tx, `countersign.session.agent:${id}`);
    const rows = await sqlOf(tx).query<{ readonly id: AgentId; readonly count: number; readonly first: Date }>(
      `select ${MEMBER.agentId} as id, count(*)::int as count, min(${SESSION.idleAt}) as first
         from session
         join session_agent member on member.tenant_id = session.tenant_id and ${MEMBER.sessionId} = ${SESSION.id}
        where session.tenant_id = $1 and ${SESSION.state} = 'open' and ${SESSION.idleAt} > clock_timestamp()
          and ${MEMBER.agentId} = any($2::uuid[])
        group by ${MEMBER.agentId}`,
      [tx.tenantId, [...agentIds]],
    );
    return new Map(rows.map(({ id, count, first }) => [id, { count, firstIdleAt: first.getTime() }]));
  }

  async openAmong(tx: Tx, ids: readonly SessionId[]): Promise<readonly SessionId[]> {
    const rows = await rowsOf(tx, sessionEntity).find({ id: Any(ids), state: 'open' }, { only: ['id'] });
    return rows.map(({ id }) => id);
  }

  async firstRefusal(tx: Tx, { submitterId, agentId }: SessionRefusal, forMs: number): Promise<boolean> {
    const noted = await sqlOf(tx).query<object>(
      `insert into session_refusal (tenant_id, submitter_id, agent_id, until)
       values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
       on conflict on constraint session_refusal_pk do update set until = excluded.until
         where session_refusal.until <= clock_timestamp()
       returning agent_id`,
      [tx.tenantId, submitterId, agentId, forMs],
    );
    return noted.length > 0;
  }

  async list(tx: Tx, { state, agentId }: SessionFilter, page: PageRequest): Promise<readonly Session[]> {
    const { after, limit } = page;
    const rows = await sqlOf(tx).query<Joined>(
      `${SELECT} where session.tenant_id = $1
         and ($2::text is null or ${SESSION.state} = $2)
         and ($3::uuid is null or exists (select from session_agent member
           where member.tenant_id = $1 and ${MEMBER.agentId} = $3 and ${MEMBER.sessionId} = ${SESSION.id}))
         and ($4::timestamptz is null or (${SESSION.openedAt}, ${SESSION.id}) < ($4, $5::uuid))
       order by ${SESSION.openedAt} desc, ${SESSION.id} desc limit $6`,
      [tx.tenantId, state, agentId, after && new Date(after.at), after?.id ?? null, limit],
    );
    const sessions = rows.map((stored) => SESSION_ROW.row(stored));
    const authentic = await Promise.all(
      sessions.map((row) => this.seals.holds(sealedSession(tx, sessionOf(row)), row.seal)),
    );
    return sessions.filter((_, index) => authentic[index]).map(sessionOf);
  }

  async saveSettings(tx: Tx, session: Session): Promise<void> {
    const seal = await this.seals.seal(sealedSession(tx, session));
    const { id, autonomy, callBudget, revision } = session;
    await rowsOf(tx, sessionEntity).update({ id }, { ...autonomy, callBudget, revision, seal });
  }

  async saveEnded(tx: Tx, { id, state, endedReason, endedAt }: EndedSession): Promise<void> {
    await rowsOf(tx, sessionEntity).update({ id }, { state, endedReason, endedAt });
  }

  async #one(tx: Tx, id: SessionId, lock: string): Promise<Session | null> {
    const [stored] = await sqlOf(tx).query<Joined>(
      `${SELECT} where session.tenant_id = $1 and ${SESSION.id} = $2 ${lock}`,
      [tx.tenantId, id],
    );
    if (stored === undefined) return null;
    const row = SESSION_ROW.row(stored);
    const session = sessionOf(row);
    await requireSeal(this.seals, sealedSession(tx, session), row.seal);
    return session;
  }
}

function sessionOf(row: Row): Session {
  const { environmentId, environment, agents, preset, level, mode, ...rest } = row;
  return {
    id: rest.id,
    environment: { id: environmentId, name: environment },
    agentIds: agents,
    autonomy: { preset, level, mode },
    revision: rest.revision,
    model: rest.model,
    idleSeconds: rest.idleSeconds,
    approvalSeconds: rest.approvalSeconds,
    callsPerTurn: rest.callsPerTurn,
    callBudget: rest.callBudget,
    state: rest.state,
    endedReason: rest.endedReason,
    openedBy: submitterIn(row),
    openedAt: rest.openedAt,
    lastUsedAt: rest.lastUsedAt,
    endedAt: rest.endedAt,
  };
}
