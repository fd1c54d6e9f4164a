import { Socket } from 'node:net';
import { Stop } from '../domain/stop.js';

/**
 * Reads the output of a substitution to its end, and takes the last newlines and NUL off, as bash does.
 *
 * @param descriptor the read end of a pipe, which is closed at its end
 * @throws Stop `shell.substitution_too_large`, `shell.substitution_not_text`, or the reason of the signal
 */
export async function readSubstitution(descriptor: number, bytes: number, signal: AbortSignal): Promise<string> {
  const socket = new Socket({ fd: descriptor, readable: true, writable: false });
  const stop = (): void => {
    socket.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    // A socket without an encoding gives buffers.
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > bytes) {
        const message = `A substitution has more than ${String(bytes)} bytes of output. Write it to a file instead.`;
        throw new Stop('shell.substitution_too_large', message);
      }
    }
    return textOf(Buffer.concat(chunks)).replaceAll('\0', '').replace(/\n+$/, '');
  } catch (error) {
    // The stream was closed because the line is to end.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Stop(
      'shell.substitution_not_text',
      'A substitution has output that is not UTF-8. Write it to a file instead.',
    );
  }
}
