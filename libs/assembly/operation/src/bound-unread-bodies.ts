import type { Server } from 'node:http';

/**
 * After an answer Node reads the body of the request to its end, since the next request stands behind it. This ends the
 * connection once more than so many bytes came after the answer.
 */
export function boundUnreadBodies(server: Server, most = 65_536): void {
  server.on('request', (request, response) => {
    const { 'transfer-encoding': coding, 'content-length': length = 0 } = request.headers;
    if (coding === undefined && Number(length) <= most) return;
    // Before the listener by which Node discards a body that nobody reads.
    response.prependOnceListener('finish', () => {
      if (request.complete) return;
      let passed = 0;
      request.on('data', (piece: Buffer) => {
        passed += piece.length;
        if (passed > most) request.destroy();
      });
    });
  });
}
