import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { searchWorkspace } from './adapters/search-workspace.js';
import { readIndex } from './adapters/kept-index.js';
import { INDEX_LIMITS, type SearchJob } from './domain/search-job.js';

interface Question {
  readonly ask: string;
  readonly path: string;
  /** The answer is a piece of that file with this text. */
  readonly holds: string;
}

/** The lines of a piece, counted from 1. */
interface Lines {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

const AT = 5;
const base = mkdtempSync(join(tmpdir(), 'countersign-judged-'));
const job: SearchJob = {
  ...{ root: join(base, 'root'), folder: join(base, 'session'), query: '', path: '', language: null, most: AT },
  limits: INDEX_LIMITS,
};
const files = new Map(
  [...readFileSync('test/search/workspace.md', 'utf8').matchAll(/^## (\S+)\n\n````\w+\n(.*?)^````$/gms)].map(
    ([, path = '', content = '']) => [path, content] as const,
  ),
);
const questions = JSON.parse(readFileSync('test/search/questions.json', 'utf8')) as Record<string, Question[]>;

beforeAll(() => {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(job.root, path)), { recursive: true });
    writeFileSync(join(job.root, path), content);
  }
});
afterAll(() => {
  rmSync(base, { recursive: true });
});

const textOf = ({ path, first, last }: Lines): string =>
  (files.get(path) ?? '')
    .split('\n')
    .slice(first - 1, last)
    .join('\n');

const answers = (found: Lines, { path, holds }: Question): boolean =>
  found.path === path && textOf(found).includes(holds);

const ours = async (query: string): Promise<Lines[]> => {
  const { results } = await searchWorkspace({ ...job, query }, new AbortController().signal);
  return results.map(({ path, first_line: first, last_line: last }) => ({ path, first, last }));
};

/** MiniSearch as it comes, over the very same pieces. */
async function alone(): Promise<(query: string) => Lines[]> {
  await ours('anything');
  const { files: indexed } = await readIndex(job.folder, job.root);
  const pieces = [...indexed].flatMap(([path, file]) =>
    file.pieces.map(({ id, firstLine: first, lastLine: last }) => ({ id, path, first, last })),
  );
  const search = new MiniSearch<{ id: number; path: string; text: string }>({ fields: ['path', 'text'] });
  search.addAll(pieces.map((piece) => ({ ...piece, text: textOf(piece) })));
  return (query) =>
    search
      .search(query)
      .slice(0, AT)
      .flatMap(({ id }) => pieces.find((each) => each.id === id) ?? []);
}

/** The questions of a class whose answer is among the first five results, in parts of all. */
async function recall(asked: readonly Question[], search: (query: string) => Promise<Lines[]>): Promise<number> {
  const found = await Promise.all(
    asked.map(async (question) => (await search(question.ask)).some((each) => answers(each, question))),
  );
  return found.filter(Boolean).length / asked.length;
}

it('has every answer in the workspace', () => {
  const lost = Object.values(questions)
    .flat()
    .filter(({ path, holds }) => files.get(path)?.includes(holds) !== true);
  expect(lost).toEqual([]);
});

it.each(Object.entries(questions))(
  'finds more answers among its first five results than MiniSearch alone: %s',
  async (_name, asked) => {
    const miniSearch = await alone();
    const mine = await recall(asked, ours);
    expect(mine).toBeGreaterThan(await recall(asked, (query) => Promise.resolve(miniSearch(query))));
    expect(mine).toBeGreaterThanOrEqual(0.95);
  },
);
