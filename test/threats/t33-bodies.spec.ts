import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';

let api: TestApi;
let tenant: TestTenant;
let address: AddressInfo;

beforeAll(async () => {
  api = await testApi({ config: { bodyBytes: 65_536 } });
  tenant = await api.tenant();
  await api.app.listen(0, '127.0.0.1');
  address = api.app.getHttpServer().address() as AddressInfo;
});
afterAll(() => api.close());

interface Raw {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: { code?: string; errors?: { pointer: string; code: string; line?: number; column?: number }[] };
}

/** Bytes that need not be a request, and all that is answered before the connection is closed. */
async function sent(bytes: string): Promise<string> {
  const socket = connect(address.port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

/** One request over a socket, byte for byte. */
function post(body: Buffer | string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: address.port,
        path: '/v1/people',
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.admin.token}`, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            body: (text === '' ? {} : JSON.parse(text)) as Raw['body'],
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const person = '"email":"x@example.com","display_name":"X"';

describe('T33: bodies that are too large, malformed, too deep, or of another type', () => {
  it.each<[string, Buffer | string, Record<string, string>, number, string]>([
    ['a body over the limit', `{"email":"${'x'.repeat(70_000)}"}`, json, 413, 'request.too_large'],
    ['text that is no JSON', '{"email":', json, 400, 'json.syntax'],
    ['something after the end', `{${person}} {}`, json, 400, 'json.syntax'],
    ['a key that stands twice', `{${person},"email":"y@example.com"}`, json, 400, 'json.duplicate_key'],
    ['a lone surrogate', '{"email":"\\ud800"}', json, 400, 'json.lone_surrogate'],
    ['an integer beyond 2^53', '{"email":90071992547409931}', json, 400, 'json.unsafe_integer'],
    ['65 levels of nesting', '['.repeat(65) + ']'.repeat(65), json, 400, 'json.too_deep'],
    ['10,000 levels of nesting', '['.repeat(10_000) + ']'.repeat(10_000), json, 400, 'json.too_deep'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), json, 400, 'request.not_utf8'],
    [
      'another charset',
      `{${person}}`,
      { 'content-type': 'application/json; charset=utf-16' },
      415,
      'request.media_type',
    ],
    ['a compressed body', Buffer.alloc(100), { ...json, 'content-encoding': 'gzip' }, 415, 'request.media_type'],
    ['NDJSON', `{${person}}\n{${person}}\n`, { 'content-type': 'application/x-ndjson' }, 415, 'request.media_type'],
    ['two values as JSON', `{${person}}\n{${person}}\n`, json, 400, 'json.syntax'],
    ['a form', 'email=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'request.media_type'],
    ['multipart', '--b\r\n\r\n--b--', { 'content-type': 'multipart/form-data; boundary=b' }, 415, 'request.media_type'],
    ['text', 'hello', { 'content-type': 'text/plain' }, 415, 'request.media_type'],
    ['no content type', `{${person}}`, {}, 415, 'request.media_type'],
    [
      'YAML where JSON is taken',
      `email: x@example.com`,
      { 'content-type': 'application/yaml' },
      422,
      'request.invalid',
    ],
    ['an array where an object is taken', '[]', json, 422, 'request.invalid'],
    ['nothing', '', json, 422, 'request.invalid'],
    ['a key that is not known', `{${person},"admin":true}`, json, 422, 'request.invalid'],
    ['__proto__', `{${person},"__proto__":{"admin":true}}`, json, 400, 'json.reserved_key'],
    ['__proto__ within', '{"a":[{"__proto__":1}]}', json, 400, 'json.reserved_key'],
    ['__proto__, escaped', '{"\\u005f_proto__":{}}', json, 400, 'json.reserved_key'],
    ['U+0000', '{"email":"x@example.com","display_name":"X\\u0000"}', json, 422, 'request.null_character'],
    ['U+0000 in a key', '{"a":{"b\\u0000":1}}', json, 422, 'request.null_character'],
  ])('refuses %s', async (_what, body, headers, status, code) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.type).toBe('application/problem+json; charset=utf-8');
  });

  it('parses no body of a caller whom it does not know', async () => {
    const stranger = { ...json, authorization: `Bearer cs_p_${'A'.repeat(49)}` };
    const answer = await post('{"email":', stranger);
    expect([answer.status, answer.body.code]).toEqual([401, 'credential.unknown']);
  });

  it.each(['Host: elsewhere', 'Authorization: Bearer other', 'Content-Type: text/plain'])(
    'refuses a request with a second header %s, which a proxy on the way may have read',
    async (second) => {
      const head = `Host: localhost\r\nAuthorization: Bearer ${tenant.admin.token}\r\nContent-Type: application/json\r\n`;
      const answer = await sent(`GET /v1/me HTTP/1.1\r\n${head}${second}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"request.header_twice"');
    },
  );

  it('ends the connection of a client that asks and asks, and reads no answer', async () => {
    const impatient = await testApi({ db: api.db, config: { silentConnectionMs: 1_000 } });
    await impatient.app.listen(0, '127.0.0.1');
    const server = impatient.app.getHttpServer();
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const closed = once(socket, 'close');
    client.write('GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(40));
    await closed;
    client.destroy();
    await impatient.close();
  });

  it('says where: line and column in the text, a pointer in the document', async () => {
    const twice = await post('{\n  "email": "a@example.com",\n  "email": "b@example.com"\n}', json);
    expect(twice.body.errors).toEqual([expect.objectContaining({ code: 'json.duplicate_key', line: 3, column: 3 })]);
    const wrong = await post('{"email":"nobody","display_name":"","a/b~c":1}', json);
    expect(wrong.body.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/a~1b~0c', '/display_name', '/email']);
  });

  it('names the missing member, and the probable meaning of an unknown key', async () => {
    const { body } = await post('{"email":"x@example.com","display_nam":"X"}', json);
    expect(body.errors).toEqual([
      { pointer: '/display_name', code: 'field.invalid_type', message: 'is missing' },
      {
        pointer: '/display_nam',
        code: 'field.unrecognized_keys',
        message: 'is not known here',
        suggestion: 'display_name',
      },
    ]);
  });

  it('writes nothing of a refused body', async () => {
    const { rows } = await api.db.owner.query('select from person where tenant_id = $1', [tenant.id]);
    expect(rows).toHaveLength(1);
  });

  it('reads a body as far as its limit and no further', async () => {
    const before = process.memoryUsage().rss;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        post(Buffer.alloc(8 * 1_048_576, 0x20), json).then(
          ({ status }) => status,
          () => 'closed',
        ),
      ),
    );
    // 160 MB were offered; 20 times the limit bounds the kept part.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
    expectStatus(await api.http(tenant.admin.token).get('/v1/me'), 200);
  });

  it('answers a thousand mistakes with fifty', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${String(n)}`, n]));
    const { body } = await api.http(tenant.admin.token).post('/v1/people', many);
    expect(body.errors).toHaveLength(50);
  });

  it('refuses U+0000 wherever it would be stored or looked for', async () => {
    const caller = api.http(tenant.admin.token);
    const call = { tool: 'query\0assets', environment: 'production', arguments: {} };
    const asked = await caller.post('/v1/tool-calls', call);
    const audited = await caller.get('/v1/audit/entries?action=%00');
    expect([asked.status, asked.body?.code]).toEqual([422, 'request.null_character']);
    expect(asked.body?.errors).toEqual([expect.objectContaining({ pointer: '/tool' })]);
    const task = { environment: 'production', goal: 'tidy\0 up', input: {} };
    const wished = await caller.post('/v1/tasks', task);
    expect([wished.status, wished.body?.code]).toEqual([422, 'request.null_character']);
    expect(wished.body?.errors).toEqual([expect.objectContaining({ pointer: '/goal' })]);
    expect([audited.status, audited.body?.code]).toEqual([422, 'request.null_character']);
  });

  it.each<[string, string, readonly unknown[]]>([
    ['tasks', 'tasks', [8_640_000_000_000_001, '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a']],
    ['tasks', 'tasks', [-8_640_000_000_000_000, '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a']],
    ['audit/entries', 'audit-entries', [1.5, '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a']],
    ['environments', 'environments', ['a\0']],
    ['secrets', 'secrets', ['a\0', 1]],
    ['autonomy/revisions', 'autonomy-revisions', [-3_000_000_000]],
  ])('refuses a cursor of %s that the database could not hold', async (route, list, key) => {
    const cursor = Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
    const answer = await api.http(tenant.admin.token).get(`/v1/${route}?cursor=${cursor}`);
    expect([answer.status, answer.body?.code]).toEqual([422, 'request.cursor_invalid']);
  });

  it('takes a cursor beyond the last version for one at the end', async () => {
    const cursor = Buffer.from(JSON.stringify(['secrets', 'a', 3_000_000_000])).toString('base64url');
    expectStatus(await api.http(tenant.admin.token).get(`/v1/secrets?cursor=${cursor}`), 200);
  });

  it('keeps to its shape for a route, a method and a URL that are none', async () => {
    for (const [method, path, status, code] of [
      ['GET', '/v2/nothing', 404, 'route.not_found'],
      ['DELETE', '/v1/me', 404, 'route.not_found'],
      ['GET', '/v1/%zz', 400, 'request.malformed'],
      ['GET', `/v1/people/${'x'.repeat(300)}`, 400, 'request.malformed'],
    ] as const) {
      const answer = await api.http(tenant.admin.token).send(method, path);
      expect([path.slice(0, 30), answer.status, answer.body?.code]).toEqual([path.slice(0, 30), status, code]);
    }
  });

  it.each([
    [
      'a header that is too long',
      `GET /v1/me HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'request.headers_too_large',
    ],
    ['a text that is no HTTP', 'hello\r\n\r\n', 400, 'request.malformed'],
  ])('keeps to its shape for %s', async (_, bytes, status, code) => {
    const answer = await sent(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} .*\r\ncontent-type: application/problem\\+json`));
    const [, body = ''] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ status, code, action: expect.any(String) as string });
  });
});
