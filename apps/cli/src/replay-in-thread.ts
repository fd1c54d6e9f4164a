import { Worker } from 'node:worker_threads';
import type { Replay } from '#lib/verifier';

/** Our own packs take a thousandth of it for each decision. */
const TIME_LIMIT_MS = 60_000;
/** The limit for objects that the policies' built-in functions make in JavaScript; Wasm memory has a limit of its own. */
const HEAP_LIMIT_MB = 256;

/**
 * Takes decisions again in a thread that ends at its limit of time or memory. The policies of a pack are programs of the pack's
 * author. Their output is dropped, so that none of it reaches a terminal.
 *
 * @param program the compiled `replay-thread.js`.
 */
export const replayInThread =
  (program: URL, timeLimitMs = TIME_LIMIT_MS): Replay =>
  (job) =>
    new Promise((resolve) => {
      const thread = new Worker(program, {
        workerData: job,
        env: {},
        stdout: true,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
      });
      const end = (answer: readonly boolean[] | null): void => {
        clearTimeout(timer);
        resolve(answer);
        void thread.terminate();
      };
      const timer = setTimeout(() => {
        end(null);
      }, timeLimitMs);
      thread.once('message', (answer: readonly boolean[]) => {
        end(answer);
      });
      thread.once('error', () => {
        end(null);
      });
      thread.once('exit', () => {
        end(null);
      });
    });
