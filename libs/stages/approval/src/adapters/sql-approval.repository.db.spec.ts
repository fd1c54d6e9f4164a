import { newId, type PlanId } from '#lib/kernel';
import { postgresStores } from '../../../../../test/support/approval-store.js';
import { describeApprovalRepository } from '../application/approval-repository.contract.js';
import { inTx, openRequest, refusalOf } from '../application/approval-store.contract.js';

const open = postgresStores();
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
