import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../../workspace/src/fake-workspace.js';
import { INDEX_LIMITS, type SearchAnswer, type SearchJob } from '../domain/search-job.js';
import { searchInThread } from './search-in-thread.js';

const base = temporaryFolder();
afterAll(() => {
  rmSync(base, { recursive: true });
});

const JOB: SearchJob = {
  root: '/r',
  folder: '/f',
  query: 'q',
  path: '',
  language: null,
  most: 1,
  limits: INDEX_LIMITS,
};

/** A program of a thread with this text. */
function program(text: string): URL {
  mkdirSync(base, { recursive: true });
  const file = join(base, `${String(text.length)}.mjs`);
  writeFileSync(file, `import { parentPort, workerData } from 'node:worker_threads';\n${text}`);
  return pathToFileURL(file);
}
const search = (text: string, signal = new AbortController().signal): Promise<SearchAnswer> =>
  searchInThread(program(text), 32)(JOB, signal);

describe('a search in a thread', () => {
  it('gives the thread its job, nothing of the environment, and the answer back', async () => {
    const text = 'parentPort.postMessage({ answer: { job: workerData, env: { ...process.env } } });';
    expect(await search(text)).toEqual({ job: JOB, env: {} });
  });

  it('passes a refusal on', async () => {
    const text = "parentPort.postMessage({ refusal: { code: 'workspace.no_root', message: 'gone' } });";
    await expect(search(text)).rejects.toMatchObject({ code: 'workspace.no_root', message: 'gone' });
  });

  it.each([
    ['fails', "throw new Error('broken');", 'broken'],
    ['ends without an answer', '', 'its thread ended'],
    ['takes too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));', 'memory limit'],
  ])('is refused if the thread %s', async (_name, text, message) => {
    const failed = search(text);
    await expect(failed).rejects.toMatchObject({ code: 'runner.search_failed' });
    await expect(failed).rejects.toThrow(message);
  });

  it('ends a thread that never does, when the call is cancelled', async () => {
    const controller = new AbortController();
    const running = search('for (;;);', controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await expect(search('', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });
});
