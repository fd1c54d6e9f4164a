import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { RUNNER_PROOF_SECONDS, RUNNER_PROOF_TYPE, type RunnerProofClaims } from '#lib/formats';
import { digestOf, newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { VerifyProof } from './verify-proof.js';

const URL = 'https://countersign.example';
const MAX_PER_MINUTE = 1_200;
const request = { method: 'POST', path: '/v1/runner/hello', bodyDigest: digestOf('request-body', { a: 1 }) };

const refused = (code: string) => ({ ok: false, error: { code } });

/** A runner with a key, and the proofs that it signs. */
async function proofWorld() {
  const { uow, home, other } = fakeWorld();
  const { tenantId } = home;
  const runners = new FakeRunnerRepository(uow);
  const id = newId<RunnerId>();
  const by = home.admin.personId;
  const within = <T>(work: Parameters<typeof uow.run<T>>[1]): Promise<T> => uow.run(tenantId, work);
  await within((tx) =>
    runners.insert(tx, {
      id,
      ...{ name: 'build-01', pool: 'builders', environments: ['staging'], createdBy: by, createdAt: uow.now },
    }),
  );
  const keyed = async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const keyId = newId();
    await within((tx) => runners.insertKey(tx, { id: keyId, runnerId: id, publicKey: x, createdAt: uow.now }));
    return { keyId, privateKey };
  };
  const first = await keyed();
  const verifying = new VerifyProof(uow, runners, URL);
  return {
    uow,
    keyed,
    first,
    elsewhere: other.tenantId,
    verify: (proof: string | undefined) => verifying.execute(proof, request),
    recognise: (proof: string | undefined) => verifying.recognise(proof, request),
    sign: (
      changes: Partial<RunnerProofClaims> = {},
      { keyId, privateKey, typ = RUNNER_PROOF_TYPE }: { keyId: string; privateKey: KeyObject; typ?: string } = first,
    ): Promise<string> => {
      const iat = Math.floor(uow.now / 1_000);
      const claims: RunnerProofClaims = {
        ...{ iss: id, aud: URL, tenant: tenantId, jti: newId(), iat, exp: iat + RUNNER_PROOF_SECONDS },
        ...{ method: 'POST', path: request.path, body_digest: request.bodyDigest },
        ...changes,
      };
      return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'EdDSA', typ, kid: keyId }).sign(privateKey);
    },
    runner: () => within((tx) => runners.find(tx, id)),
    revoke: () => within((tx) => runners.revoke(tx, id, by, uow.now)),
    revokeKey: (keyId: string) => within((tx) => runners.revokeKeys(tx, [keyId], uow.now)),
    goodKeys: () =>
      within(async (tx) =>
        (await runners.keys(tx, id)).filter(({ revokedAt }) => revokedAt === null).map((key) => key.id),
      ),
    useUp: (count: number) =>
      within(async (tx) => {
        for (let used = 0; used < count; used += 1) await runners.useProof(tx, id, newId(), uow.now + 60_000);
      }),
  };
}

describe('the proof of a runner', () => {
  it('is good for its request, and shows that the runner is there', async () => {
    const { verify, sign, first, runner, uow } = await proofWorld();
    expect(await verify(await sign())).toMatchObject({
      ok: true,
      value: { runner: { name: 'build-01' }, keyId: first.keyId },
    });
    expect(await runner()).toMatchObject({ lastSeenAt: uow.now });
  });

  it('counts once', async () => {
    const { verify, sign } = await proofWorld();
    const proof = await sign();
    expect(await verify(proof)).toMatchObject({ ok: true });
    expect(await verify(proof)).toMatchObject(refused('runner.proof_replayed'));
    expect(await verify(await sign())).toMatchObject({ ok: true });
  });

  it('is remembered for as long as the clock of its runner lets it live', async () => {
    const { verify, sign, uow } = await proofWorld();
    const ahead = Math.floor(uow.now / 1_000) + 5;
    const proof = await sign({ iat: ahead, exp: ahead + RUNNER_PROOF_SECONDS });
    expect(await verify(proof)).toMatchObject({ ok: true });
    uow.now += (RUNNER_PROOF_SECONDS + 5) * 1_000 - 1;
    expect(await verify(proof)).toMatchObject(refused('runner.proof_replayed'));
  });

  it('is recognised before the body is read, as often as it comes', async () => {
    const { verify, recognise, sign } = await proofWorld();
    const proof = await sign({ body_digest: digestOf('request-body', 2) });
    expect([await recognise(proof), await recognise(proof)]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await verify(proof)).toMatchObject(refused('runner.proof_mismatch'));
  });

  it.each([
    ['is none', () => undefined],
    ['is no JWS', () => 'proof'],
    ['names no key', ({ sign, first }) => sign({}, { ...first, keyId: 'key' })],
    ['names an unknown key', ({ sign, first }) => sign({}, { ...first, keyId: newId() })],
    [
      'is signed by another key',
      async ({ sign, first, keyed }) => sign({}, { ...(await keyed()), keyId: first.keyId }),
    ],
    ['is of another type', ({ sign, first }) => sign({}, { ...first, typ: 'JWT' })],
    ['names another runner', ({ sign }) => sign({ iss: newId() })],
    ['names another tenant', ({ sign, elsewhere }) => sign({ tenant: elsewhere })],
    ['has a claim more', ({ sign }) => sign({ scope: 'admin' } as object)],
  ] satisfies [string, (world: Awaited<ReturnType<typeof proofWorld>>) => Promise<string> | undefined | string][])(
    'is refused with one answer if it %s',
    async (_how, make) => {
      const world = await proofWorld();
      const proof = await make(world);
      expect(await world.verify(proof)).toMatchObject(refused('runner.proof_refused'));
      expect(await world.recognise(proof)).toMatchObject(refused('runner.proof_refused'));
      expect(await world.runner()).toMatchObject({ lastSeenAt: null });
    },
  );

  it('is refused and used by nobody if it is for another request', async () => {
    const { verify, sign } = await proofWorld();
    const jti = newId();
    expect(await verify(await sign({ jti, path: '/v1/runner/keys' }))).toMatchObject(refused('runner.proof_mismatch'));
    expect(await verify(await sign({ jti }))).toMatchObject({ ok: true });
  });

  it.each(['revoke', 'revokeKey'] as const)('is refused after %s', async (act) => {
    const world = await proofWorld();
    await world[act](world.first.keyId);
    const proof = await world.sign();
    expect(await world.verify(proof)).toMatchObject(refused('runner.revoked'));
    expect(await world.recognise(proof)).toMatchObject(refused('runner.revoked'));
  });

  it('by a later key retires the earlier ones', async () => {
    const { verify, sign, first, keyed, goodKeys, uow } = await proofWorld();
    uow.now += 1_000;
    const next = await keyed();
    await verify(await sign());
    expect(await goodKeys()).toEqual([first.keyId, next.keyId]);
    expect(await verify(await sign({}, next))).toMatchObject({ ok: true });
    expect(await goodKeys()).toEqual([next.keyId]);
    expect(await verify(await sign())).toMatchObject(refused('runner.revoked'));
  });

  it('is refused beyond 1,200 in a minute', async () => {
    const { verify, sign, useUp, uow } = await proofWorld();
    await useUp(MAX_PER_MINUTE - 1);
    expect(await verify(await sign())).toMatchObject({ ok: true });
    expect(await verify(await sign())).toMatchObject(refused('runner.rate_limited'));
    uow.now += (RUNNER_PROOF_SECONDS + 10) * 1_000;
    expect(await verify(await sign())).toMatchObject({ ok: true });
  });
});
