import { createPublicKey, randomUUID } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { GRANT_JWS_TYPE, grantClaimsSchema } from '#lib/formats';
import { digestOf, newId, type Tx } from '#lib/kernel';
import { sampleOrder } from './fake-grant.js';
import { claimsOf, FakeGrants } from './fake-grants.js';
import type { GrantAhead } from './tool-dispatcher.port.js';

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
      shell: null,
    });
    expect(await kept(claims.jti)).toMatchObject({ issuedAt: grants.uow.now, expiresAt: grants.uow.now + MINUTE });
  });

  it('T53: names the one reading of a command line that may be executed, as it was judged', async () => {
    const shell = { shell: 'bash', tier: 1, tree: digestOf('shell-tree', 'a tree') } as const;
    const verdict = { ...shell, argument: '/command', class: 'READ_ONLY', risk: 'read_only' } as const;
    expect(grantClaimsSchema.parse(claimsOf(await grants.granted({ shell: verdict }))).shell).toEqual(shell);
  });

  it('T54: names the one definition of a tool for which a runner may start an MCP server', async () => {
    const mcp = { server: 'files', tool: 'read', digest: digestOf('arguments', {}) };
    expect(grantClaimsSchema.parse(claimsOf(await grants.granted({ onRunner: mcp }))).mcp).toEqual(mcp);
    expect(grantClaimsSchema.parse(claimsOf(await grants.granted({ session: 's1' }))).session).toBe('s1');
  });

  it('is signed with the key that signs now', async () => {
    const grant = await grants.granted();
    const [key] = (await grants.keyring.publicSet()).keys;
    if (key === undefined) throw new Error('no key is published');
    expect(decodeProtectedHeader(grant)).toEqual({ alg: 'EdDSA', typ: GRANT_JWS_TYPE, kid: key.kid });
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

  describe('whose row was written with its call', () => {
    const source = { type: 'run', id: newId() } as const;
    const written = (until = 2 * MINUTE): Promise<GrantAhead> =>
      inTenant((tx) => {
        const lease = { since: grants.uow.now, until: grants.uow.now + until };
        return grants.issue.ahead(tx, sampleOrder(grants.tenant, { source }), lease);
      });

    it('counts from the dispatch, for a minute or until its lease ends', async () => {
      const since = grants.uow.now;
      const [long, short] = [await written(), await written(20_000)];
      grants.uow.now += 500;
      expect(claimsOf(await grants.granted({ ahead: long }))).toMatchObject({
        jti: long.id,
        iat: since / 1_000,
        exp: (since + MINUTE) / 1_000,
      });
      expect(claimsOf(await grants.granted({ ahead: short })).exp).toBe((since + 20_000) / 1_000);
      expect(await kept(long.id)).toMatchObject({ issuedAt: since, expiresAt: since + MINUTE, redeemedAt: null });
    });

    it('goes with a transaction that is rolled back', async () => {
      const lost = inTenant(async (tx) => {
        await grants.issue.ahead(tx, sampleOrder(grants.tenant), { since: grants.uow.now, until: Infinity });
        throw new Error('rolled back');
      });
      await expect(lost).rejects.toThrow('rolled back');
      expect(await inTenant((tx) => grants.repository.revokeLive(tx, { kind: 'all' }, 'halt 1', grants.uow.now))).toBe(
        0,
      );
    });

    it('leaves without another transaction, and its redemption heeds a halt that came meanwhile', async () => {
      const ahead = await written();
      const mayLeaveUntil = jest.fn(() => Promise.resolve(null));
      await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'tenant' }, 'halt 1'));
      const grant = await grants.granted({ source, ahead, mayLeaveUntil });
      expect(mayLeaveUntil).not.toHaveBeenCalled();
      expect(await grants.redeemed(grant)).toBe('grant.revoked');
    });

    it.each([
      ['a second', 2 * MINUTE, 1_000],
      ['half of a short lease', 600, 300],
    ])('is asked for again by a call that stood still for %s', async (_, lease, ms) => {
      const ahead = await written(lease);
      grants.passedMs += ms;
      const stays = { ahead, mayLeaveUntil: () => Promise.resolve(null) };
      expect(await grants.issue.execute(sampleOrder(grants.tenant, stays))).toBeNull();
      const until = grants.uow.now + 20_000;
      const claims = claimsOf(await grants.granted({ ahead, mayLeaveUntil: () => Promise.resolve(until) }));
      expect(claims.jti).not.toBe(ahead.id);
      expect(claims.exp).toBe(until / 1_000);
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

    it('locks the call before it looks for its grant, so that two that fetch it at once get the same', async () => {
      const asked: string[] = [];
      const lock = jest.spyOn(grants.repository, 'lock').mockImplementation(() => {
        asked.push('grant');
        return Promise.resolve(null);
      });
      const mayLeaveUntil = (): Promise<number> => {
        asked.push('call');
        return Promise.resolve(Infinity);
      };
      await grants.issue.fetch(sampleOrder(grants.tenant, { mayLeaveUntil }), id);
      lock.mockRestore();
      expect(asked).toEqual(['call', 'grant']);
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
