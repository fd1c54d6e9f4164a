import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 } from 'uuid';
import { ownMember } from '#lib/canonical';
import { failureOfStatus } from './failure-of-http-error.js';
import { problemOf, unexpectedFailure } from './problem.js';

const statusOf: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * Answers bytes that Node could not parse as a request, so that no route saw them. The answer is a problem, as for every refusal.
 */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = ownMember(statusOf, code ?? '') ?? 400;
  const problem = { ...problemOf(failureOfStatus(status) ?? unexpectedFailure, v7()), status };
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${String(Buffer.byteLength(body))}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
