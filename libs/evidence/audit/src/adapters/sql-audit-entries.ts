import { Any, IsNull, Not } from 'typeorm';
import type { Json } from '#lib/canonical';
import { anyJson, parsedText, rowsOf, sqlOf } from '#lib/database';
import type { AuditEntryId, SubjectRef, Tx } from '#lib/kernel';
import { planEntity, planToolEntity } from '#lib/plan';
import { decisionEntity } from '#lib/policy';
import type {
  AuditEntryReader,
  AuditEntryWriter,
  EntryCursor,
  EntryFilter,
  EvidenceSubject,
} from '../application/audit.ports.js';
import { auditEntryEntity, auditEvidenceEntity } from './audit.entity.js';
import { requireEntries, requireMonths, requireMonthsOfPack } from './sql-months-away.js';
import type { NewEntry, StoredEntry, StoredPayload } from '../domain/audit-entry.js';

const FIRST = auditEntryEntity.as('first');
const ENTRY = auditEntryEntity.as('entry');
const PLAN = planEntity.as('plan');
const USED = planToolEntity.as('used');
const DECISION = decisionEntity.as('decision');
const AUDIT_ENTRY = auditEntryEntity.as('audit_entry');
const AUDIT_EVIDENCE = auditEvidenceEntity.as('audit_evidence');

/** The columns that {@link storedEntry} reads. */
export const HEADER = auditEntryEntity.without('salt', 'payload');
/** The clock of the database says when an entry occurred. */
const NEW = auditEntryEntity.without('occurredAt');
const EVIDENCE = auditEvidenceEntity.all;

const SELECT = `select ${HEADER.columns('entry')}`;

export function storedEntry(
  { tenantId }: Tx,
  { subjectType, subjectId, ...header }: NonNullable<typeof HEADER.holds>,
): StoredEntry {
  return { tenantId, ...header, subject: { type: subjectType, id: subjectId } };
}

/** The payload of an entry, as its text has it. */
export const storedPayload = (id: AuditEntryId, text: string): Json =>
  parsedText(anyJson, text, { table: 'audit_entry', column: 'payload', id });

const occurredAt = (entry: StoredEntry): number => entry.occurredAt;

/** The outermost thing that a thing belongs to, as the first entry about it says. */
const rootOf = (thing: string): string =>
  `(select first.root_id from audit_entry first
     where first.tenant_id = $1 and ${FIRST.subjectId} = ${thing} and first.root_id is not null
     order by ${FIRST.occurredAt}, ${FIRST.id} limit 1)`;

/** An entry that happened within the thing of this id, given as a list of it alone as well. */
const within = (id: string, list: string): string =>
  `entry.root_id = any(array[${id}, ${rootOf(id)}]) and ${ENTRY.within} @> ${list}::jsonb`;

const OF_NO_PLAN = `not ${ENTRY.within} @> '[{"type": "plan"}]'`;

/** Of an entry whose action decided a single tool call. */
const DECIDES_A_CALL = `${ENTRY.action} = 'tool_call.decided'`;

/** As the index over decisions on command lines says it. The payload is canonical JSON, so that no call without one looks so often. */
const OF_A_COMMAND_LINE = `${DECIDES_A_CALL} and ${ENTRY.payload} like '%"shell":{"class":%'`;

/**
 * Entries that have to do with a tool. No entry is found twice: only the first kind names a plan. Each kind is sought on an
 * index of its own. One condition over all of them would read the whole log for a tool that is seldom called.
 */
function ofTool(found: (more: string) => string, tool: string): string {
  const kinds = [
    `entry.root_id in (
       select unnest(array[${PLAN.id}, ${PLAN.taskId}])::text from plan_tool used
         join plan on plan.tenant_id = used.tenant_id and ${PLAN.id} = ${USED.planId}
        where used.tenant_id = $1 and ${USED.toolName} = ${tool})
     and exists (
       select from plan_tool used where used.tenant_id = $1 and ${USED.toolName} = ${tool}
         and ${ENTRY.within} @> jsonb_build_array(jsonb_build_object('type', 'plan', 'id', ${USED.planId})))`,
    `${OF_NO_PLAN} and ${ENTRY.subjectType} = 'tool' and ${ENTRY.subjectId} = ${tool}`,
    `${OF_NO_PLAN} and ${ENTRY.decisionId} in (
       select ${DECISION.id} from decision
        where tenant_id = $1 and ${DECISION.entrypoint} = 'tool_call' and tool_name = ${tool})`,
    // Refused before policy was asked: nothing but the payload names a tool that is not there.
    `${OF_NO_PLAN} and ${ENTRY.decisionId} is null and ${ENTRY.action} = 'tool_call.decided'
       and ${ENTRY.payload}::jsonb ->> 'tool' = ${tool}`,
  ];
  return `select * from (${kinds.map((kind) => `(${found(` and ${kind}`)})`).join(' union all ')}) entry
    order by "occurredAt" desc, id desc limit $2`;
}

