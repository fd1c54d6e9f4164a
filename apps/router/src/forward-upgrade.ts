import { request as httpRequest, STATUS_CODES, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Failure } from '#lib/kernel';
import type { Passage } from './passage.js';
import { towardsCaller } from './forwarded-headers.js';
import { cellUnavailable, wrongTarget } from './refusals.js';

const CONNECT_WITHIN_MS = 30_000;

/** Passes a request for a WebSocket to its cell, and joins the two connections if the cell agrees. Else passes its answer back. */
export function forwardUpgrade(
  request: IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  { cell, headers, over }: Passage,
  refuse: (failure: Failure) => void,
): void {
  const send = cell.url.startsWith('https:') ? httpsRequest : httpRequest;
  let asking: ClientRequest;
  try {
    asking = send(cell.url, {
      path: request.url ?? '/',
      method: 'GET',
      headers: { ...headers, connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' },
      timeout: CONNECT_WITHIN_MS,
      // A connection of its own: it is joined to the caller's.
      agent: false,
    });
  } catch {
    // Node's parser takes characters that its client does not send.
    refuse(wrongTarget);
    return;
  }
  let answered = false;
  const end = (): void => {
    asking.destroy();
    socket.destroy();
  };
  over.addEventListener('abort', end, { once: true });
  socket.once('close', () => {
    over.removeEventListener('abort', end);
    asking.destroy();
  });
  asking.once('timeout', () => asking.destroy(new Error('the cell does not answer')));
  asking.once('error', () => {
    if (!answered && !socket.destroyed) refuse(cellUnavailable);
    else socket.destroy();
  });
  asking.once('upgrade', (answer, far, farHead) => {
    answered = true;
    far.on('error', () => far.destroy());
    socket.write(headOf(answer, { connection: 'Upgrade', upgrade: answer.headers.upgrade ?? '' }));
    if (farHead.length > 0) socket.write(farHead);
    if (head.length > 0) far.write(head);
    far.pipe(socket).pipe(far);
    far.once('close', () => socket.destroy());
    socket.once('close', () => far.destroy());
  });
  asking.once('response', (answer) => {
    answered = true;
    socket.write(headOf(answer, { connection: 'close' }));
    answer.pipe(socket);
  });
  asking.end();
}

function headOf(answer: IncomingMessage, own: Readonly<Record<string, string>>): string {
  const status = answer.statusCode ?? 502;
  const lines = Object.entries({ ...towardsCaller(answer.headers), ...own }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${String(each)}\r\n`),
  );
  return `HTTP/1.1 ${String(status)} ${answer.statusMessage ?? STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
