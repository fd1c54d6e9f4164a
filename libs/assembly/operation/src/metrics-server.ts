import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundUnreadBodies } from './bound-unread-bodies.js';
import { listening } from './listening.js';
import type { Metrics } from './metrics.js';

/** A listening metrics endpoint. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on an address of its own. Metrics span all tenants, so no tenant's credential opens them: the
 * operator controls access to the port (ADR on operation).
 *
 * @throws {FailureError} as {@link listening} does.
 */
export async function serveMetrics(metrics: Metrics, address: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  boundUnreadBodies(server);
  await listening({ ...address, setting: 'COUNTERSIGN_METRICS_PORT' }, () => listen(server, address));
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

const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
