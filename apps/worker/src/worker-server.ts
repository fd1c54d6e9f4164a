import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundUnreadBodies, listening, type Metrics } from '#lib/operation';

/** A listening endpoint for health and metrics. */
export interface WorkerServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` on an address of its own. The metrics span all tenants: the
 * operator decides which hosts reach the port.
 *
 * @param ready throws if the process cannot work.
 */
export async function serveWorker(
  address: { readonly host: string; readonly port: number },
  metrics: Metrics,
  ready: () => Promise<void>,
): Promise<WorkerServer> {
  const server = createServer((request, response) => {
    void answer(request.method === 'GET' ? (request.url ?? '') : '', response, metrics, ready);
  });
  server.requestTimeout = 10_000;
  boundUnreadBodies(server);
  await listening({ host: address.host, port: address.port, setting: 'COUNTERSIGN_WORKER_PORT' }, () =>
    listen(server, address),
  );
  return {
    // It listens at a port, and not at a socket of the file system.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(
  path: string,
  response: ServerResponse,
  metrics: Metrics,
  ready: () => Promise<void>,
): Promise<void> {
  try {
    switch (path) {
      case '/health/live':
        sendJson(response, 200, { status: 'live' });
        return;
      case '/health/ready':
        await ready();
        sendJson(response, 200, { status: 'ready' });
        return;
      case '/metrics':
        response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(await metrics.registry.metrics());
        return;
      default:
        sendJson(response, 404, { status: 'not_found' });
    }
  } catch {
    sendJson(response, 503, { status: 'unavailable' });
  }
}

const sendJson = (response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
