import { createHash } from 'node:crypto';
import { atEntry, namesOf, textOf, ToolRefusal, withRoot, type Folder } from '#lib/workspace';
import type { Found } from '../domain/piece-index.js';
import type { Piece } from '../domain/piece.js';
import {
  isWithin,
  type SearchAnswer,
  type SearchHit,
  type SearchJob,
  type WorkspaceSearch,
} from '../domain/search-job.js';
import { snippetOf } from '../domain/snippet.js';
import { readIndex, writeIndex, type KeptFile, type KeptIndex } from './kept-index.js';
import type { VectorPiece } from './embed-pieces.js';
import { meaningOfPieces, type MeaningOfPieces } from './piece-vectors.js';
import { updateIndex } from './update-index.js';

/** An embedder may take so long beyond the time for files. The rest waits for the next call. */
const MEANING_MS = 4_000;

/** More pieces of one file say little more. */
const MAX_PER_FILE = 3;

/** Brings the session's index to the state of the requested folder, and answers the question from it. */
export const searchWorkspace: WorkspaceSearch = (job, signal) =>
  withRoot(job.root, async (root): Promise<SearchAnswer> => {
    const until = performance.now() + job.limits.milliseconds;
    const index = await readIndex(job.folder, job.root);
    const { updated, removed, leftOut, isChanged } = await updateIndex(
      root,
      index,
      { ...job.limits, until, below: job.path },
      signal,
    );
    signal.throwIfAborted();
    if (isChanged) await writeIndex(job.folder, job.root, index);
    const pieces = wantedPieces(index, job.path, job.language);
    const results: SearchHit[] = [];
    const ofFile = new Map<string, number>();
    const meaning = await meaningOf(job, root, index, pieces, until + MEANING_MS);
    signal.throwIfAborted();
    for (const found of index.pieces.find(job.query, (id) => pieces.has(id), meaning?.nearest ?? [])) {
      signal.throwIfAborted();
      const located = pieces.get(found.id);
      if (results.length >= job.most) break;
      if (located === undefined || (ofFile.get(located.path) ?? 0) >= MAX_PER_FILE) continue;
      const hit = await hitOf(root, located, found);
      if (hit === null) continue;
      results.push(hit);
      ofFile.set(located.path, (ofFile.get(located.path) ?? 0) + 1);
    }
    const read = [...index.files.values()].filter((file) => file.leftOut === null);
    return {
      results,
      index: {
        files: read.length,
        pieces: read.reduce((sum, file) => sum + file.pieces.length, 0),
        ...{ updated, removed, complete: isWhole(leftOut), left_out: leftOut },
      },
      ...(meaning === null ? {} : { meaning: meaning.state }),
      ranked_by: meaning?.nearest == null ? 'words, structure and spelling' : 'words, structure, spelling and meaning',
    };
  });

/** The vectors of pieces, those first that the words find. Null without an embedder. */
async function meaningOf(
  { embedder, folder, query }: SearchJob,
  root: Folder,
  index: KeptIndex,
  pieces: ReadonlyMap<number, LocatedPiece>,
  until: number,
): Promise<MeaningOfPieces | null> {
  if (embedder === undefined) return null;
  const first = index.pieces.find(query, (id) => pieces.has(id)).map(({ id }) => id);
  const texts = { path: '', lines: null as readonly string[] | null };
  const wanted = [...new Set([...first, ...pieces.keys()])].flatMap((id): VectorPiece[] => {
    const located = pieces.get(id);
    if (located === undefined) return [];
    const { path, file, piece } = located;
    const text = async (): Promise<string | null> => {
      // Pieces of one file mostly follow each other.
      if (texts.path !== path)
        Object.assign(texts, { path, lines: (await textAt(root, path, file))?.split(/\r?\n/) ?? null });
      return texts.lines === null ? null : [path, ...texts.lines.slice(piece.firstLine - 1, piece.lastLine)].join('\n');
    };
    return [{ id, key: `${file.digest}:${String(piece.firstLine)}-${String(piece.lastLine)}`, text }];
  });
  return await meaningOfPieces(folder, embedder, query, wanted, until);
}

const isWhole = ({ not_yet = 0, beyond_bounds = 0 }: SearchAnswer['index']['left_out']): boolean =>
  not_yet + beyond_bounds === 0;

/** A piece, and its file. */
interface LocatedPiece {
  readonly path: string;
  readonly file: KeptFile;
  readonly piece: Piece;
}

function wantedPieces({ files }: KeptIndex, below: string, language: string | null): ReadonlyMap<number, LocatedPiece> {
  const wanted = new Map<number, LocatedPiece>();
  for (const [path, file] of files) {
    if (!isWithin(path, below)) continue;
    if (language !== null && file.language !== language) continue;
    for (const piece of file.pieces) wanted.set(piece.id, { path, file, piece });
  }
  return wanted;
}

/** Null if the file changed since it was indexed: its lines are elsewhere now. */
async function hitOf(root: Folder, { path, file, piece }: LocatedPiece, found: Found): Promise<SearchHit | null> {
  const text = await textAt(root, path, file);
  if (text === null) return null;
  const lines = text.split(/\r?\n/).slice(piece.firstLine - 1, piece.lastLine);
  const terms = new Set(found.reasons.flatMap((reason) => reason.terms));
  const { offset, text: shown } = snippetOf(lines, terms);
  return {
    path,
    first_line: piece.firstLine,
    last_line: piece.lastLine,
    language: file.language,
    symbols: piece.symbols.slice(0, SHOWN_SYMBOLS),
    kind: piece.kind,
    score: Number(found.score.toFixed(4)),
    reasons: found.reasons.map((reason) => ({ ...reason, terms: reason.terms.slice(0, SHOWN_TERMS) })),
    snippet: { first_line: piece.firstLine + offset, text: shown },
  };
}

const SHOWN_SYMBOLS = 10;
const SHOWN_TERMS = 12;

async function textAt(root: Folder, path: string, { size, digest }: KeptFile): Promise<string | null> {
  try {
    const { content } = await atEntry(root, namesOf(path), (folder, name) => folder.read(name, size));
    return createHash('sha256').update(content).digest('hex') === digest ? textOf(content) : null;
  } catch (problem) {
    if (problem instanceof ToolRefusal) return null;
    throw problem;
  }
}