/** Asks for the entries that a filter finds, newest first, `limit` at most. */
function foundBy(
  tx: Tx,
  filter: EntryFilter,
  limit: number,
  after?: EntryCursor,
): { readonly sql: string; readonly params: unknown[] } {
  const params: unknown[] = [tx.tenantId, limit];
  const conditions = ['entry.tenant_id = $1'];
  const scope: string[] = [];
  const narrow = (condition: (placeholder: string) => string, value: unknown): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${String(params.length)}`));
  };
  const time = (at: number | undefined): Date | undefined => (at === undefined ? undefined : new Date(at));
  narrow((actor) => `entry.actor_id = ${actor}`, filter.actorId);
  narrow((type) => `${ENTRY.subjectType} = ${type}`, filter.subjectType);
  narrow((subject) => `${ENTRY.subjectId} = ${subject}`, filter.subjectId);
  narrow((level) => `${ENTRY.level} = ${level}`, filter.level);
  narrow(
    (outcome) => `exists (select from decision where decision.tenant_id = entry.tenant_id
      and ${DECISION.id} = ${ENTRY.decisionId} and ${DECISION.outcome} = ${outcome})`,
    filter.outcome,
  );
  narrow((action) => `${ENTRY.action} = ${action}`, filter.action);
  for (const thing of filter.within ?? []) {
    const [id, list] = [params.push(thing.id), params.push(JSON.stringify([thing]))];
    scope.push(within(`$${String(id)}`, `$${String(list)}`));
  }
  if (filter.calls !== undefined) {
    const { agentId, decidedAs, tier, shellClass } = filter.calls;
    const { commandLines = tier !== undefined || shellClass !== undefined } = filter.calls;
    conditions.push(commandLines ? OF_A_COMMAND_LINE : DECIDES_A_CALL);
    narrow((agent) => `coalesce(${ENTRY.payload}::jsonb #>> '{asked_by,id}', entry.actor_id) = ${agent}`, agentId);
    narrow((word) => `${ENTRY.payload}::jsonb ->> 'decided_as' = ${word}`, decidedAs);
    narrow((wanted) => `(${ENTRY.payload}::jsonb #>> '{shell,tier}')::int = ${wanted}`, tier);
    narrow((wanted) => `${ENTRY.payload}::jsonb #>> '{shell,class}' = ${wanted}`, shellClass);
  }
  narrow((from) => `${ENTRY.occurredAt} >= ${from}`, time(filter.from));
  narrow((until) => `${ENTRY.occurredAt} < ${until}`, time(filter.until));
  if (after) {
    params.push(new Date(after.occurredAt), after.id);
    conditions.push(`(${ENTRY.occurredAt}, ${ENTRY.id}) < ($${String(params.length - 1)}, $${String(params.length)})`);
  }
  // The entries of a thing are few: `offset 0` makes PostgreSQL read them by their index, before it sorts. Otherwise a plan's
  // page in a log of ten million entries reads the log backwards until it is full.
  const source =
    scope.length === 0
      ? 'audit_entry'
      : `(select * from audit_entry entry where entry.tenant_id = $1 and ${scope.join(' and ')} offset 0)`;
  const found = (more: string): string =>
    `${SELECT} from ${source} entry where ${conditions.join(' and ')}${more}
      order by ${ENTRY.occurredAt} desc, ${ENTRY.id} desc limit $2`;
  const sql = filter.tool === undefined ? found('') : ofTool(found, `$${String(params.push(filter.tool))}`);
  return { sql, params };
}

/** The entries about the subject `$2` of a pack, given as a list of it alone as `$4`. */
const ABOUT = {
  plan: `entry.root_id = any(array[$2, ${rootOf('$2')}]) and (${ENTRY.within} @> $4::jsonb or ${OF_NO_PLAN})`,
  session: `entry.root_id = $2 and ${ENTRY.within} -> 0 = $4::jsonb -> 0`,
  automation_run: within('$2', '$4'),
  change_request: `${ENTRY.subjectId} = $2 and ${ENTRY.subjectType} = $4::jsonb -> 0 ->> 'type'`,
} as const;

/** Audit entries in PostgreSQL. */
export class SqlAuditEntries implements AuditEntryWriter, AuditEntryReader {
  insert(tx: Tx, { id, event, evidence, salt, payloadText, payloadDigest }: NewEntry): Promise<void> {
    // If a row is refused, the action's transaction fails with it.
    const { level, action, actor, subject, within = [], decisionId = null } = event;
    sqlOf(tx).insertAhead(NEW, {
      ...{ id, level, action, actor, subjectType: subject.type, subjectId: subject.id, within, decisionId, evidence },
      ...{ payloadDigest, salt, payload: payloadText },
    });
    for (const digest of new Set(evidence.map((document) => document.digest))) {
      sqlOf(tx).insertAhead(EVIDENCE, { digest, entryId: id });
    }
    return Promise.resolve();
  }

