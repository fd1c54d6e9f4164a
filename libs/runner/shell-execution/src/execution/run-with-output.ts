import { closeSync } from 'node:fs';
import { OutputStream, type Captured } from '../adapters/output-stream.js';
import type { ShellContext } from '../domain/shell-call.js';
import type { Descriptors, Line } from './line.js';

/** Output that is still on its way after the last program is gone is waited for at most this long. */
const LAST_OUTPUT_MS = 1_000;

/**
 * Runs commands with an empty input and captured output. At the end, and as soon as the line is to end, all that still runs is ended.
 *
 * @returns standard output and standard error
 * @throws Stop
 */
export async function runWithOutput(
  line: Line,
  { limits, secretsToMask, output }: ShellContext,
  run: (descriptors: Descriptors) => Promise<void>,
): Promise<readonly [Captured, Captured]> {
  const { pipes, processes, signal } = line;
  const streams = (['stdout', 'stderr'] as const).map((stream) => {
    const { read, write } = pipes.take();
    const reader = new OutputStream(read, limits.outputBytes, secretsToMask, (text) => {
      output({ stream, text });
    });
    return { reader, write };
  });
  const end = (): void => {
    void processes.end(limits.graceMs);
  };
  signal.addEventListener('abort', end, { once: true });
  const finish = async (): Promise<Captured[]> => {
    signal.removeEventListener('abort', end);
    for (const { write } of streams) closeSync(write);
    await processes.end(limits.graceMs);
    return await Promise.all(streams.map(({ reader }) => reader.finish(LAST_OUTPUT_MS)));
  };
  try {
    await run(new Map([[0, line.nothing], ...streams.map(({ write }, index) => [index + 1, write] as const)]));
    // The last command may have ended because of the stop.
    signal.throwIfAborted();
  } catch (error) {
    await finish();
    throw error;
  }
  const [stdout, stderr] = await finish();
  if (stdout === undefined || stderr === undefined) throw new Error('a stream is missing');
  return [stdout, stderr];
}
