import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { slackFetch } from './slack-fetch.js';

describe('a call to Slack', () => {
  let server: Server;
  let sockets = 0;
  let answer: RequestListener;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      answer(request, response);
    });
    server.on('connection', () => (sockets += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/chat.postMessage`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('brings its body and headers, and the answer with its status and headers', async () => {
    const seen: unknown[] = [];
    answer = (request, response) => {
      let body = '';
      request.on('data', (text: Buffer) => (body += text.toString()));
      request.on('end', () => {
        seen.push(request.method, request.url, request.headers.authorization, request.headers['content-length'], body);
        response.writeHead(429, { 'retry-after': '3', 'x-oauth-scopes': 'chat:write' }).end('{"ok":false}');
      });
    };
    const headers = { authorization: 'Bearer xoxb-1', 'content-type': 'application/x-www-form-urlencoded' };
    const answered = await slackFetch()(url, { method: 'POST', headers, body: 'text=%E2%82%AC' });
    expect(seen).toEqual(['POST', '/api/chat.postMessage', 'Bearer xoxb-1', '14', 'text=%E2%82%AC']);
    expect([answered.status, answered.headers.get('retry-after'), await answered.text()]).toEqual([
      429,
      '3',
      '{"ok":false}',
    ]);
  });

  it('keeps its connection for the next ones, also if the answer is not read', async () => {
    answer = (request, response) => request.resume().on('end', () => response.end('{"ok":true}'));
    const [fetch, before] = [slackFetch(), sockets];
    for (let call = 0; call < 6; call += 1) await fetch(url, { method: 'POST', body: 'a=1' });
    // The second call may come before the end of the first answer is seen.
    expect(sockets - before).toBeLessThanOrEqual(2);
  });

  it('follows no redirect, since its target would get the token', async () => {
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    await expect(slackFetch()(url, { method: 'POST', body: 'a=1' })).rejects.toThrow(
      'Slack redirects, with status 307.',
    );
    expect(paths).toEqual(['/api/chat.postMessage']);
  });

  it('ends if its time is over', async () => {
    answer = (request) => request.resume();
    const call = slackFetch()(url, { method: 'POST', body: 'a=1', signal: AbortSignal.timeout(20) });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
