import { parentPort, workerData } from 'node:worker_threads';
import { ToolRefusal } from '#lib/workspace';
import type { SearchAnswer, SearchJob } from '../domain/search-job.js';
import { searchWorkspace } from './search-workspace.js';

export type ThreadAnswer =
  | { readonly answer: SearchAnswer }
  | { readonly refusal: { readonly code: string; readonly message: string } };

/**
 * The whole work of the thread that `searchInThread` starts, and ends. By itself, a thread waits for all compilers of
 * its process.
 */
export async function answerInThread(): Promise<void> {
  let answer: ThreadAnswer;
  try {
    // `searchInThread` starts the thread with a job.
    answer = { answer: await searchWorkspace(workerData as SearchJob, new AbortController().signal) };
  } catch (problem) {
    if (!(problem instanceof ToolRefusal)) throw problem;
    answer = { refusal: { code: problem.code, message: problem.message } };
  }
  parentPort?.on('message', () => undefined);
  parentPort?.postMessage(answer);
}
