import { Worker } from 'node:worker_threads';
import { ToolRefusal } from '#lib/workspace';
import type { SearchAnswer, WorkspaceSearch } from '../domain/search-job.js';
import type { ThreadAnswer } from './answer-in-thread.js';

/** An index of its bounds takes less. */
const HEAP_LIMIT_MB = 1_024;

/**
 * Searches in a thread, so that the runner goes on to take calls and to report. The thread ends with the call, with the signal, or at
 * its limit of memory: the text of a workspace is anybody's.
 *
 * @param program the compiled program of the thread, which calls `answerInThread`.
 */
export const searchInThread =
  (program: URL, heapLimitMb = HEAP_LIMIT_MB): WorkspaceSearch =>
  (job, signal) =>
    new Promise<SearchAnswer>((resolve, reject) => {
      signal.throwIfAborted();
      const thread = new Worker(program, {
        workerData: job,
        env: {},
        stdout: true,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
      });
      const end = (settle: () => void): void => {
        signal.removeEventListener('abort', onAbort);
        settle();
        void thread.terminate();
      };
      const fail = (problem: unknown): void => {
        end(() => {
          reject(problem instanceof Error ? problem : new Error(String(problem)));
        });
      };
      const onAbort = (): void => {
        fail(signal.reason);
      };
      signal.addEventListener('abort', onAbort);
      thread.once('message', (answer: ThreadAnswer) => {
        if ('refusal' in answer) fail(new ToolRefusal(answer.refusal.code, answer.refusal.message));
        else
          end(() => {
            resolve(answer.answer);
          });
      });
      thread.once('error', (problem) => {
        fail(failed(problem.message));
      });
      thread.once('exit', () => {
        fail(failed('its thread ended'));
      });
    });

const failed = (reason: string): ToolRefusal =>
  new ToolRefusal('runner.search_failed', `The workspace could not be searched: ${reason}. Search a folder of it.`);
