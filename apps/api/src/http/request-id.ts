import type { IncomingMessage } from 'node:http';
import { v7 } from 'uuid';

/** A caller's own id is kept if it can stand in logs and headers as it is. */
const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** The request's id: the caller's X-Request-Id, or a new UUIDv7. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) && !given.startsWith('cs_') ? given : v7();
}
