import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The connection of a request that asks for another protocol, and the bytes that came after its head. */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

interface Offered extends Upgrade {
  readonly response: ServerResponse;
}

const offered = new WeakMap<IncomingMessage, Offered>();

/**
 * Sends requests for another protocol through the router. So the same guards stand before them, and a refusal is an answer in
 * HTTP. A route takes the connection with {@link takeUpgrade}; otherwise it ends with the answer.
 */
export function acceptUpgrades(fastify: FastifyInstance): void {
  fastify.server.on('upgrade', (request, socket, head) => {
    // Errors of a connection that the server did not take: the client went.
    socket.on('error', () => socket.destroy());
    // Node hands over a connection before it has read the body.
    if (request.method !== 'GET' || !(socket instanceof Socket)) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy());
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // The server reads no further: the client could keep its side open for as long as it likes.
    response.once('finish', () => {
      socket.destroySoon();
    });
    offered.set(request, { socket, head, response });
    fastify.routing(request, response);
  });
}

/** The connection of the request, which the caller answers on from now on. Null if the request asks for no other protocol. */
export function takeUpgrade({ raw }: FastifyRequest): Upgrade | null {
  const upgrade = offered.get(raw);
  if (upgrade === undefined) return null;
  offered.delete(raw);
  const { response, socket, head } = upgrade;
  response.detachSocket(socket);
  return { socket, head };
}
