import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { GRANT_JWS_TYPE } from '#lib/formats';
import { newId, type Tx } from '#lib/kernel';
import { KEY_PUBLICATION_LEAD_MS } from '../domain/grant-key.js';
import { sampleOrder } from './fake-grant.js';
import { claimsOf, FakeGrants } from './fake-grants.js';

const SOURCE = { type: 'run', id: newId() } as const;

describe('redeeming a grant (T08)', () => {
  let grants: FakeGrants;
  beforeEach(() => {
    grants = new FakeGrants();
  });
  const inTenant = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => grants.uow.run(grants.tenant.tenantId, work);
  /** These claims, really signed with the key that signs now. */
  const signed = async (claims: Record<string, unknown>): Promise<string> => {
    const { kid, privateKey } = await grants.keyring.current();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: GRANT_JWS_TYPE, kid })
      .sign(createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' }));
  };

  it('gives its claims to the executor that it is for', async () => {
    const grant = await grants.granted();
    const server = { audience: 'fleet', environment: 'production' };
    expect(await grants.redeem.execute(grant, server)).toEqual({ ok: true, value: claimsOf(grant) });
  });

  it('succeeds once of twenty at the same time', async () => {
    const grant = await grants.granted();
    const codes = await Promise.all(Array.from({ length: 20 }, () => grants.redeemed(grant)));
    expect(codes.sort()).toEqual([...Array.from({ length: 19 }, () => 'grant.already_redeemed'), 'ok']);
  });

  it.each([
    ['another audience', { audience: 'elsewhere' }, 'grant.wrong_audience'],
    ['another environment (T37)', { environment: 'staging' }, 'grant.wrong_environment'],
  ])('is refused for %s, and leaves the grant as it was', async (_, server, code) => {
    const grant = await grants.granted();
    expect(await grants.redeemed(grant, server)).toBe(code);
    expect(await grants.redeemed(grant)).toBe('ok');
  });

  it('is refused from the moment on in which the grant expires', async () => {
    const [first, second] = [await grants.granted(), await grants.granted()];
    grants.uow.now += 60_000 - 1;
    expect(await grants.redeemed(first)).toBe('ok');
    grants.uow.now += 1;
    expect(await grants.redeemed(second)).toBe('grant.expired');
  });

  it('is refused after a halt revoked the grant', async () => {
    const grant = await grants.granted();
    await inTenant((tx) => grants.revoke.revoke(tx, { kind: 'tool', tool: 'rollout' }, 'halt 1'));
    expect(await grants.redeemed(grant)).toBe('grant.revoked');
  });

  it('is refused for a grant that was signed and never issued', async () => {
    const claims = claimsOf(await grants.granted());
    expect(await grants.redeemed(await signed({ ...claims, jti: newId() }))).toBe('grant.unknown');
    expect(await grants.redeemed(await signed({ ...claims, tenant: newId() }))).toBe('grant.unknown');
  });

  it.each([
    ['tool', 'another'],
    ['arguments_digest', `sha256:${'0'.repeat(64)}`],
    ['step', 'step-2'],
    ['attempt', 2],
    ['source', { type: 'run', id: newId() }],
    ['source', { type: 'simulation', id: SOURCE.id }],
  ])('is refused if the signed %s is not the one that was issued under its id', async (claim, value) => {
    const claims = claimsOf(await grants.granted({ source: SOURCE }));
    expect(await grants.redeemed(await signed({ ...claims, [claim]: value }))).toBe('grant.mismatch');
  });

  it.each([
    ['aud', { audience: 'elsewhere' }],
    ['environment', { environment: 'elsewhere' }],
  ])('is refused if the signed %s is not the one that was issued under its id', async (claim, server) => {
    const claims = claimsOf(await grants.granted());
    expect(await grants.redeemed(await signed({ ...claims, [claim]: 'elsewhere' }), server)).toBe('grant.mismatch');
  });

  it('is refused for a changed claim, another key, no algorithm, and a text that is no grant', async () => {
    const grant = await grants.granted();
    const [header = '', payload = '', signature = ''] = grant.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claimsOf(grant), step: 'step-2' })).toString('base64url');
    const kidOf = (kid: string, alg: string): string => Buffer.from(JSON.stringify({ alg, kid })).toString('base64url');
    const { kid } = await grants.keyring.current();
    const elsewhere = await new FakeGrants().granted(sampleOrder(grants.tenant));
    for (const forgery of [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.`,
      `${kidOf('another', 'EdDSA')}.${payload}.${signature}`,
      `${kidOf(kid, 'none')}.${payload}.`,
      elsewhere,
      await signed({ ...claimsOf(grant), more: true }),
      await signed({ ...claimsOf(grant), tenant: 'acme' }),
      await signed({ ...claimsOf(grant), jti: 'one' }),
      'not a grant',
      '',
    ])
      expect(await grants.redeemed(forgery)).toBe('grant.invalid');
    expect(await grants.redeemed(grant)).toBe('ok');
  });

  it('is neither refused nor used up if the keys cannot be read: that says nothing about the grant', async () => {
    const grant = await grants.granted();
    const list = jest.spyOn(grants.keys, 'list').mockRejectedValueOnce(new Error('the database is away'));
    await expect(grants.redeemed(grant)).rejects.toThrow('the database is away');
    list.mockRestore();
    expect(await grants.redeemed(grant)).toBe('ok');
  });

  it('still succeeds after another key has begun to sign', async () => {
    await grants.keyring.rotate();
    grants.uow.now += KEY_PUBLICATION_LEAD_MS - 1;
    const grant = await grants.granted();
    grants.uow.now += 30_000;
    const next = await grants.granted();
    expect(next.split('.')[0]).not.toBe(grant.split('.')[0]);
    expect(await grants.redeemed(next)).toBe('ok');
    expect(await grants.redeemed(grant)).toBe('ok');
  });
});
