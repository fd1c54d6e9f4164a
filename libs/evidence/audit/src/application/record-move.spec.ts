import { newId } from '#lib/kernel';
import { fakeAuditLog } from './fake-audit-log.js';

describe('entries about the move of a tenant', () => {
  it('name the move where the tenant leaves, and the epoch where it arrives', async () => {
    const { uow, home, recordMove: record, recorded } = fakeAuditLog();
    const moveId = newId();
    await record.execute(home.tenantId, 'tenant.leaving', moveId);
    await record.execute(home.tenantId, 'tenant.stayed', moveId);
    await uow.run(home.tenantId, (tx) => record.arrived(tx, 2));
    const common = { level: 'critical', actor: { id: 'operator' }, subject: { type: 'tenant', id: home.tenantId } };
    expect(await recorded('tenant.leaving')).toMatchObject([{ ...common, payload: { move_id: moveId } }]);
    expect(await recorded('tenant.stayed')).toMatchObject([{ ...common, payload: { move_id: moveId } }]);
    expect(await recorded('tenant.arrived')).toMatchObject([{ ...common, payload: { epoch: 2 } }]);
  });
});