  async list(tx: Tx, filter: EntryFilter, limit: number, after?: EntryCursor): Promise<readonly StoredEntry[]> {
    const { sql, params } = foundBy(tx, filter, limit, after);
    const found = await this.#read(tx, sql, params);
    const last = found.length < limit ? undefined : found.at(-1)?.occurredAt;
    await requireMonths(
      tx,
      { from: last ?? filter.from, until: after?.occurredAt ?? filter.until },
      found.map(occurredAt),
    );
    return found;
  }

  async following(
    tx: Tx,
    thing: SubjectRef,
    from: EntryCursor | number,
    limit: number,
  ): Promise<readonly StoredEntry[]> {
    const [at, id] = typeof from === 'number' ? [from, null] : [from.occurredAt, from.id];
    return this.#read(
      tx,
      `${SELECT} from audit_entry entry
        where entry.tenant_id = $1 and entry.root_id = $2 and ${ENTRY.within} -> 0 ->> 'type' = $3
          and (${ENTRY.occurredAt} > $4 or (${ENTRY.occurredAt} = $4 and ($5::uuid is null or ${ENTRY.id} > $5)))
        order by ${ENTRY.occurredAt}, ${ENTRY.id} limit $6`,
      [tx.tenantId, thing.id, thing.type, new Date(at), id, limit],
    );
  }

  async count(tx: Tx, filter: EntryFilter, most: number): Promise<number> {
    const { sql, params } = foundBy(tx, filter, most);
    const [row] = await sqlOf(tx).query<{ found: number }>(
      `select count(*)::int as found from (${sql}) counted`,
      params,
    );
    const counted = row?.found ?? 0;
    if (counted < most) await requireMonths(tx, { from: filter.from, until: filter.until });
    return counted;
  }

  async actions(tx: Tx): Promise<readonly string[]> {
    // From one action to the next on the index: the log is long, its actions are few.
    const rows = await sqlOf(tx).query<{ action: string }>(
      `with recursive known (action) as (
         (select ${AUDIT_ENTRY.action} from audit_entry where tenant_id = $1 order by ${AUDIT_ENTRY.action} limit 1)
         union all
         select (select ${ENTRY.action} from audit_entry entry
                  where entry.tenant_id = $1 and ${ENTRY.action} > known.action order by ${ENTRY.action} limit 1)
           from known where known.action is not null)
       select action from known where action is not null order by action limit 1000`,
      [tx.tenantId],
    );
    return rows.map(({ action }) => action);
  }

  async find(tx: Tx, id: AuditEntryId): Promise<StoredEntry | null> {
    const [entry] = await this.#read(
      tx,
      `${SELECT} from audit_entry entry where entry.tenant_id = $1 and ${ENTRY.id} = $2`,
      [tx.tenantId, id],
    );
    if (entry === undefined) await requireEntries(tx, [id]);
    return entry ?? null;
  }

  async payloads(tx: Tx, ids: readonly AuditEntryId[]): Promise<ReadonlyMap<AuditEntryId, StoredPayload>> {
    const rows = await rowsOf(tx, auditEntryEntity).find(
      { id: Any(ids), payload: Not(IsNull()) },
      { only: ['id', 'salt', 'payload'] },
    );
    return new Map(
      rows.flatMap(({ id, salt, payload }) =>
        salt === null || payload === null ? [] : [[id, { salt, payload: storedPayload(id, payload) }]],
      ),
    );
  }

  async payloadBytes(tx: Tx, ids: readonly AuditEntryId[]): Promise<number> {
    const [row] = await sqlOf(tx).query<{ bytes: string }>(
      `select coalesce(sum(octet_length(${AUDIT_ENTRY.payload})), 0) as bytes from audit_entry where tenant_id = $1
         and ${AUDIT_ENTRY.id} = any($2::uuid[])`,
      [tx.tenantId, ids],
    );
    return Number(row?.bytes);
  }

  async forPack(tx: Tx, { type, id }: EvidenceSubject, digests: readonly string[]): Promise<readonly StoredEntry[]> {
    const found = await this.#read(
      tx,
      `${SELECT} from audit_entry entry
        where entry.tenant_id = $1 and ${ENTRY.id} in (
          select ${ENTRY.id} from audit_entry entry where entry.tenant_id = $1 and ${ABOUT[type]}
          union
          select ${AUDIT_EVIDENCE.entryId} from audit_evidence where tenant_id = $1 and ${AUDIT_EVIDENCE.digest} = any($3::text[])
        )
        order by ${ENTRY.occurredAt}, ${ENTRY.id}`,
      [tx.tenantId, id, digests, JSON.stringify([{ type, id }])],
    );
    await requireMonthsOfPack(tx, id, digests, found.map(occurredAt));
    return found;
  }

  async #read(tx: Tx, sql: string, parameters: readonly unknown[]): Promise<readonly StoredEntry[]> {
    const rows = await sqlOf(tx).query<object>(sql, parameters);
    return rows.map((row) => storedEntry(tx, HEADER.row(row)));
  }
}
