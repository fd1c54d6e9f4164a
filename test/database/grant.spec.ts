import { createLocalJWKSet } from 'jose';
import { createGrants, createGrantStore, type DispatchOrder } from '#lib/dispatch';
import { digestOf, newId, type TenantId } from '#lib/kernel';
import { GrantError, grantVerifier } from '#lib/sdk';
import type { ToolCallRequest } from '#lib/formats';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { testKeys, testSeals } from '../support/seals.js';

const ISSUER = 'https://countersign.example';
const AUDIENCE = 'fleet';
const SERVER = { audience: AUDIENCE, environment: 'production' };
const callArguments = { assets: ['web-01'], image: 'web-2026.11' };
const call: ToolCallRequest = {
  tool: 'execute_rollout_prod',
  tool_version: 3,
  arguments: callArguments,
  secrets: {},
  idempotency_key: 'step-1',
};

describe('T08: a grant is good for exactly one execution of exactly one call', () => {
  let database: TestDatabase;
  let grants: ReturnType<typeof grantsOf>;
  /** The use cases of grants in one process. */
  const grantsOf = ({ uow }: TestDatabase) =>
    createGrants({ uow, rows: createGrantStore(uow, testKeys().wrapping, testSeals()), issuer: ISSUER });
  const tenantId = newId<TenantId>();
  const otherTenantId = newId<TenantId>();

  beforeAll(async () => {
    database = await testDatabase();
    for (const [id, slug] of [
      [tenantId, 'acme'],
      [otherTenantId, 'globex'],
    ]) {
      await database.owner.query('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, now())', [
        id,
        slug,
      ]);
    }
    grants = grantsOf(database);
  });
  afterAll(() => database.close());

  const order = (changes: Partial<DispatchOrder> = {}): DispatchOrder => ({
    tenantId,
    environment: 'production',
    basis: 'approval',
    source: { type: 'run', id: newId() },
    step: 'step-1',
    attempt: 1,
    tool: { name: call.tool, version: call.tool_version, timeLimitSeconds: 30, idempotent: false },
    executor: {
      name: AUDIENCE,
      kind: 'http',
      url: 'https://fleet.example/',
      audience: AUDIENCE,
      secret: null,
      settings: {},
    },
    arguments: callArguments,
    withSecrets: true,
    argumentsDigest: digestOf('arguments', callArguments),
    planDigest: `sha256:${'0'.repeat(64)}`,
    shell: null,
    idempotencyKey: 'step-1',
    ...changes,
  });

  const verifier = async (
    options: { audience?: string; environments?: string[]; tenants?: string[]; issuer?: string } = {},
  ) => {
    const used = new Set<string>();
    const keys = createLocalJWKSet({ keys: [...(await grants.keys.publicSet()).keys] });
    return grantVerifier({
      issuer: ISSUER,
      audience: AUDIENCE,
      tenants: 'any',
      environments: ['production'],
      keys,
      replay: { use: (jti) => Promise.resolve(!used.has(jti) && used.add(jti).has(jti)) },
      ...options,
    });
  };

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'accepted';
    } catch (error) {
      if (error instanceof GrantError) return error.code;
      throw error;
    }
  };

  const granted = async (sent = order()): Promise<string> => {
    const grant = await grants.issue.execute(sent);
    if (grant === null) throw new Error('no grant was issued');
    return grant;
  };

  it('succeeds once of twenty redemptions at the same time', async () => {
    const grant = await granted();
    const results = await Promise.all(Array.from({ length: 20 }, () => grants.redeem.execute(grant, SERVER)));
    const codes = results.map((result) => (result.ok ? 'ok' : result.error.code)).sort();
    expect(codes).toEqual([...Array.from({ length: 19 }, () => 'grant.already_redeemed'), 'ok']);
  });

  it("is refused after it expired, by the database's clock", async () => {
    // From the transaction that issues it, which may come late.
    let until = 0;
    const grant = await granted(order({ mayLeaveUntil: async (tx) => (until = (await tx.now()) + 200) }));
    while ((await database.uow.run(tenantId, (tx) => tx.now())) < until);
    expect(await grants.redeem.execute(grant, SERVER)).toMatchObject({ ok: false, error: { code: 'grant.expired' } });
  });

  it('is not issued for a call that may not leave any more, and ends when the call may not leave', async () => {
    const now = await database.uow.run(tenantId, (tx) => tx.now());
    expect(await grants.issue.execute(order({ mayLeaveUntil: () => Promise.resolve(null) }))).toBeNull();
    expect(await grants.issue.execute(order({ mayLeaveUntil: () => Promise.resolve(now - 1) }))).toBeNull();
    const runId = newId();
    expect(
      await grants.issue.execute(
        order({ source: { type: 'run', id: runId }, mayLeaveUntil: () => Promise.resolve(now + 20_000) }),
      ),
    ).not.toBeNull();
    const { rows } = await database.owner.query<{ expires_at: Date }>(
      'select expires_at from call_grant where source_id = $1',
      [runId],
    );
    expect(rows.map(({ expires_at }) => expires_at.getTime())).toEqual([now + 20_000]);
  });

  it('is refused for another executor', async () => {
    const grant = await granted();
    expect(await grants.redeem.execute(grant, { ...SERVER, audience: 'elsewhere' })).toMatchObject({
      ok: false,
      error: { code: 'grant.wrong_audience' },
    });
    expect(await codeOf((await verifier({ audience: 'elsewhere' }))(grant, call))).toBe('grant.wrong_audience');
  });

  it('is refused for another environment with the same audience (T37)', async () => {
    const grant = await granted(order({ environment: 'development' }));
    expect(await grants.redeem.execute(grant, SERVER)).toMatchObject({
      ok: false,
      error: { code: 'grant.wrong_environment' },
    });
    expect(await codeOf((await verifier())(grant, call))).toBe('grant.wrong_environment');
    const { rows } = await database.owner.query<{ redeemed_at: Date | null }>(
      'select redeemed_at from call_grant order by issued_at desc limit 1',
    );
    expect(rows).toEqual([{ redeemed_at: null }]);
  });

  it('is refused for another tenant', async () => {
    const grant = await granted();
    expect(await codeOf((await verifier({ tenants: [otherTenantId] }))(grant, call))).toBe('grant.wrong_tenant');
  });

  it('is unknown if its row belongs to another tenant', async () => {
    const grant = await granted();
    const { rows } = await database.owner.query<{ id: string }>(
      'select id from call_grant order by issued_at desc limit 1',
    );
    await database.owner.query('update call_grant set tenant_id = $1 where id = $2', [otherTenantId, rows[0]?.id]);
    expect(await grants.redeem.execute(grant, SERVER)).toMatchObject({ ok: false, error: { code: 'grant.unknown' } });
  });

  it.each([
    ['another tool', { ...call, tool: 'trigger_dr_failover' }, 'grant.wrong_tool'],
    ['another version', { ...call, tool_version: 4 }, 'grant.wrong_tool'],
    ['other arguments (T02)', { ...call, arguments: { ...callArguments, image: 'evil' } }, 'grant.wrong_arguments'],
  ])('is refused by the tool server for %s', async (_, changed, code) => {
    expect(await codeOf((await verifier())(await granted(), changed))).toBe(code);
  });

  it('is accepted by the tool server once, and as it was issued', async () => {
    const verify = await verifier();
    const sent = order();
    const grant = await granted(sent);
    expect(await verify(grant, call)).toMatchObject({
      tenant: tenantId,
      source: sent.source,
      step: 'step-1',
      attempt: 1,
      basis: 'approval',
    });
    expect(await codeOf(verify(grant, call))).toBe('grant.already_redeemed');
  });

  it('is refused with a changed claim, another issuer, no algorithm, or nothing at all', async () => {
    const verify = await verifier();
    const grant = await granted();
    const [header, payload, signature] = grant.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...claims, step: 'step-2' })).toString('base64url');
    const noAlgorithm = Buffer.from('{"alg":"none","typ":"countersign-grant+jwt"}').toString('base64url');
    expect(await codeOf(verify(`${header}.${forged}.${signature}`, call))).toBe('grant.invalid');
    expect(await codeOf(verify(`${noAlgorithm}.${payload}.`, call))).toBe('grant.invalid');
    expect(await codeOf((await verifier({ issuer: 'https://other.example' }))(grant, call))).toBe('grant.wrong_issuer');
    expect(await codeOf(verify(undefined, call))).toBe('grant.missing');
    expect(await grants.redeem.execute(`${header}.${forged}.${signature}`, SERVER)).toMatchObject({
      ok: false,
      error: { code: 'grant.invalid' },
    });
  });

  it("is revoked by a halt before it is used, and a rollback's is not", async () => {
    const source = { type: 'run', id: newId() } as const;
    const running = await granted(order({ source }));
    const rollback = await granted(order({ source, basis: 'rollback' }));
    const revoked = await database.uow.run(tenantId, (tx) =>
      grants.revoker.revoke(tx, { kind: 'sources', sources: [source] }, 'halt of production'),
    );
    expect(revoked).toBe(1);
    expect(await grants.redeem.execute(running, SERVER)).toMatchObject({ ok: false, error: { code: 'grant.revoked' } });
    expect(await grants.redeem.execute(rollback, SERVER)).toMatchObject({ ok: true });
  });

  it('makes one first key, however many processes start at once', async () => {
    await database.owner.query('delete from grant_key');
    const starters = Array.from({ length: 5 }, () => grantsOf(database).keys);
    const keys = await Promise.all(starters.map((starter) => starter.current()));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
  });

  it('publishes the next key before it signs with it', async () => {
    const before = await grants.keys.publicSet();
    const next = await grants.keys.rotate();
    const after = await grants.keys.publicSet();
    expect(after.keys.map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([next.kid, ...before.keys.map(({ kid }) => kid)]),
    );
    const fresh = await grants.keys.current();
    expect(fresh.kid).not.toBe(next.kid);
  });

  it('rotates by age, once, however many workers see that it is time', async () => {
    const count = async (): Promise<number> => (await database.owner.query('select from grant_key')).rowCount ?? 0;
    const month = 30 * 24 * 3_600_000;
    await grants.keys.rotateIfOlderThan(month);
    const before = await count();
    await database.owner.query("update grant_key set active_from = active_from - interval '31 days'");
    const workers = Array.from({ length: 5 }, () => grantsOf(database).keys);
    await Promise.all(workers.map((worker) => worker.rotateIfOlderThan(month)));
    expect(await count()).toBe(before + 1);
    await grants.keys.rotateIfOlderThan(month);
    expect(await count()).toBe(before + 1);
  });
});
