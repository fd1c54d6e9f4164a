import { rmSync } from 'node:fs';
import MiniSearch, { type SearchOptions } from 'minisearch';
import {
  AT,
  layOutWorkspace,
  meanRank,
  rankOf,
  recall,
  textOf,
  workspaceFiles,
  workspaceQuestions,
  type Lines,
} from '../../../../test/support/judged-workspace.js';
import { readIndex } from './adapters/kept-index.js';
import { searchWorkspace } from './adapters/search-workspace.js';

type Search = (query: string) => (Lines | undefined)[];

/** MiniSearch as it comes, and with the options that its guide gives for typing errors. */
const ALONE: Readonly<Record<string, SearchOptions>> = {
  'as it comes': {},
  'with prefixes and fuzzy terms': { prefix: true, fuzzy: 0.2 },
};

const questions = workspaceQuestions('questions.json');
const { job, base } = layOutWorkspace();
let ours: Search;
let alone: (options: SearchOptions) => Search;

/** Our ranking, and MiniSearch alone, over the very same pieces. */
beforeAll(async () => {
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
  ours = (query) => firstOf(ranked.find(query, () => true));
  alone = (options) => (query) => firstOf(search.search(query, options));
}, 120_000);
afterAll(() => {
  rmSync(base, { recursive: true });
});

it('has every answer in the workspace', () => {
  const all = { ...questions, ...workspaceQuestions('paraphrases.json') };
  const lost = Object.values(all)
    .flat()
    .filter(({ path, holds }) => workspaceFiles.get(path)?.includes(holds) !== true);
  expect(lost).toEqual([]);
});

describe.each(Object.entries(questions))('questions of the class %s', (_name, asked) => {
  it.each(Object.entries(ALONE))('have better answers than MiniSearch alone gives, %s', (_how, options) => {
    const ranksBy = (search: Search) => asked.map((question) => rankOf(question, search(question.ask)));
    const [own, other] = [ranksBy(ours), ranksBy(alone(options))];
    expect(meanRank(own)).toBeGreaterThan(meanRank(other));
    expect(recall(own)).toBeGreaterThan(recall(other));
    expect(recall(own)).toBeGreaterThanOrEqual(0.95);
  });
});
