import { Worker } from 'node:worker_threads';
import { ToolRefusal, Turns } from '#lib/workspace';
import { errorCode } from '#lib/kernel';
import type { SearchAnswer, SearchJob, WorkspaceSearch } from '../domain/search-job.js';
import type { ThreadAnswer } from './answer-in-thread.js';
import { removeIndex } from './kept-index.js';

/** An index of its bounds takes 300 MB. */
const HEAP_LIMIT_MB = 512;

/**
 * Searches in a thread, so that the runner goes on to take calls and to report. The thread ends with the call, with the
 * signal, or at its limit of memory. The text of a workspace is anybody's. Calls take turns, so that a runner never has
 * two such threads.
 *
 * @param program the compiled program of the thread, which calls `answerInThread`.
 */
export function searchInThread(program: URL, heapLimitMb = HEAP_LIMIT_MB): WorkspaceSearch {
  const turns = new Turns();
  return (job, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The answer does not wait for the end of the thread, as the next call does.
      const turn = async (): Promise<void> => {
        const thread = threadOf(program, heapLimitMb, job);
        await answerOf(thread, job, signal).then(resolve, reject);
        await thread.terminate();
      };
      turns.take(job.root, signal, turn).catch(reject);
    });
}

const threadOf = (program: URL, heapLimitMb: number, job: SearchJob): Worker =>
  new Worker(program, {
    workerData: job,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });

async function answerOf(thread: Worker, job: SearchJob, signal: AbortSignal): Promise<SearchAnswer> {
  let onAbort = (): void => undefined;
  try {
    return await new Promise<SearchAnswer>((resolve, reject) => {
      onAbort = () => {
        // The one who aborts gives an error as the reason.
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort);
      thread.once('message', (answer: ThreadAnswer) => {
        if ('refusal' in answer) reject(new ToolRefusal(answer.refusal.code, answer.refusal.message));
        else resolve(answer.answer);
      });
      thread.once('error', reject);
      thread.once('exit', () => {
        reject(failed('its thread ended'));
      });
    });
  } catch (problem) {
    if (problem instanceof ToolRefusal || signal.aborted) throw problem;
    // The index may be too large for memory. The next call makes another one, of the folder that it asks for.
    if (errorCode(problem) === 'ERR_WORKER_OUT_OF_MEMORY') await removeIndex(job.folder);
    throw failed(problem instanceof Error ? problem.message : String(problem));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const failed = (reason: string): ToolRefusal =>
  new ToolRefusal('runner.search_failed', `The workspace could not be searched: ${reason}. Search a folder of it.`);
