import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolCallResponse } from '#lib/formats';
import { digestOf, FailureError, newId, type TenantId } from '#lib/kernel';
import { describeToolDispatcher } from '../../application/tool-dispatcher.contract.js';
import type {
  Dispatched,
  DispatchOrder,
  DispatchOutcome,
  ToolDispatcher,
} from '../../application/tool-dispatcher.port.js';
import type { SecretResolver, WantedSecret } from '../../application/secret-resolver.port.js';
import { TenantAgents } from '../../adapters/tenant-agents.js';
import { FakeRunnerCalls } from '../../application/fake-runner-calls.js';
import type { WayOut } from '../executor-kind.js';
import { ExecutorDispatcher } from '../executor-dispatcher.js';
import { httpKind } from './http-kind.js';

const secrets: SecretResolver = {
  resolveAll: (_, wanted) => {
    asked.push(...wanted);
    const references = wanted.map(({ reference }) => reference);
    if (references.includes('missing@1')) return Promise.reject(new Error('no such secret'));
    if (references.includes('unbound@1')) return Promise.reject(new FailureError(notBound));
    return Promise.resolve(new Map(references.map((reference) => [reference, `value of ${reference}`])));
  },
};
/** The secrets that the vault was asked for, in order. */
const asked: WantedSecret[] = [];
const notBound = {
  kind: 'unprocessable',
  code: 'secret.not_bound',
  message: 'The secret unbound is not for this.',
  action: 'Bind it.',
} as const;
const acme = newId<TenantId>();
const issueGrant = { execute: () => Promise.resolve('a.signed.grant') };
const dispatcherFor = (agents: TenantAgents, issuing: WayOut['issueGrant'] = issueGrant): ToolDispatcher =>
  new ExecutorDispatcher([httpKind], { issueGrant: issuing, secrets, agents, runnerCalls: new FakeRunnerCalls() });

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('calling an http executor', () => {
  let server: Server;
  let listener: RequestListener;
  let origin: string;
  let port: number;

  beforeAll(async () => {
    server = createServer((request, response) => {
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    origin = `http://127.0.0.1:${String(port)}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const order = (changes: Partial<DispatchOrder> = {}): DispatchOrder => {
    const callArguments = changes.arguments ?? { assets: ['web-01'] };
    return {
      tenantId: newId(),
      environment: 'production',
      basis: 'approval',
      source: { type: 'run', id: newId() },
      step: 'step-1',
      attempt: 1,
      tool: { name: 'execute_rollout_prod', version: 1, timeLimitSeconds: 5, idempotent: false },
      executor: { name: 'fleet', kind: 'http', url: `${origin}/tools`, audience: 'fleet', secret: null, settings: {} },
      arguments: callArguments,
      withSecrets: true,
      argumentsDigest: digestOf('arguments', callArguments),
      planDigest: null,
      shell: null,
      idempotencyKey: 'key-1',
      ...changes,
    };
  };
  const agents = (allowed: readonly string[]): TenantAgents =>
    new TenantAgents(allowed, (tenantId) => Promise.resolve(tenantId === acme ? 'acme' : 'globex'));
  const dispatch = (
    changes: Partial<DispatchOrder> = {},
    allowed = [`127.0.0.1:${String(port)}`],
  ): Promise<Dispatched> => dispatcherFor(agents(allowed)).dispatch(order(changes));
  const answering =
    (status: number, body: string): RequestListener =>
    (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
  const executorAt = (url: string): Partial<DispatchOrder> => ({
    executor: { name: 'fleet', kind: 'http', url, audience: 'fleet', secret: null, settings: {} },
  });

  it('sends the call as approved, the grant in a header, and secrets beside the arguments, never in the URL', async () => {
    const seen: { url?: string | undefined; grant?: unknown; authorization?: unknown; body?: unknown } = {};
    listener = (request, response) => {
      void bodyOf(request).then((body) => {
        const { url, headers } = request;
        Object.assign(seen, {
          url,
          grant: headers['countersign-grant'],
          authorization: headers.authorization,
          body: JSON.parse(body),
        });
        response.writeHead(200).end('{"ok":true,"result":{"token":"value of api@2","done":1}}');
      });
    };
    const outcome = await dispatch({
      arguments: { assets: ['web-01'], token: { $secret: 'api@2' } },
      executor: {
        name: 'fleet',
        kind: 'http',
        url: `${origin}/tools`,
        audience: 'fleet',
        secret: 'bearer@1',
        settings: {},
      },
    });
    expect(outcome).toEqual({ kind: 'succeeded', result: { token: '[secret api@2]', done: 1 } });
    expect(seen).toEqual({
      url: '/tools',
      grant: 'a.signed.grant',
      authorization: 'Bearer value of bearer@1',
      body: {
        tool: 'execute_rollout_prod',
        tool_version: 1,
        arguments: { assets: ['web-01'], token: { $secret: 'api@2' } },
        secrets: { 'api@2': 'value of api@2' },
        idempotency_key: 'key-1',
      },
    });
  });

  it.each<[string, number, string, DispatchOutcome['kind'], string]>([
    [
      'a failure that changed nothing',
      200,
      '{"ok":false,"effect":"not_started","error":{"code":"x","message":"m"}}',
      'failed',
      'x',
    ],
    [
      'a failure after the change',
      200,
      '{"ok":false,"effect":"done","error":{"code":"x","message":"m"}}',
      'failed',
      'x',
    ],
    [
      'a failure that may have changed something',
      200,
      '{"ok":false,"effect":"unknown","error":{"code":"x","message":"m"}}',
      'unknown',
      'x',
    ],
    ['a refusal of the request', 403, '{}', 'failed', 'dispatch.refused'],
    ['a timeout that a proxy answers with', 408, '{}', 'unknown', 'dispatch.bad_status'],
    ['a server error', 500, '{}', 'unknown', 'dispatch.bad_status'],
    ['a status nobody asked for', 204, '', 'unknown', 'dispatch.bad_status'],
    ['something that is not JSON', 200, '<html>', 'unknown', 'dispatch.bad_answer'],
    ['JSON of another shape', 200, '{"ok":"yes"}', 'unknown', 'dispatch.bad_answer'],
    ['a key that stands twice', 200, '{"ok":false,"ok":true,"result":1}', 'unknown', 'dispatch.bad_answer'],
    [
      'more than a mebibyte',
      200,
      JSON.stringify({ ok: true, result: 'x'.repeat(1_048_577) }),
      'unknown',
      'dispatch.bad_answer',
    ],
  ])('reads %s', async (_, status, body, kind, code) => {
    listener = answering(status, body);
    expect(await dispatch()).toMatchObject({ kind, error: { code } });
  });

  it.each([
    [
      '{"code":"grant.issuer","detail":"The grant names another issuer."}',
      ': grant.issuer: The grant names another issuer.',
    ],
    ['{"message":"No value of api@2 here."}', ': No [secret api@2] here.'],
    ['{"code":7}', '.'],
    [`{"detail":"${'x'.repeat(1_001)}"}`, '.'],
    ['<html>', '.'],
  ])('says why an executor refused, if it says so readably (%#)', async (body, why) => {
    listener = answering(403, body);
    expect(await dispatch({ arguments: { token: { $secret: 'api@2' } } })).toEqual({
      kind: 'failed',
      effect: 'not_started',
      error: { code: 'dispatch.refused', message: `Executor fleet answered with status 403${why}` },
    });
  });

  it('is unknown if the answer does not come in time', async () => {
    listener = (request) => {
      request.resume();
    };
    const outcome = await dispatch({
      tool: { name: 'execute_rollout_prod', version: 1, timeLimitSeconds: 0.2, idempotent: false },
    });
    expect(outcome).toMatchObject({ kind: 'unknown', error: { code: 'dispatch.timed_out' } });
  });

  it('is unknown if the connection breaks after the request', async () => {
    listener = (request) => {
      request.socket.destroy();
    };
    expect(await dispatch()).toMatchObject({ kind: 'unknown', error: { code: 'dispatch.connection_lost' } });
  });

  it('has not started if no server listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const nobody = `127.0.0.1:${String((closed.address() as AddressInfo).port)}`;
    await new Promise((resolve) => closed.close(resolve));
    const outcome = await dispatch(executorAt(`http://${nobody}/`), [nobody]);
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'not_started', error: { code: 'dispatch.unreachable' } });
  });

  describe('T31: addresses', () => {
    let called: number;
    beforeEach(() => {
      called = 0;
      listener = (request, response) => {
        called += 1;
        answering(200, '{"ok":true,"result":null}')(request, response);
      };
    });

    it.each([
      ['a loopback address', () => `http://127.0.0.1:${String(port)}/`],
      ['a loopback address in IPv6', () => `http://[::1]:${String(port)}/`],
      ['a loopback address mapped into IPv6', () => `http://[::ffff:127.0.0.1]:${String(port)}/`],
      ['a loopback address as one number', () => `http://2130706433:${String(port)}/`],
      ['a name that resolves to one', () => `http://localhost:${String(port)}/`],
      ['the metadata address', () => 'http://169.254.169.254/latest/meta-data/'],
      ['the host that means all', () => `http://0.0.0.0:${String(port)}/`],
    ])('refuses %s at connect, and sends nothing', async (_, url) => {
      const outcome = await dispatch(executorAt(url()), []);
      expect(outcome).toMatchObject({
        kind: 'failed',
        effect: 'not_started',
        error: { code: 'dispatch.address_refused' },
      });
      expect(called).toBe(0);
    });

    it('connects to a host that the operator allowed, and only to that port', async () => {
      expect(await dispatch()).toEqual({ kind: 'succeeded', result: null });
      expect(await dispatch({}, ['127.0.0.1:1'])).toMatchObject({ error: { code: 'dispatch.address_refused' } });
      expect(called).toBe(1);
    });

    it('connects to a host that the operator allowed one tenant for that tenant alone', async () => {
      const allowed = [`acme=127.0.0.1:${String(port)}`, 'globex=127.0.0.1:1'];
      expect(await dispatch({ tenantId: acme }, allowed)).toEqual({ kind: 'succeeded', result: null });
      const refused = { kind: 'failed', effect: 'not_started', error: { code: 'dispatch.address_refused' } };
      expect(await dispatch({}, allowed)).toMatchObject(refused);
      expect(await dispatch({}, allowed.slice(0, 1))).toMatchObject(refused);
      expect(called).toBe(1);
    });

    it('does not follow a redirect', async () => {
      let redirected = 0;
      listener = (request, response) => {
        request.resume();
        if (request.url === '/next') redirected += 1;
        response.writeHead(307, { location: `${origin}/next` }).end();
      };
      expect(await dispatch()).toMatchObject({ kind: 'failed', error: { code: 'dispatch.refused' } });
      expect(redirected).toBe(0);
    });
  });

  describe('connections', () => {
    const CALLS = 6;
    const IDEMPOTENT = { name: 'query_assets', version: 1, timeLimitSeconds: 5, idempotent: true };
    let opened: number;
    const count = (): void => {
      opened += 1;
    };
    beforeEach(() => {
      opened = 0;
      server.on('connection', count);
      listener = answering(200, '{"ok":true,"result":null}');
    });
    afterEach(() => server.off('connection', count));
    const calling = (allowed: TenantAgents): ((changes?: Partial<DispatchOrder>) => Promise<Dispatched>) => {
      const dispatcher = dispatcherFor(allowed);
      return (changes = {}) => dispatcher.dispatch(order(changes));
    };
    const here = (): TenantAgents => agents([`127.0.0.1:${String(port)}`]);

    it('are kept for calls that may be repeated, and each other call has its own', async () => {
      const [call, tenantId] = [calling(here()), newId<TenantId>()];
      for (let each = 0; each < CALLS; each += 1) await call({ tenantId, tool: IDEMPOTENT });
      expect(opened).toBeLessThan(CALLS / 2);
      opened = 0;
      for (let each = 0; each < CALLS; each += 1) await call({ tenantId });
      expect(opened).toBe(CALLS);
    });

    it('are kept for one tenant alone', async () => {
      const call = calling(here());
      for (let each = 0; each < CALLS; each += 1) await call({ tenantId: newId<TenantId>(), tool: IDEMPOTENT });
      expect(opened).toBe(CALLS);
    });

    it('that break leave a call unknown, and send it once, whether it may be repeated or not', async () => {
      const [call, tenantId] = [calling(here()), newId<TenantId>()];
      for (let each = 0; each < CALLS; each += 1) await call({ tenantId, tool: IDEMPOTENT });
      let received = 0;
      listener = (incoming) => {
        received += 1;
        incoming.socket.destroy();
      };
      const lost = { kind: 'unknown', error: { code: 'dispatch.connection_lost' } };
      expect(await call({ tenantId, tool: IDEMPOTENT })).toMatchObject(lost);
      expect(await call({ tenantId })).toMatchObject(lost);
      expect(received).toBe(2);
    });
  });

  it('T02: sends nothing when the arguments are not those whose digest was approved', async () => {
    let called = 0;
    listener = () => {
      called += 1;
    };
    const outcome = await dispatch({ argumentsDigest: digestOf('arguments', { assets: ['web-02'] }) });
    expect(outcome).toMatchObject({
      kind: 'failed',
      effect: 'not_started',
      error: { code: 'dispatch.arguments_changed' },
    });
    expect(called).toBe(0);
  });

  it('T32: takes secrets out of the name of a failure, too', async () => {
    listener = answering(
      200,
      '{"ok":false,"effect":"done","error":{"code":"value of api@2","message":"no value of api@2"}}',
    );
    expect(await dispatch({ arguments: { token: { $secret: 'api@2' } } })).toMatchObject({
      error: { code: '[secret api@2]', message: 'no [secret api@2]' },
    });
  });

  it('sends nothing if no grant is issued any more', async () => {
    let called = 0;
    listener = () => {
      called += 1;
    };
    const late = dispatcherFor(agents([`127.0.0.1:${String(port)}`]), { execute: () => Promise.resolve(null) });
    expect(await late.dispatch(order())).toMatchObject({
      effect: 'not_started',
      error: { code: 'dispatch.overtaken' },
    });
    expect(called).toBe(0);
  });

  it('T38: asks for each secret where it would go: arguments to the tool, the token to the executor', async () => {
    listener = (_request, response) => response.end('{"ok":true,"result":null}');
    asked.length = 0;
    await dispatch({
      arguments: { token: { $secret: 'api@2' } },
      executor: {
        name: 'fleet',
        kind: 'http',
        url: `${origin}/tools`,
        audience: 'fleet',
        secret: 'bearer@1',
        settings: {},
      },
    });
    const receiver = { environment: 'production', executor: 'fleet' };
    expect(asked).toEqual([
      { reference: 'api@2', use: { purpose: 'tool_arguments', ...receiver, tool: 'execute_rollout_prod' } },
      { reference: 'bearer@1', use: { purpose: 'executor_token', ...receiver } },
    ]);
  });

  it('T38: sends nothing when a secret is not bound to where it would go', async () => {
    let called = false;
    listener = (_request, response) => {
      called = true;
      response.end();
    };
    expect(await dispatch({ arguments: { token: { $secret: 'unbound@1' } } })).toEqual({
      kind: 'failed',
      effect: 'not_started',
      error: { code: 'dispatch.secret_not_bound', message: 'The secret unbound is not for this. Nothing was sent.' },
    });
    expect(called).toBe(false);
  });

  it('T38: sends no secret of the arguments with a call that is to have none', async () => {
    let body = '';
    listener = (request, response) => {
      void bodyOf(request).then((text) => {
        body = text;
        response.end('{"ok":true,"result":null}');
      });
    };
    const given = { token: { $secret: 'unbound@1' } };
    expect(await dispatch({ arguments: given, withSecrets: false })).toMatchObject({ kind: 'succeeded' });
    expect(JSON.parse(body)).toMatchObject({ arguments: given, secrets: {} });
  });

  it('sends nothing when a secret cannot be read', async () => {
    const outcome = await dispatch({ arguments: { token: { $secret: 'missing@1' } } });
    expect(outcome).toMatchObject({
      kind: 'failed',
      effect: 'not_started',
      error: { code: 'dispatch.secret_unavailable' },
    });
  });

  it('refuses kinds of executor that it does not speak', async () => {
    const executor = { name: 'laptop', kind: 'agent', url: '', audience: 'laptop', secret: null, settings: {} };
    expect(await dispatch({ executor })).toMatchObject({ error: { code: 'dispatch.executor_unsupported' } });
  });
});

describeToolDispatcher('httpKind', httpKind, async () => {
  let answer: ToolCallResponse | 'dies' = 'dies';
  const server = createServer((request, response) => {
    if (answer === 'dies') response.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const agents = new TenantAgents([host], () => Promise.resolve('acme'));
  return {
    dispatcher: dispatcherFor(agents),
    executor: { url: `http://${host}/tools` },
    answers: (next) => {
      answer = next;
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
});
