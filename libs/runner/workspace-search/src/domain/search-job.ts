import type { RankedIn } from './fuse-rankings.js';

/** The bounds of an index. Files beyond them are counted as left out. */
export interface IndexLimits {
  readonly files: number;
  /** Of all its files together. */
  readonly bytes: number;
  readonly fileBytes: number;
  /** A call reads the index and changed files for so long; the next call goes on. The rest of its time is for the answer. */
  readonly milliseconds: number;
  /** Most entries of one folder. */
  readonly entries: number;
  /** Most files and folders that one call looks at, those that are left out too. */
  readonly walked: number;
}

export const INDEX_LIMITS: IndexLimits = {
  files: 10_000,
  bytes: 16_000_000,
  fileBytes: 500_000,
  milliseconds: 6_000,
  entries: 20_000,
  walked: 60_000,
};

/** One question to the index of a session. It is plain data, so that a thread can have it. */
export interface SearchJob {
  /** The folder that agents work in. */
  readonly root: string;
  /** The folder that keeps the index: outside the root. */
  readonly folder: string;
  readonly query: string;
  /** The folder or file to search, from the root; empty for all. Nothing beside it is brought up to date. */
  readonly path: string;
  readonly language: string | null;
  readonly most: number;
  readonly limits: IndexLimits;
  /** The server that gives code its vectors; without one, no code leaves but by the excerpts of an answer. */
  readonly embedder?: SearchEmbedder;
}

/** A server with the embeddings of OpenAI's API, which the operator of the runner named. */
export interface SearchEmbedder {
  readonly url: string;
  readonly model: string;
  /** The length of a vector to ask for; null for that of the model. */
  readonly dimensions: number | null;
  readonly token: string | null;
  /** The certificates in PEM that alone vouch for it; null for the public authorities. */
  readonly ca: string | null;
}

/** True if a path is a folder or file, or inside it; both from the root, which is empty. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** A reason why a file is not in the index. */
export const LEFT_OUT = [
  'ignored',
  'secret_file',
  'not_text',
  'generated',
  'too_large',
  'not_a_plain_file',
  'unreadable',
  'beyond_bounds',
  'not_yet',
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

export interface SearchHit {
  readonly path: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly language: string;
  readonly symbols: readonly string[];
  readonly kind: string | null;
  readonly score: number;
  readonly reasons: readonly RankedIn[];
  readonly snippet: { readonly first_line: number; readonly text: string };
}

export interface SearchAnswer {
  readonly results: readonly SearchHit[];
  readonly index: {
    readonly files: number;
    readonly pieces: number;
    /** Files that this call read anew, and files that went away. */
    readonly updated: number;
    readonly removed: number;
    /** True if no bound and no lack of time left out a file of the folder that was searched. */
    readonly complete: boolean;
    readonly left_out: Readonly<Partial<Record<LeftOut, number>>>;
  };
  /** With an embedder: how many pieces have a vector, how many wait for the next call, and its error. */
  readonly meaning?: { readonly pieces: number; readonly waiting: number; readonly error: string | null };
  /** Without an embedder that answers in time there is no ranking by meaning. */
  readonly ranked_by: 'words, structure and spelling' | 'words, structure, spelling and meaning';
}

/** Answers a question. @throws {ToolRefusal} as the confined root, and `runner.search_failed` if the thread ends early. */
export type WorkspaceSearch = (job: SearchJob, signal: AbortSignal) => Promise<SearchAnswer>;
