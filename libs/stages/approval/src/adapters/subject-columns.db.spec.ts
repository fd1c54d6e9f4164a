import type { TestDatabase } from '../../../../../test/support/database.js';
import { postgresStores } from '../../../../../test/support/approval-store.js';
import { newId } from '#lib/kernel';
import { asked, askedAboutCall, refusalOf, type ApprovalStore } from '../application/approval-store.contract.js';
import type { ApprovalRequest } from '../domain/approval-request.js';

let db: TestDatabase;
const open = postgresStores((opened) => (db = opened));
let store: ApprovalStore;
beforeEach(async () => {
  store = await open();
});

/** Inserts the request once more, with these columns changed. */
async function again({ id }: ApprovalRequest, change: object): Promise<string> {
  const { rows } = await db.owner.query<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns from information_schema.columns
      where table_name = 'approval_request' and is_generated = 'NEVER'`,
  );
  const columns = rows[0]?.columns ?? '';
  // Another subject, since one has one live request.
  const changed = JSON.stringify({ id: newId(), subject_id: newId(), ...change });
  return refusalOf(
    db.owner.query(
      `insert into approval_request (${columns})
       select ${columns.replaceAll(/\w+/g, 'changed.$&')} from approval_request r
         cross join lateral jsonb_populate_record(r, $2::jsonb) changed where r.id = $1`,
      [id, changed],
    ),
  );
}

describe('the columns of the subject of a request', () => {
  it('hold its id in the column of its kind alone', async () => {
    const [plan, call] = [await asked(store), await askedAboutCall(store)];
    const { rows } = await db.owner.query<Record<string, string | null>>(
      'select id, plan_id, tool_call_id from approval_request where id = any ($1::uuid[])',
      [[plan.id, call.id]],
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    expect(found.get(plan.id)).toMatchObject({ plan_id: plan.subject.id, tool_call_id: null });
    expect(found.get(call.id)).toMatchObject({ plan_id: null, tool_call_id: call.subject.id });
  });

  it('are written by no statement', async () => {
    const { id } = await askedAboutCall(store);
    const write = (column: string) =>
      refusalOf(db.owner.query(`update approval_request set ${column} = $2 where id = $1`, [id, newId()]));
    expect(await write('tool_call_id')).toBe('428C9');
    expect(await write('plan_id')).toBe('428C9');
  });

  it.each<[string, object, string]>([
    ['as it was', {}, 'nothing refused'],
    ['of nobody', { subject_id: newId() }, '23503'],
    ['of a session of nobody', { session_id: newId() }, '23503'],
    ['of no known kind', { subject_type: 'run' }, '23514'],
    ['with phases', { phases: 'all' }, '23514'],
    ['with a task', { task_id: newId() }, '23514'],
    ['with a simulation', { simulation_id: newId() }, '23514'],
    ['that is started by hand', { start: 'manual' }, '23514'],
    ['that is started later', { start_after: '2026-01-01T00:00:00Z' }, '23514'],
    ['in no environment', { environment_id: null }, '23502'],
    ['in an environment of nobody', { environment_id: newId() }, '23503'],
  ])('take a request about a call, %s', async (_what, change, expected) => {
    const { callId } = await store.call();
    expect(await again(await askedAboutCall(store), { subject_id: callId, ...change })).toBe(expected);
  });

  it.each<[string, object]>([
    ['no task', { task_id: null }],
    ['no phases', { phases: null }],
    ['a session', { session_id: newId() }],
  ])('refuse a request about a plan with %s', async (_what, change) => {
    const request = await asked(store);
    expect(await again(request, { subject_id: request.subject.id, state: 'open', ...change })).toBe('23514');
  });

  it('refuse a call that is sent back for changes', async () => {
    const { id } = await askedAboutCall(store);
    const sentBack = db.owner.query(
      `update approval_request set state = 'changes_requested', closed_at = clock_timestamp(), closed_reason = '{}' where id = $1`,
      [id],
    );
    expect(await refusalOf(sentBack)).toBe('23514');
  });
});
