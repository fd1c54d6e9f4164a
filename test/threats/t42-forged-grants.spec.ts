import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import type { GrantClaims, ToolCallRequest } from '#lib/formats';
import { digestOf, newId } from '#lib/kernel';
import { GrantError, grantVerifier } from '#lib/sdk';
import { serverPort } from '../support/server-port.js';
import { asTenant, FORGED_SEAL, reportOf, reportsOf, type Reports } from '../support/database-login.js';
import { testApi, type TestApi, type TestTenant } from '../support/api.js';

const AUDIENCE = 'fleet';
const call: ToolCallRequest = {
  tool: 'execute_rollout_prod',
  tool_version: 1,
  arguments: { image: 'web-evil', targets: ['web-01'] },
  secrets: {},
  idempotency_key: 'forged',
};
const argumentsDigest = digestOf('arguments', call.arguments);

let api: TestApi;
let tenant: TestTenant;
let issuer: string;
let reports: Reports;

beforeAll(async () => {
  const port = await serverPort();
  issuer = `http://127.0.0.1:${String(port)}`;
  reports = reportsOf();
  api = await testApi({ config: { publicUrl: issuer, logLevel: 'error' }, logTo: reports.logTo });
  await api.app.listen(port, '127.0.0.1');
  tenant = await api.tenant();
});
afterAll(() => api.close());

const published = async (): Promise<string[]> =>
  ((await api.http().get('/.well-known/jwks.json')).body.keys as { kid: string }[]).map(({ kid }) => kid);

/** Steps 1 and 2: a key pair of the attacker's own, as a row of grant_key. */
async function insertKey(): Promise<{ readonly kid: string; readonly privateKey: KeyObject }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  await api.db.app.query(
    `insert into grant_key (kid, public_jwk, wrapping_key_id, nonce, ciphertext, created_at, active_from, seal)
     values ($1, $2, 'k1', $3, $4, now() - interval '1 hour', now() - interval '1 hour', $5)`,
    [kid, JSON.stringify(jwk), randomBytes(12), randomBytes(64), FORGED_SEAL],
  );
  return { kid, privateKey };
}

/** Step 3: a grant that nothing approved. */
async function insertGrant(id: string, seal = FORGED_SEAL): Promise<void> {
  await asTenant(api, tenant, (query) =>
    query(
      `insert into call_grant (tenant_id, id, environment, audience, basis, source_type, source_id, step, attempt, tool, arguments_digest,
         issued_at, expires_at, seal)
       values ($1, $2, 'production', $3, 'approval', 'run', $4, 'step-1', 1, $5, $6, now(), now() + interval '60 seconds', $7)`,
      [tenant.id, id, AUDIENCE, newId(), call.tool, argumentsDigest, seal],
    ),
  );
}

/** Step 4: claims equal to the row. */
const signed = (id: string, { kid, privateKey }: { kid: string; privateKey: KeyObject }): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    iat: now,
    exp: now + 60,
    jti: id,
    tenant: tenant.id,
    environment: 'production',
    basis: 'approval',
    source: { type: 'run', id: newId() },
    step: 'step-1',
    attempt: 1,
    tool: call.tool,
    tool_version: call.tool_version,
    arguments_digest: argumentsDigest,
    plan_digest: `sha256:${createHash('sha256').update('a plan').digest('hex')}`,
    shell: null,
  } satisfies GrantClaims;
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'countersign-grant+jwt', kid }).sign(privateKey);
};

const serverSays = async (grant: string): Promise<string> => {
  const verify = grantVerifier({
    issuer,
    audience: AUDIENCE,
    environments: ['production'],
    tenants: 'any',
    replay: 'redeem',
  });
  return verify(grant, call).then(
    () => 'accepted',
    (error: unknown) => (error instanceof GrantError ? error.code : String(error)),
  );
};

const redeemed = async (grant: string): Promise<unknown[]> => {
  const { status, body } = await api
    .http()
    .post('/v1/grants/redeem', { grant, audience: AUDIENCE, environment: 'production' });
  return [status, String(body.code)];
};

describe('T42: a database login without the keyring makes a grant', () => {
  it('of a key of its own, which is neither published nor accepted', async () => {
    const before = await published();
    const own = await insertKey();
    expect(await published()).toEqual(before);
    const id = newId();
    await insertGrant(id);
    const grant = await signed(id, own);
    expect(await serverSays(grant)).toBe('grant.invalid');
    expect(await redeemed(grant)).toEqual([403, 'grant.invalid']);
    expect(await reportOf(api, reports, 'grant_key', own.kid)).toMatchObject({ logged: 1 });
  });

  it('with a row that is refused even if the signature were right', async () => {
    const key = await api.installation.dispatch.keys.current();
    const real = {
      kid: key.kid,
      privateKey: createPrivateKey({ key: Buffer.from(key.privateKey), format: 'der', type: 'pkcs8' }),
    };
    const id = newId();
    await insertGrant(id);
    expect(await redeemed(await signed(id, real))).toEqual([403, 'record.not_authentic']);
    const report = await reportOf(api, reports, 'call_grant', id, tenant);
    expect(report).toMatchObject({ logged: 1, audited: 1 });
    expect(report.counted).toBeGreaterThan(0);
  });

  it('with a seal that was another grant’s', async () => {
    const key = await api.installation.dispatch.keys.current();
    const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey), format: 'der', type: 'pkcs8' });
    const { rows } = await api.db.owner.query<{ seal: string }>('select seal from grant_key where kid = $1', [key.kid]);
    const id = newId();
    await insertGrant(id, rows[0]?.seal);
    expect(await redeemed(await signed(id, { kid: key.kid, privateKey }))).toEqual([403, 'record.not_authentic']);
  });
});
