import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { passedWaits } from '../../../../test/support/passed-waits.js';
import { serverPort } from '../../../../test/support/server-port.js';
import { CountersignClient } from './client.js';
import { CountersignError, Transport, type TransportOptions } from './transport.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** The pauses before another attempt. */
const waits = passedWaits();

let server: Server;
let baseUrl: string;
let handlers: Handler[];
let received: Received[];

const problem = (status: number, code: string, more: Readonly<Record<string, unknown>> = {}) => ({
  type: `urn:countersign:problem:${code}`,
  title: 'Refused',
  status,
  detail: 'It was refused.',
  code,
  instance: 'urn:countersign:request:1',
  ...more,
});

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

const hangUp: Handler = (request) => {
  request.socket.destroy();
};

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    const handler = handlers.shift() ?? answer(500, problem(500, 'test.unexpected'));
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  handlers = [];
  received = [];
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const refusal = async (work: Promise<unknown>): Promise<CountersignError> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof CountersignError) return error;
  throw new Error(`expected a refusal, and got ${JSON.stringify(error)}`);
};

describe('Transport', () => {
  it('sends a POST again after a broken connection, under the same idempotency key', async () => {
    handlers = [hangUp, answer(201, { id: 'made' })];
    const transport = new Transport({ baseUrl, token: 'secret' });
    await expect(transport.json('POST', '/v1/tasks', { body: {} })).resolves.toEqual({ id: 'made' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(received[0]?.headers.authorization).toBe('Bearer secret');
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(200);
    expect(waits[0]).toBeLessThanOrEqual(400);
  });

  it.each([200, 503])('reads no answer with status %i beyond its bound, and asks for it once', async (status) => {
    handlers = [answer(status, 'x'.repeat(100))];
    const error = await refusal(new Transport({ baseUrl, maxAnswerBytes: 100 }).json('GET', '/v1/me'));
    expect([error.code, error.message]).toEqual([
      'connection.answer_too_long',
      'The answer is longer than 100 bytes. Ask for less, or raise maxAnswerBytes.',
    ]);
    expect(received).toHaveLength(1);
  });

  it('gives every request a key of its own', async () => {
    handlers = [answer(201, {}), answer(201, {})];
    const transport = new Transport({ baseUrl });
    await transport.json('POST', '/v1/tasks', { body: {} });
    await transport.json('POST', '/v1/tasks', { body: {} });
    expect(received[0]?.headers['idempotency-key']).not.toBe(received[1]?.headers['idempotency-key']);
  });

  it('waits as long as Retry-After says', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    handlers = [answer(429, problem(429, 'rate.limited'), { 'retry-after': '1' }), answer(200, { ok: true })];
    await expect(new Transport({ baseUrl }).json('GET', '/v1/me')).resolves.toEqual({ ok: true });
    expect(waits).toEqual([1_100]);
  });

  it('asks again while the first request of its key is still at work', async () => {
    handlers = [answer(409, problem(409, 'idempotency.in_progress')), answer(201, { id: 'made' })];
    await expect(new Transport({ baseUrl }).json('POST', '/v1/tasks', { body: {} })).resolves.toEqual({ id: 'made' });
  });

  it.each([400, 401, 403, 404, 409, 422, 500])('does not repeat a request refused with %i', async (status) => {
    handlers = [answer(status, problem(status, 'test.refused'))];
    const error = await refusal(new Transport({ baseUrl }).json('POST', '/v1/tasks', { body: {} }));
    expect(error).toMatchObject({ status, code: 'test.refused' });
    expect(received).toHaveLength(1);
  });

  it('does not repeat a request if its statement took too long', async () => {
    handlers = [answer(503, problem(503, 'database.too_slow'), { 'retry-after': '5' })];
    const error = await refusal(new Transport({ baseUrl }).json('GET', '/v1/tasks'));
    expect(error.code).toBe('database.too_slow');
    expect(received).toHaveLength(1);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('does not repeat a %s after its answer was lost', async (method) => {
    handlers = [hangUp];
    const error = await refusal(new Transport({ baseUrl }).json(method, '/v1/autonomy', { yaml: 'autonomy: {}' }));
    expect(error.code).toBe('connection.failed');
    expect(received).toHaveLength(1);
    expect(received[0]?.headers['content-type']).toBe('application/yaml');
  });

  it('repeats a DELETE that had no turn', async () => {
    handlers = [answer(429, problem(429, 'rate.limited')), answer(204, '')];
    await expect(new Transport({ baseUrl }).json('DELETE', '/v1/webhooks/1')).resolves.toBeUndefined();
  });

  it('ends at once if it is told to wait longer than ten seconds', async () => {
    handlers = [
      answer(503, problem(503, 'database.busy'), { 'retry-after': '9' }),
      answer(503, problem(503, 'database.busy'), { 'retry-after': '11' }),
    ];
    const error = await refusal(new Transport({ baseUrl }).json('GET', '/v1/me'));
    expect(error.problem.retry_after_seconds).toBe(11);
    expect(received).toHaveLength(2);
  });

  it('sends a request again for as long as ten seconds leave room, however often that is', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    handlers = [...Array.from({ length: 5 }, () => hangUp), answer(200, { ok: true })];
    await expect(new Transport({ baseUrl }).json('GET', '/v1/me')).resolves.toEqual({ ok: true });
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200]);
  });

  it('gives up after so many attempts', async () => {
    handlers = [hangUp, hangUp];
    const error = await refusal(new Transport({ baseUrl, attempts: 2 }).json('GET', '/v1/me'));
    expect(error).toMatchObject({ status: 0, code: 'connection.failed' });
    expect(received).toHaveLength(2);
  });

  it('carries the whole problem document', async () => {
    const reasons = [{ code: 'plan.denied', message: 'No.', rule: 'countersign.plan' }];
    const errors = [{ pointer: '/goal', code: 'too_small', message: 'must not be empty' }];
    const details = { plan_id: 'p' };
    handlers = [answer(403, problem(403, 'policy.denied', { reasons, errors, action: 'Ask.', details }))];
    const error = await refusal(new Transport({ baseUrl }).json('GET', '/v1/me'));
    expect(error.problem).toMatchObject({ reasons, errors, action: 'Ask.', details });
    expect(error.message).toBe('It was refused. Ask.');
  });

  it('says so when something else answers', async () => {
    handlers = [
      (_, response) => {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
      },
    ];
    const error = await refusal(new Transport({ baseUrl }).json('GET', '/v1/me'));
    expect(error).toMatchObject({ status: 404, code: 'connection.unexpected_answer' });
  });

  it('follows no redirect: the credential goes to its own server alone', async () => {
    handlers = [
      (_, response) => {
        response.writeHead(307, { location: `${baseUrl}/elsewhere` }).end();
      },
    ];
    const error = await refusal(new Transport({ baseUrl, attempts: 1, token: 'secret' }).json('GET', '/v1/me'));
    expect(error.code).toBe('connection.failed');
    expect(received.map(({ path }) => path)).toEqual(['/v1/me']);
  });

  it('sends a request again if its answer broke off, and tells a break as an error of its own', async () => {
    const breakOff: Handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"id":', () => response.destroy());
    };
    handlers = [breakOff, answer(200, { id: 'whole' })];
    await expect(new Transport({ baseUrl }).json('GET', '/v1/me')).resolves.toEqual({ id: 'whole' });
    handlers = [breakOff];
    const error = await refusal(new Transport({ baseUrl, attempts: 1 }).json('GET', '/v1/me'));
    expect(error.code).toBe('connection.failed');
  });

  it('names the reason for which an address cannot be reached', async () => {
    const address = `127.0.0.1:${String(await serverPort())}`;
    const error = await refusal(new Transport({ baseUrl: `http://${address}`, attempts: 1 }).json('GET', '/v1/me'));
    expect(error.message).toContain(`http://${address} cannot be reached (connect ECONNREFUSED ${address}).`);
  });

  it('waits longer for an answer that it lets the server hold', async () => {
    const limits = jest.spyOn(AbortSignal, 'timeout');
    handlers = [answer(200, {}), answer(200, {})];
    const transport = new Transport({ baseUrl, timeoutMs: 5_000 });
    await transport.json('GET', '/v1/tool-calls/1', { query: { wait_seconds: 60 } });
    await transport.json('GET', '/v1/me');
    expect(limits.mock.calls).toEqual([[65_000], [5_000]]);
    limits.mockRestore();
  });

  it('leaves out query members that are undefined', async () => {
    handlers = [answer(200, {})];
    await new Transport({ baseUrl }).json('GET', '/v1/tasks', { query: { limit: 2, state: undefined } });
    expect(received[0]?.path).toBe('/v1/tasks?limit=2');
  });
});

