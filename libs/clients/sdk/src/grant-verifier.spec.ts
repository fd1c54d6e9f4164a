import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { GRANT_JWS_TYPE, type GrantClaims, type ToolCallRequest } from '#lib/formats';
import { digestOf } from '#lib/kernel';
import { passedWaits } from '../../../../test/support/passed-waits.js';
import { argumentsWithSecrets, GrantError, grantVerifier, type GrantVerifierOptions } from './grant-verifier.js';

const call: ToolCallRequest = {
  tool: 'execute_rollout_prod',
  tool_version: 2,
  arguments: { targets: ['web-01'], token: { $secret: 'fleet@1' } },
  secrets: { 'fleet@1': 'hunter2' },
  idempotency_key: 'k',
};

const waits = passedWaits();
const now = (): number => Math.floor(Date.now() / 1_000);

const [ACME, GLOBEX] = ['01936f3e-0000-7000-8000-00000000000a', '01936f3e-0000-7000-8000-00000000000b'];

describe('the verifier of grants', () => {
  let key: CryptoKey;
  let strangersKey: CryptoKey;
  let server: Server;
  let issuer: string;
  let redeemed: { readonly status: number; readonly body: unknown };
  let redemptions: unknown[];
  let away: (number | 'broken')[];
  let retryAfter: string;

  beforeAll(async () => {
    const pair = await generateKeyPair('EdDSA');
    key = pair.privateKey;
    strangersKey = (await generateKeyPair('EdDSA')).privateKey;
    const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' }] };
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.url === '/.well-known/jwks.json') return response.end(JSON.stringify(jwks));
        if (request.method === 'GET') return response.writeHead(404).end('{}');
        redemptions.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        const lost = away.shift();
        if (lost === 'broken') return request.socket.destroy();
        if (lost !== undefined) return response.writeHead(lost, { 'retry-after': retryAfter }).end('away');
        response.writeHead(redeemed.status, redeemed.status === 503 ? { 'retry-after': retryAfter } : {});
        return response.end(JSON.stringify(redeemed.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  beforeEach(() => {
    redemptions = [];
    away = [];
    retryAfter = '2';
    redeemed = { status: 200, body: {} };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const claims = (changes: Partial<GrantClaims> = {}): GrantClaims => ({
    iss: issuer,
    aud: 'fleet',
    iat: now(),
    exp: now() + 60,
    jti: 'grant-1',
    tenant: ACME,
    environment: 'production',
    basis: 'approval',
    source: { type: 'run', id: 'run-1' },
    step: 'rollout',
    attempt: 1,
    tool: call.tool,
    tool_version: call.tool_version,
    arguments_digest: digestOf('arguments', call.arguments),
    plan_digest: null,
    shell: null,
    ...changes,
  });

  const sign = (payload: object, signedWith: CryptoKey = key, typ: string = GRANT_JWS_TYPE): Promise<string> =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg: 'EdDSA', typ, kid: 'one' }).sign(signedWith);

  const verifier = (options: Partial<GrantVerifierOptions> = {}) =>
    grantVerifier({
      issuer,
      audience: 'fleet',
      tenants: 'any',
      environments: ['production'],
      replay: 'redeem',
      ...options,
    });

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.catch((caught: unknown) => caught);
    if (error instanceof GrantError) return error.code;
    throw new Error(`expected a refusal, and got ${JSON.stringify(error)}`);
  };

  it('lets a call through that the grant is for, and uses the grant up', async () => {
    const grant = await sign(claims());
    await expect(verifier()(grant, call)).resolves.toMatchObject({ jti: 'grant-1', tenant: ACME });
    expect(redemptions).toEqual([{ grant, audience: 'fleet', environment: 'production' }]);
  });

  it.each([
    ['at which nothing listens', 'http://127.0.0.1:9'],
    ['that publishes no keys', () => `${issuer}/v1/other`],
  ])('says that it cannot read the keys of an issuer %s, and refuses the call', async (_what, wrong) => {
    const elsewhere = typeof wrong === 'string' ? wrong : wrong();
    const error: unknown = await verifier({ issuer: elsewhere })(await sign(claims()), call).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({
      code: 'grant.keys_unreachable',
      message: expect.stringContaining(`${elsewhere}/.well-known/jwks.json`) as string,
    });
    expect(redemptions).toEqual([]);
  });

  it('lets a single call through, which has no plan', async () => {
    const source = { type: 'tool_call', id: 'call-1' } as const;
    const grant = await sign(claims({ source, step: 'call-1', basis: 'policy', plan_digest: null }));
    await expect(verifier()(grant, call)).resolves.toMatchObject({ source, basis: 'policy', plan_digest: null });
  });

  it('T53: hands out the one reading of a command line that may be executed', async () => {
    const shell = { shell: 'bash', tier: 1, tree: digestOf('shell-tree', 'a tree') } as const;
    await expect(verifier()(await sign(claims({ shell })), call)).resolves.toMatchObject({ shell });
  });

  it.each([
    ['Tier 3', { shell: 'bash', tier: 3, tree: digestOf('shell-tree', 'a tree') }],
    ['a tree that is no digest', { shell: 'bash', tier: 1, tree: 'all' }],
    ['nothing, not even null', undefined],
  ])('T53: refuses a grant that says of a command line: %s', async (_what, shell) => {
    expect(await codeOf(verifier()(await sign({ ...claims(), shell }), call))).toBe('grant.invalid');
  });

  it.each<[string, string, Partial<GrantClaims>]>([
    ['grant.wrong_audience', 'another executor', { aud: 'other' }],
    ['grant.wrong_environment', 'another environment', { environment: 'development' }],
    ['grant.expired', 'yesterday', { iat: now() - 90_000, exp: now() - 86_400 }],
    ['grant.wrong_issuer', 'another issuer', { iss: 'https://elsewhere.example' }],
    ['grant.wrong_tool', 'another tool', { tool: 'modify_firewall' }],
    ['grant.wrong_tool', 'another version', { tool_version: 1 }],
    ['grant.wrong_arguments', 'other arguments', { arguments_digest: digestOf('arguments', { targets: ['web-02'] }) }],
  ])('refuses with %s a grant for %s, and does not use it up', async (code, _, changes) => {
    expect(await codeOf(verifier()(await sign(claims(changes)), call))).toBe(code);
    expect(redemptions).toEqual([]);
  });

  it('says which environment a grant is for, and which were expected', async () => {
    const environments = ['production', 'staging'];
    await expect(verifier({ environments })(await sign(claims({ environment: 'development' })), call)).rejects.toThrow(
      'the grant is for the environment "development"; this tool server works in "production" and "staging"',
    );
  });

  it.each<[string, unknown]>([
    ['left out', undefined],
    ['empty', []],
    ['one name instead of a list', 'production'],
    ['any', 'any'],
    ['holding an empty name', ['production', '']],
    ['holding something that is no name', ['production', 1]],
  ])('is not made with environments %s', (_, environments) => {
    const options = { environments } as Partial<GrantVerifierOptions>;
    expect(() => verifier(options)).toThrow(expect.objectContaining({ code: 'verifier.invalid_options' }));
  });

  it.each<[string, object]>([
    ['issuer', { issuer: undefined }],
    ['issuer', { issuer: 'countersign.example' }],
    ['audience', { audience: '' }],
    ['tenants', { tenants: [undefined] }],
    ['tenants', { tenants: [] }],
    ['tenants', { tenants: ['TENANT'] }],
  ])('is not made without its %s, as if a variable of its environment is not set: %j', (name, options) => {
    expect(() => verifier(options)).toThrow(
      expect.objectContaining({
        code: 'verifier.invalid_options',
        message: expect.stringContaining(`needs ${name}`) as string,
      }) as Error,
    );
  });

  it('refuses a call without a grant, with a forged one, and with a token of another kind', async () => {
    expect(await codeOf(verifier()(undefined, call))).toBe('grant.missing');
    expect(await codeOf(verifier()('', call))).toBe('grant.missing');
    expect(await codeOf(verifier()('nonsense', call))).toBe('grant.invalid');
    expect(await codeOf(verifier()(await sign(claims(), strangersKey), call))).toBe('grant.invalid');
    expect(await codeOf(verifier()(await sign(claims(), key, 'JWT'), call))).toBe('grant.invalid');
    expect(await codeOf(verifier()(await sign({ ...claims(), extra: true }), call))).toBe('grant.invalid');
  });

  it('refuses tenants that it does not work for', async () => {
    const grant = await sign(claims());
    expect(await codeOf(verifier({ tenants: [GLOBEX] })(grant, call))).toBe('grant.wrong_tenant');
    await expect(verifier({ tenants: [ACME] })(grant, call)).resolves.toMatchObject({ tenant: ACME });
  });

  it('refuses a grant that Countersign does not redeem', async () => {
    redeemed = { status: 409, body: { code: 'grant.already_redeemed', detail: 'The grant was used before.' } };
    expect(await codeOf(verifier()(await sign(claims()), call))).toBe('grant.already_redeemed');
    redeemed = { status: 503, body: 'down' };
    expect(await codeOf(verifier()(await sign(claims()), call))).toBe('grant.not_redeemed');
  });

  it('asks again if the connection breaks or Countersign is away, and lets the call through once it answers', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    away = ['broken', 429, 503, 504];
    await expect(verifier()(await sign(claims()), call)).resolves.toMatchObject({ jti: 'grant-1' });
    expect(redemptions).toHaveLength(5);
    expect(waits).toEqual([200, 2_000, 2_000, 2_000]);
    jest.restoreAllMocks();
  });

  it('refuses a grant in the words of Countersign if it would have to wait longer than ten seconds', async () => {
    const clock = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => waits.reduce((sum, wait) => sum + wait, clock()));
    const verify = verifier();
    retryAfter = '7';
    redeemed = { status: 503, body: { code: 'database.unavailable', detail: 'The database is away.' } };
    await expect(verify(await sign(claims()), call)).rejects.toMatchObject({
      code: 'grant.not_redeemed',
      message: 'The database is away.',
    });
    expect(redemptions).toHaveLength(2);
    retryAfter = '11';
    expect(await codeOf(verify(await sign(claims()), call))).toBe('grant.not_redeemed');
    expect(redemptions).toHaveLength(3);
    jest.restoreAllMocks();
  });

  it.each([
    ['takes too long each time', { status: 503, body: { code: 'database.too_slow', detail: 'It took too long.' } }],
    ['is refused without a problem document', { status: 500, body: null }],
  ])('asks once if a redemption %s', async (_what, answer) => {
    redeemed = answer;
    expect(await codeOf(verifier()(await sign(claims()), call))).toBe('grant.not_redeemed');
    expect(redemptions).toHaveLength(1);
  });

  it('refuses a grant if the connection breaks each time', async () => {
    away = Array.from({ length: 6 }, () => 'broken');
    expect(await codeOf(verifier()(await sign(claims()), call))).toBe('grant.not_redeemed');
    expect(redemptions).toHaveLength(5);
  });

  it('lets a grant through once with a replay store of one’s own', async () => {
    const seen = new Set<string>();
    const replay = {
      use: (jti: string) => {
        const fresh = !seen.has(jti);
        seen.add(jti);
        return Promise.resolve(fresh);
      },
    };
    const grant = await sign(claims());
    const verify = verifier({ replay });
    await expect(verify(grant, call)).resolves.toMatchObject({ jti: 'grant-1' });
    expect(await codeOf(verify(grant, call))).toBe('grant.already_redeemed');
    expect(redemptions).toEqual([]);
  });
});

it('puts the values of secrets where the arguments name them', () => {
  expect(argumentsWithSecrets(call)).toEqual({ targets: ['web-01'], token: 'hunter2' });
});

it('puts no secret if the arguments hold something that only looks like its name', () => {
  for (const note of [{ $secret: 'fleet@1', shown: true }, { $secret: 'elsewhere@1' }, { $secret: 'constructor' }])
    expect(argumentsWithSecrets({ ...call, arguments: { note } })).toEqual({ note });
});

it('keeps arguments that are nothing but the name of a secret an object', () => {
  const named = { $secret: 'fleet@1' };
  expect(argumentsWithSecrets({ ...call, arguments: named })).toEqual(named);
});
