import { judgePaths } from '#lib/shell-safety';
import { completeDefinition, level, pathsOf } from '#lib/tool';
import { DEFAULT_LIMITS } from '#lib/workspace';
import type { SearchAnswer, SearchJob } from './domain/search-job.js';
import { searchTool } from './search-tool.js';

const ANSWER: SearchAnswer = {
  results: [],
  index: { files: 0, pieces: 0, updated: 0, removed: 0, complete: true, left_out: {} },
  ranked_by: 'words, structure and spelling',
};

const jobs: SearchJob[] = [];
beforeEach(() => {
  jobs.length = 0;
});
const tool = searchTool({
  folder: '/data/sessions/one',
  search: (job) => {
    jobs.push(job);
    return Promise.resolve({ ...ANSWER, results: [] });
  },
});
const call = (callArguments: unknown, signal = new AbortController().signal, called = tool) =>
  called.call(
    { root: '/work', signal, output: () => undefined, limits: DEFAULT_LIMITS, secretsToMask: [] },
    callArguments,
  );

function definition() {
  const read = completeDefinition(tool.name, tool.document, '');
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

describe('the tool search_workspace', () => {
  it('is a read of the workspace at the level low, as other reads of files', () => {
    expect(level(definition())).toBe('low');
    expect(definition()).toMatchObject({
      risk: 'read_only',
      effect: 'read',
      surface: 'workspace',
      requires_plan: false,
    });
    expect(definition().time_limit_seconds).toBe(15);
  });

  it.each([
    ['src', 1],
    ['.ssh', 2],
  ])('has its path judged: %s (T52)', (path, tier) => {
    const paths = pathsOf({ definition: definition() }, { query: 'a', path });
    expect(paths === null ? null : judgePaths(paths)).toMatchObject({ class: 'READ_ONLY', tier });
  });

  it('asks the index of its session', async () => {
    expect(await call({ query: ' retry ', path: './src//a/', language: 'go', limit: 3 })).toEqual({
      ok: true,
      result: ANSWER,
    });
    expect(jobs).toMatchObject([
      { root: '/work', folder: '/data/sessions/one', query: 'retry', path: 'src/a', language: 'go', most: 3 },
    ]);
  });

  it.each([
    [{ query: ' ' }, 'runner.invalid_arguments'],
    [{ query: 'a'.repeat(501) }, 'runner.invalid_arguments'],
    [{ query: 'a', limit: 21 }, 'runner.invalid_arguments'],
    [{ query: 'a', language: '../x' }, 'runner.invalid_arguments'],
    [{ query: 'a', other: 1 }, 'runner.invalid_arguments'],
    [{ query: 'a', path: '../x' }, 'workspace.path_outside'],
    [{ query: 'a', path: '/etc' }, 'workspace.path_outside'],
  ])('refuses %j: %s', async (callArguments, code) => {
    expect(await call(callArguments)).toMatchObject({ ok: false, effect: 'not_started', error: { code } });
    expect(jobs).toEqual([]);
  });

  it('ends when it is cancelled', async () => {
    const endless = searchTool({
      folder: '',
      search: (_job, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    });
    const controller = new AbortController();
    const answered = call({ query: 'a' }, controller.signal, endless);
    controller.abort();
    expect(await answered).toMatchObject({ effect: 'not_started', error: { code: 'runner.cancelled' } });
  });
});
