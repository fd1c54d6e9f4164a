import { createPublicKey, randomUUID } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { GRANT_TYPE } from '#lib/formats';
import { newId, type RunId, type RunStepId, type Tx } from '#lib/kernel';
import { sampleOrder } from './fake-grant.js';
import { claimsOf, FakeGrants } from './fake-grants.js';

const MINUTE = 60_000;

describe('issuing a grant', () => {
  let grants: FakeGrants;
  beforeEach(() => {
    grants = new FakeGrants();
  });
  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => grants.uow.run(grants.tenant.tenantId, work);
  const kept = (id: unknown): ReturnType<FakeGrants['repository']['lock']> =>
    inTenant((tx) => grants.repository.lock(tx, String(id)));

  it('says of the call all that its tool server has to compare, for a minute', async () => {
    const order = sampleOrder(grants.tenant);
    const claims = claimsOf(await grants.granted(order));
    expect(claims).toEqual({
      iss: 'https://countersign.example',
      aud: 'fleet',
      iat: grants.uow.now / 1_000,
      exp: (grants.uow.now + MINUTE) / 1_000,
      jti: claims.jti,
      tenant: order.tenantId,
      environment: 'production',
      basis: 'approval',
      source: order.source,
      step: 'step-1',
      attempt: 1,
      tool: 'rollout',
      tool_version: 3,
      arguments_digest: order.argumentsDigest,
      plan_digest: order.planDigest,
    });
    expect(await kept(claims.jti)).toMatchObject({ issuedAt: grants.uow.now, expiresAt: grants.uow.now + MINUTE });
  });

  it('is signed with the key that signs now', async () => {
    const grant = await grants.granted();
    const [key] = (await grants.keyring.publicSet()).keys;
    if (key === undefined) throw new Error('no key is published');
    expect(decodeProtectedHeader(grant)).toEqual({ alg: 'EdDSA', typ: GRANT_TYPE, kid: key.kid });
    const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
    const { payload } = await compactVerify(grant, publicKey);
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claimsOf(grant));
  });

  it('is another one every time', async () => {
    expect(claimsOf(await grants.granted()).jti).not.toBe(claimsOf(await grants.granted()).jti);
  });

  it.each([
    ['a halt came before it', null],
    ['its time is over just now', 0],
    ['its time was over before', -1],
  ])('does not happen if %s, and leaves nothing behind', async (_, left) => {
    const mayLeaveUntil = (): Promise<number | null> => Promise.resolve(left === null ? null : grants.uow.now + left);
    const insert = jest.spyOn(grants.repository, 'insert');
    expect(await grants.issue.execute(sampleOrder(grants.tenant, { mayLeaveUntil }))).toBeNull();
    expect(insert).not.toHaveBeenCalled();
  });

  it('asks whether the call may leave in the transaction that issues the grant', async () => {
    let halted = false;
    const mayLeaveUntil = jest.fn((tx: Tx) => {
      expect(tx.tenantId).toBe(grants.tenant.tenantId);
      return Promise.resolve(halted ? null : Infinity);
    });
    const order = sampleOrder(grants.tenant, { mayLeaveUntil });
    // The halt is first in the queue of transactions: the grant is asked for before it, and issued after it.
    const halt = inTenant(() => {
      halted = true;
      return Promise.resolve();
    });
    expect(await grants.issue.execute(order)).toBeNull();
    await halt;
    expect(mayLeaveUntil).toHaveBeenCalledTimes(1);
  });

  it('is good no longer than the call may leave', async () => {
    const until = grants.uow.now + 20_000;
    const claims = claimsOf(await grants.granted({ mayLeaveUntil: () => Promise.resolve(until) }));
    expect(claims.exp).toBe(until / 1_000);
    expect(await kept(claims.jti)).toMatchObject({ expiresAt: until });
  });

  describe('of a call of a run', () => {
    const out = (since: number, lease = 2 * MINUTE) => ({
      runId: newId<RunId>(),
      stepId: newId<RunStepId>(),
      fence: 1,
      dispatchedAt: grants.uow.now - since,
      leaseUntil: grants.uow.now - since + lease,
      halts: null,
    });

    it('counts from the dispatch, for a minute or until its lease ends', async () => {
      const first = out(5_000);
      expect(claimsOf(await grants.granted({ out: first }))).toMatchObject({
        iat: first.dispatchedAt / 1_000,
        exp: (first.dispatchedAt + MINUTE) / 1_000,
      });
      const short = out(5_000, 20_000);
      expect(claimsOf(await grants.granted({ out: short })).exp).toBe(short.leaseUntil / 1_000);
    });

    it('counts from now if the call stood still for longer than such a grant lasts', async () => {
      const claims = claimsOf(await grants.granted({ out: out(90_000) }));
      expect(claims.iat).toBe(grants.uow.now / 1_000);
    });

    it('is not issued if the call may not leave', async () => {
      const mayLeaveUntil = (): Promise<null> => Promise.resolve(null);
      expect(await grants.issue.execute(sampleOrder(grants.tenant, { out: out(0), mayLeaveUntil }))).toBeNull();
    });
  });

  describe('to an executor that fetches its call', () => {
    const id = randomUUID();

    it('gives the same one again, however late it is asked for', async () => {
      const order = sampleOrder(grants.tenant);
      expect(await inTenant((tx) => grants.issue.wasIssued(tx, id))).toBe(false);
      const first = await grants.issue.fetch(order, id);
      expect(await inTenant((tx) => grants.issue.wasIssued(tx, id))).toBe(true);
      const expiresAt = grants.uow.now + MINUTE;
      grants.uow.now += 5_000;
      const again = await grants.issue.fetch(order, id);
      expect(again).toEqual(first);
      expect(again?.expiresAt).toBe(expiresAt);
      expect(claimsOf(again?.grant ?? '')).toMatchObject({ jti: id, exp: expiresAt / 1_000 });
    });

    it('can be redeemed once, however often it was fetched', async () => {
      const order = sampleOrder(grants.tenant);
      const fetched = [await grants.issue.fetch(order, id), await grants.issue.fetch(order, id)];
      const codes = await Promise.all(fetched.map((one) => grants.redeemed(one?.grant ?? '')));
      expect(codes.sort()).toEqual(['grant.already_redeemed', 'ok']);
    });

    it('gives none that was revoked', async () => {
      const order = sampleOrder(grants.tenant);
      await grants.issue.fetch(order, id);
      await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'tenant' }, 'halt 1'));
      expect(await grants.issue.fetch(order, id)).toBeNull();
    });

    it('gives none if the call may not leave any more, neither first nor again', async () => {
      const order = sampleOrder(grants.tenant);
      const halted = { ...order, mayLeaveUntil: () => Promise.resolve(null) };
      expect(await grants.issue.fetch(halted, id)).toBeNull();
      expect(await inTenant((tx) => grants.issue.wasIssued(tx, id))).toBe(false);
      await grants.issue.fetch(order, id);
      expect(await grants.issue.fetch(halted, id)).toBeNull();
    });
  });
});
