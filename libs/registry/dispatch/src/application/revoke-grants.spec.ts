import { newId, type Tx } from '#lib/kernel';
import { claimsOf, FakeGrants } from './fake-grants.js';

describe('revoking grants', () => {
  let grants: FakeGrants;
  beforeEach(() => {
    grants = new FakeGrants();
  });
  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => grants.uow.run(grants.tenant.tenantId, work);

  it('revokes unredeemed grants at the time of the database, and counts them', async () => {
    const source = { type: 'run', id: newId() } as const;
    const [stopped, left] = [await grants.granted({ source }), await grants.granted()];
    grants.uow.now += 1_000;
    expect(await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'sources', sources: [source] }, 'halt 1'))).toBe(1);
    const kept = await inTenant((tx) => grants.repository.lock(tx, String(claimsOf(stopped).jti)));
    expect(kept).toMatchObject({ revokedAt: grants.uow.now, revokedReason: 'halt 1' });
    expect(await grants.redeemed(stopped)).toBe('grant.revoked');
    expect(await grants.redeemed(left)).toBe('ok');
  });

  it('leaves a rollback its grants, unless all are revoked', async () => {
    const [first, second] = [await grants.granted({ basis: 'rollback' }), await grants.granted({ basis: 'rollback' })];
    expect(await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'tenant' }, 'halt 1'))).toBe(0);
    expect(await grants.redeemed(first)).toBe('ok');
    expect(await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'all' }, 'restored'))).toBe(1);
    expect(await grants.redeemed(second)).toBe('grant.revoked');
  });

  it('is undone with the transaction of the halt that wanted it', async () => {
    const grant = await grants.granted();
    const failed = inTenant(async (tx) => {
      await grants.revoke.revoke(tx, { kind: 'tenant' }, 'halt 1');
      throw new Error('The halt failed.');
    });
    await expect(failed).rejects.toThrow('The halt failed.');
    expect(await grants.redeemed(grant)).toBe('ok');
  });
});
