import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import MiniSearch, { type SearchOptions } from 'minisearch';
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
  // A busy machine parses slowly.
  limits: { ...INDEX_LIMITS, milliseconds: 60_000 },
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

/** MiniSearch as it comes, and with the options that its guide gives for typing errors. */
const ALONE: Readonly<Record<string, SearchOptions>> = {
  'as it comes': {},
  'with prefixes and fuzzy terms': { prefix: true, fuzzy: 0.2 },
};

/** Our ranking, and MiniSearch alone, over the very same pieces. */
async function searches(): Promise<{ readonly ours: Search; readonly alone: (options: SearchOptions) => Search }> {
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
    alone: (options) => (query) => firstOf(search.search(query, options)),
  };
}

/** Of the questions of a class, the places of their answers among the first five results, counted from 1; null for none. */
const placesOf = (asked: readonly Question[], search: Search): readonly (number | null)[] =>
  asked.map((question) => {
    const at = search(question.ask).findIndex((each) => each !== undefined && answers(each, question));
    return at < 0 ? null : at + 1;
  });

/** The questions with an answer there, in parts of all. */
const recall = (places: readonly (number | null)[]): number =>
  places.filter((place) => place !== null).length / places.length;

/** The mean of the reciprocal places. */
const meanRank = (places: readonly (number | null)[]): number =>
  places.reduce<number>((sum, place) => sum + (place === null ? 0 : 1 / place), 0) / places.length;

it('has every answer in the workspace', () => {
  const lost = Object.values(questions)
    .flat()
    .filter(({ path, holds }) => files.get(path)?.includes(holds) !== true);
  expect(lost).toEqual([]);
});

describe.each(Object.entries(questions))('questions of the class %s', (_name, asked) => {
  it.each(Object.entries(ALONE))('have better answers than MiniSearch alone gives, %s', async (_how, options) => {
    const { ours, alone } = await searches();
    const [own, other] = [placesOf(asked, ours), placesOf(asked, alone(options))];
    expect(meanRank(own)).toBeGreaterThan(meanRank(other));
    // Beside an answer to each question, no more are there to find.
    if (recall(other) < 1) expect(recall(own)).toBeGreaterThan(recall(other));
    expect(recall(own)).toBeGreaterThanOrEqual(0.95);
  });
});
