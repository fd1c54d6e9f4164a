import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const imports =
    "import { appendFileSync } from 'node:fs';\nimport { parentPort, workerData } from 'node:worker_threads';\n";
  // As the thread of a search, it does not end by itself.
  writeFileSync(file, `${imports}parentPort.on('message', () => undefined);\n${text}`);
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
    ['ends without an answer', 'process.exit();', 'its thread ended'],
    ['takes too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));', 'memory limit'],
  ])('is refused if the thread %s', async (_name, text, message) => {
    const failed = search(text);
    await expect(failed).rejects.toMatchObject({ code: 'runner.search_failed' });
    await expect(failed).rejects.toThrow(message);
  });

  it('ends a thread that never does, when the call is cancelled', async () => {
    const controller = new AbortController();
    const running = search('for (;;);', controller.signal);
    // Its turn has come then.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    await expect(search('', AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  it('takes turns with the others of its workspace, and waits no longer than its call', async () => {
    const log = join(base, 'log');
    const at = (what: string) => `appendFileSync(${JSON.stringify(log)}, '${what} ' + workerData.query + '\\n');`;
    const work = 'await new Promise((resolve) => setTimeout(resolve, 50));';
    const inTurn = searchInThread(
      program(
        `${at('begins')}${work}if (workerData.query === 'c') for (;;);${at('ends')}parentPort.postMessage({ answer: {} });`,
      ),
    );
    const ask = (query: string, signal = new AbortController().signal) => inTurn({ ...JOB, query }, signal);
    const [cancelled, over] = [new AbortController(), new AbortController()];
    const three = [ask('a'), ask('b'), ask('c', over.signal)] as const;
    const waiting = ask('d', cancelled.signal);
    const last = ask('e');
    cancelled.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'workspace.no_turn' });
    await Promise.all(three.slice(0, 2));
    while (!readFileSync(log, 'utf8').includes('begins c')) await new Promise((resolve) => setImmediate(resolve));
    over.abort(new Error('time is over'));
    await expect(three[2]).rejects.toThrow('time is over');
    await last;
    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => !line.endsWith(' c'));
    expect(lines).toEqual(['begins a', 'ends a', 'begins b', 'ends b', 'begins e', 'ends e', '']);
  });

  it('leaves no index behind that took too much memory', async () => {
    const folder = join(base, 'session');
    mkdirSync(folder, { recursive: true });
    for (const name of ['workspace-index.json', 'workspace-index.json.new']) writeFileSync(join(folder, name), '');
    const tooLarge = searchInThread(program('const all = []; for (;;) all.push(new Array(1e6).fill(1));'), 32);
    await expect(tooLarge({ ...JOB, folder }, new AbortController().signal)).rejects.toThrow('memory limit');
    expect(existsSync(join(folder, 'workspace-index.json'))).toBe(false);
    expect(existsSync(join(folder, 'workspace-index.json.new'))).toBe(false);
    writeFileSync(join(folder, 'workspace-index.json'), '');
    await expect(
      searchInThread(program("throw new Error('broken');"))({ ...JOB, folder }, new AbortController().signal),
    ).rejects.toThrow('broken');
    expect(existsSync(join(folder, 'workspace-index.json'))).toBe(true);
  });
});
