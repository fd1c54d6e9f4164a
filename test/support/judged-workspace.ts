import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { INDEX_LIMITS, type SearchJob } from '../../libs/runner/workspace-search/src/domain/search-job.js';

/** A question about the invented workspace. */
export interface WorkspaceQuestion {
  readonly ask: string;
  readonly path: string;
  /** The answer is a piece of that file with this text. */
  readonly holds: string;
}

/** The lines of a piece, counted from 1. */
export interface Lines {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Answers that count: the first five. */
export const AT = 5;

/** The files of the workspace, by their paths. */
export const workspaceFiles: ReadonlyMap<string, string> = new Map(
  [...readFileSync('test/search/workspace.md', 'utf8').matchAll(/^## (\S+)\n\n````\w+\n(.*?)^````$/gms)].map(
    ([, path = '', content = '']) => [path, content] as const,
  ),
);

/** The questions of a file beside the workspace, by their classes. */
export const workspaceQuestions = (file: string): Readonly<Record<string, readonly WorkspaceQuestion[]>> =>
  JSON.parse(readFileSync(`test/search/${file}`, 'utf8')) as Record<string, WorkspaceQuestion[]>;

/** Lays the workspace out in a new folder. @returns a search of it, with no question yet, and the folder to remove. */
export function layOutWorkspace(): { readonly job: SearchJob; readonly base: string } {
  const base = mkdtempSync(join(tmpdir(), 'countersign-judged-'));
  const root = join(base, 'root');
  for (const [path, content] of workspaceFiles) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const job = { root, folder: join(base, 'session'), query: '', path: '', language: null, most: AT };
  // A busy machine parses slowly.
  return { base, job: { ...job, limits: { ...INDEX_LIMITS, milliseconds: 60_000 } } };
}

export const textOf = ({ path, first, last }: Lines): string =>
  (workspaceFiles.get(path) ?? '')
    .split('\n')
    .slice(first - 1, last)
    .join('\n');

/** The rank of the answer among the first five; null for none. */
export function rankOf({ path, holds }: WorkspaceQuestion, found: readonly (Lines | undefined)[]): number | null {
  const at = found.slice(0, AT).findIndex((each) => each?.path === path && textOf(each).includes(holds));
  return at < 0 ? null : at + 1;
}

/** The questions with an answer there, in parts of all. */
export const recall = (ranks: readonly (number | null)[]): number =>
  ranks.filter((rank) => rank !== null).length / ranks.length;

/** The mean of the reciprocal ranks. */
export const meanRank = (ranks: readonly (number | null)[]): number =>
  ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : 1 / rank), 0) / ranks.length;
