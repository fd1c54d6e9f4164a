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

type Search = (query: string) => (Lines | undefined)[];

/** Our ranking, and MiniSearch as it comes, over the very same pieces. */
async function searches(): Promise<{ readonly ours: Search; readonly miniSearch: Search }> {
  await searchWorkspace(job, new AbortController().signal);
  const { files: indexed, pieces: ranked } = await readIndex(job.folder, job.root);
  const pieces = new Map(
    [...indexed].flatMap(([path, file]) =>
      file.pieces.map(({ id, firstLine: first, lastLine: last }) => [id, { path, first, last }] as const),
    ),
  );
  const search = new MiniSearch<{ id: number; path: string; text: string }>({ fields: ['path', 'text'] });
  search.addAll([...pieces].map(([id, piece]) => ({ id, path: piece.path, text: textOf(piece) })));
  const firstOf = (hits: readonly { readonly id: unknown }[]) =>
    hits.slice(0, AT).map(({ id }) => pieces.get(id as number));
  return {
    ours: (query) => firstOf(ranked.find(query, () => true)),
    miniSearch: (query) => firstOf(search.search(query)),
  };
}

/** The questions of a class whose answer is among the first five results, in parts of all. */
const recall = (asked: readonly Question[], search: Search): number =>
  asked.filter((question) => search(question.ask).some((each) => each !== undefined && answers(each, question)))
    .length / asked.length;

it('has every answer in the workspace', () => {
  const lost = Object.values(questions)
    .flat()
    .filter(({ path, holds }) => files.get(path)?.includes(holds) !== true);
  expect(lost).toEqual([]);
});

it.each(Object.entries(questions))(
  'finds more answers among its first five results than MiniSearch alone: %s',
  async (_name, asked) => {
    const { ours, miniSearch } = await searches();
    expect(recall(asked, ours)).toBeGreaterThan(recall(asked, miniSearch));
    expect(recall(asked, ours)).toBeGreaterThanOrEqual(0.95);
  },
);