describe('CountersignClient.runs.events', () => {
  const stream =
    (text: string, end: 'end' | 'break'): Handler =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text, () => {
        if (end === 'end') response.end();
        else response.destroy();
      });
    };
  const actor = { kind: 'system', id: '1', display_name: 'worker', credential_id: null, on_behalf_of: null };
  const event = (seq: number): string => {
    const data = { seq, type: 'run.waiting', actor, data: {}, at: '2026-01-05T09:00:00.000Z' };
    return `id: ${String(seq)}\nevent: run.waiting\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const seen = async (): Promise<number[]> => {
    const numbers: number[] = [];
    for await (const { seq } of new CountersignClient({ baseUrl }).runEvents('a/b')) numbers.push(seq);
    return numbers;
  };

  it('goes on after the last event it saw when the connection breaks', async () => {
    handlers = [
      stream(`: hello\n\n${event(1)}${event(2)}`, 'break'),
      stream(`${event(3)}event: end\ndata: {}\n\n`, 'end'),
    ];
    await expect(seen()).resolves.toEqual([1, 2, 3]);
    expect(received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2']);
    expect(received[0]?.path).toBe('/v1/runs/a%2Fb/events');
  });

  it('asks again when the stream ends before the run has', async () => {
    handlers = [stream(event(1), 'end'), stream('event: end\ndata: {}\n\n', 'end')];
    await expect(seen()).resolves.toEqual([1]);
  });

  it('opens a stream again after the time that a refusal of too many streams names', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    handlers = [
      answer(429, problem(429, 'events.too_many_streams'), { 'retry-after': '30' }),
      stream(`${event(1)}event: end\ndata: {}\n\n`, 'end'),
    ];
    await expect(seen()).resolves.toEqual([1]);
    expect(waits).toEqual([30_100]);
  });

  it('ends at an event that is longer than it keeps, and does not ask for it again', async () => {
    handlers = [stream(`${event(1)}data: ${'x'.repeat(800)}`, 'end')];
    const read = async (): Promise<void> => {
      for await (const { seq } of new CountersignClient({ baseUrl, maxAnswerBytes: 400 }).runEvents('a'))
        expect(seq).toBe(1);
    };
    const error = await refusal(read());
    expect([error.code, error.message]).toEqual([
      'connection.answer_too_long',
      'The event is longer than 400 bytes. Ask for less, or raise maxAnswerBytes.',
    ]);
    expect(received).toHaveLength(1);
  });

  it('skips an unknown event of a newer server, and shows an event of an unknown actor', async () => {
    const ofNewActor = event(3).replace('"kind":"system"', '"kind":"tool"');
    handlers = [
      stream(`${event(1)}id: 2\nevent: step.drawn\ndata: {"drawing":"a"}\n\n${ofNewActor}`, 'break'),
      stream(`${event(4)}event: end\ndata: {}\n\n`, 'end'),
    ];
    await expect(seen()).resolves.toEqual([1, 3, 4]);
    expect(received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '3']);
  });

  it('ends at data that are no JSON', async () => {
    handlers = [stream(`${event(1)}id: 2\nevent: run.waiting\ndata: {"seq":\n\n`, 'end')];
    const error = await refusal(seen());
    expect([error.code, error.message]).toEqual([
      'connection.event_malformed',
      '/v1/runs/a%2Fb/events sent an event whose data are no JSON. See that nothing on the way changes its answers.',
    ]);
    expect(received).toHaveLength(1);
  });

  it('does not ask again for a resource that it may not see', async () => {
    handlers = [answer(404, problem(404, 'resource.not_found'))];
    await expect(seen()).rejects.toMatchObject({ code: 'resource.not_found' });
    expect(received).toHaveLength(1);
  });
});

describe('an address without encryption', () => {
  it.each([
    'countersign.example',
    '10.0.0.7',
    '127.0.0.1.example.com',
    '127.example',
    'localhost.example.com',
    '[::2]',
  ])('is refused for http://%s, without the token, unless the caller calls the network private', (host) => {
    const options = { baseUrl: `http://${host}:8420`, token: 'cs_t_secret' };
    const made = (): Transport => new Transport(options);
    expect(made).toThrow(expect.objectContaining({ code: 'connection.plain_http', status: 0 }));
    expect(made).toThrow(`Tokens would go to ${host}:8420 unencrypted. Use https://`);
    expect(made).not.toThrow(/secret/);
    expect(() => new Transport({ ...options, allowPlainHttp: true })).not.toThrow();
  });

  it.each(['http://localhost:8420', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]:8420', 'https://10.0.0.7'])(
    'is not %s',
    (address) => {
      expect(() => new Transport({ baseUrl: address, token: 'cs_t_secret' })).not.toThrow();
    },
  );
});

it('shows nothing of a text that is no token', () => {
  for (const token of ['', 'first\nsecret', 'two secrets']) {
    expect(() => new Transport({ baseUrl, token })).toThrow(/^The token holds something that no bearer token does\.$/);
  }
  expect(() => new Transport({ baseUrl, token: 'cs_p_read-from-a-file\n' })).not.toThrow();
});

it.each<unknown>([
  undefined,
  '',
  'countersign.example',
  'ftp://countersign.example',
  'https://u:hunter2@countersign.example',
  'https://countersign.example/?token=hunter2',
  'https://countersign.example/#hunter2',
])('wants an address of Countersign, which %s is not, and shows nothing of it', (wrong) => {
  expect(() => new Transport({ baseUrl: wrong } as TransportOptions)).toThrow(
    /^baseUrl must be the address of Countersign without user, query or fragment, such as https:\/\/countersign\.example\.$/,
  );
});
