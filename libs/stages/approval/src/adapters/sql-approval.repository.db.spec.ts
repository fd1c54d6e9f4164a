import { newId, type PlanId } from '#lib/kernel';
import type { TestDatabase } from '../../../../../test/support/database.js';
import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeApprovalRepository } from '../application/approval-repository.contract.js';
import { asked, inTx, openRequest, refusalOf } from '../application/approval-store.contract.js';

let db: TestDatabase;
const open = postgresStores((opened) => (db = opened));
describeApprovalRepository('in PostgreSQL', open);

describe('the subject of a request in PostgreSQL', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['is there', '23503', { id: newId<PlanId>() }],
    ['is of a known kind', '23514', { type: 'tool_call' }],
  ])('%s (%s)', async (_what, code, change) => {
    const store = await open();
    const { subject, ...request } = await openRequest(store);
    const changed = { ...request, subject: { ...subject, ...change } };
    expect(await refusalOf(inTx(store, (tx) => store.requests.insert(tx, changed)))).toBe(code);
  });
});

it('takes no request for its own if somebody changed its headline in the database', async () => {
  const store = await open();
  const { id } = await asked(store);
  await db.owner.query('update approval_request set headline = $2 where id = $1', [id, 'look at nothing']);
  await expect(inTx(store, (tx) => store.requests.find(tx, id))).rejects.toMatchObject({
    failure: { code: 'record.not_authentic' },
  });
});
