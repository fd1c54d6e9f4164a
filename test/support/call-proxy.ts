import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The steps of a test around a call on its way to a tool server and back. */
export interface ProxyHooks {
  /** It has arrived here, and nowhere else. False: it goes no further, and nothing is answered. */
  before(): boolean;
  /** The tool server has answered. False: the caller gets no answer. */
  after(): boolean;
  /** The answer is on its way to the caller. */
  answered(): void;
}

export interface CallProxy {
  readonly url: string;
  /** Resolves when no call is on its way to the tool server, or with it. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between a worker and a tool server, and passes every call on, to the byte. */
export async function callProxy(target: string, hooks: ProxyHooks): Promise<CallProxy> {
  const passing = new Set<Promise<void>>();

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (!hooks.before()) return;
    const answer = await fetch(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: passedOn(request),
      body,
    });
    const text = Buffer.from(await answer.arrayBuffer());
    if (!hooks.after()) return;
    response.once('finish', () => {
      hooks.answered();
    });
    response
      .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' })
      .end(text);
  };

  const server = createServer((request, response) => {
    const passed = pass(request, response)
      .catch(() => {
        response.destroy();
      })
      .finally(() => passing.delete(passed));
    passing.add(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    quiet: async () => {
      await Promise.all(passing);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The headers, without those that belong to the connection. */
function passedOn(request: IncomingMessage): [string, string][] {
  const ofTheConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);
  return Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' && !ofTheConnection.has(name) ? [[name, value] as [string, string]] : [],
  );
}
