import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formOf, SlackCalls } from './slack-calls.js';

describe('a call to Slack', () => {
  let server: Server;
  let sockets = 0;
  let answer: RequestListener;
  let calls: SlackCalls;
  beforeAll(async () => {
    server = createServer((request, response) => {
      answer(request, response);
    });
    server.on('connection', () => (sockets += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    calls = new SlackCalls(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const answering =
    (status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
    (request, response) =>
      request.resume().on('end', () => response.writeHead(status, headers).end(body));

  it('brings its form and the token, and the answer', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      let body = '';
      request.on('data', (text: Buffer) => (body += text.toString()));
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers;
        seen.push(request.method, request.url, authorization, type, body);
        response.end('{"ok":true,"ts":"1.2"}');
      });
    };
    expect(await calls.send('chat.postMessage', 'text=%E2%82%AC', 'xoxb-1')).toEqual({ ok: true, ts: '1.2' });
    const form = 'application/x-www-form-urlencoded';
    expect(seen).toEqual(['POST', '/api/chat.postMessage', 'Bearer xoxb-1', form, 'text=%E2%82%AC']);
  });

  it('has no token before there is one', async () => {
    const tokens: unknown[] = [];
    answer = (request, response) => {
      tokens.push(request.headers.authorization);
      request.resume().on('end', () => response.end('{"ok":true}'));
    };
    await calls.send('oauth.v2.access', 'code=1');
    expect(tokens).toEqual([undefined]);
  });

  it('keeps its connection for the next ones, also after a refusal', async () => {
    answer = answering(503, 'busy');
    const before = sockets;
    for (let call = 0; call < 6; call += 1)
      await expect(calls.send('auth.test', '', 'xoxb-1')).rejects.toThrow('Slack: http_503');
    // The second call may come before the end of the first answer is seen.
    expect(sockets - before).toBeLessThanOrEqual(2);
  });

  it('follows no redirect, whose target would get the token', async () => {
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    await expect(calls.send('auth.test', '', 'xoxb-1')).rejects.toMatchObject({ code: 'http_307', transient: true });
    expect(paths).toEqual(['/api/auth.test']);
  });

  it.each<[string, RequestListener, object]>([
    ['a fault of Slack', answering(500, ''), { code: 'http_500', transient: true }],
    ['a refusal of a proxy', answering(403, ''), { code: 'http_403', transient: false }],
    ['a page in place of an answer', answering(200, '<html>'), { code: 'unexpected_answer', transient: false }],
    ['an answer without its meaning', answering(200, '{"ts":"1.2"}'), { code: 'unexpected_answer', transient: false }],
    ['an error', answering(200, '{"ok":false,"error":"is_archived"}'), { code: 'is_archived', transient: false }],
    ['a passing error', answering(200, '{"ok":false,"error":"fatal_error"}'), { code: 'fatal_error', transient: true }],
    ['a pause', answering(429, '', { 'retry-after': '3' }), { code: 'rate_limited', retryAfterMs: 3_000 }],
    ['a pause of no length', answering(429, ''), { code: 'rate_limited', retryAfterMs: 1_000 }],
    ['an end of the connection', (request) => request.socket.destroy(), { code: 'unreachable', transient: true }],
  ])('fails for %s', async (_what, how, expected) => {
    answer = how;
    await expect(calls.send('chat.update', 'ts=1', 'xoxb-1')).rejects.toMatchObject({
      name: 'SlackCallError',
      retryAfterMs: null,
      ...expected,
    });
  });

  it('ends if its time is over', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    answer = (request) => request.resume();
    await expect(calls.send('auth.test', '', 'xoxb-1')).rejects.toMatchObject({ code: 'unreachable', transient: true });
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
  });
});

it('a form has lists and objects as JSON, and other values as they are spelled', () => {
  const form = formOf({ text: 'a & b\n€', blocks: [{ type: 'header' }], mrkdwn: false, limit: 200 });
  expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
    text: 'a & b\n€',
    blocks: '[{"type":"header"}]',
    mrkdwn: 'false',
    limit: '200',
  });
});
