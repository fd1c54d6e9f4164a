import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const ID = '0199c0de-0000-7000-8000-000000000001';

/** A call that waits for people, as the API tells it. */
export const PENDING_CALL = {
  id: ID,
  session_id: ID,
  outcome: 'pending',
  decided_as: null,
  allowed_until: null,
  request_id: ID,
  expires_at: null,
  denial: null,
  reasons: [],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'basic', valid_minutes: 5 },
  effective: { mode: 'full_auto', source: 'default' },
  decision_id: ID,
  bundle_revision: 'r',
  tool_version: 1,
  arguments_digest: null,
  shell: null,
  paths: null,
  errors: [],
  decided_at: null,
  answered_by: null,
  execution: null,
};

/** Answers by method and path, without a query. */
export type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

/**
 * Runs the work beside a server that gives these answers, and 404 to other requests.
 *
 * @param onRequest is told of each request before its answer.
 */
export async function besideToolCallServer<T>(
  answers: Answers,
  work: (baseUrl: string) => Promise<T>,
  onRequest: (request: string, body: string) => void = () => undefined,
): Promise<T> {
  const server = createServer((message, reply) => {
    const { method = '', url = '' } = message;
    const request = `${method} ${url.replace(/\?.*/, '')}`;
    void text(message).then((body) => {
      onRequest(request, body);
      const [status, answer] = answers[request] ?? [404, { code: 'x' }];
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`); // it listens on a port
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
