import MiniSearch, { type AsPlainObject, type Options, type SearchOptions } from 'minisearch';
import { fuseRankings, type RankedIn, type Ranking } from './fuse-rankings.js';
import type { Piece } from './piece.js';
import { termsOf, termsOfQuery } from './terms.js';

/** A piece with its file, as the index takes it in. */
export interface IndexedPiece extends Piece {
  readonly id: number;
  readonly path: string;
  readonly language: string;
}

/** A piece that answers a question. */
export interface Found {
  readonly id: number;
  /** The sum of the reciprocal ranks. */
  readonly score: number;
  /** The rankings that have it, best first. */
  readonly reasons: readonly RankedIn[];
}

type Field = 'text' | 'names' | 'path' | 'imports' | 'kind';
type Fields = Readonly<Record<Field, string>> & { readonly id: number };

/** A path of tests is asked for as such. */
const TEST_PATH = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i;

const OPTIONS: Options<Fields> = {
  fields: ['text', 'names', 'path', 'imports', 'kind'],
  tokenize: termsOf,
  processTerm: (term) => term,
  searchOptions: { tokenize: termsOfQuery, combineWith: 'OR' },
};

/** Each ranking asks one thing of a piece: its words, its place in the structure, or a nearly equal spelling. */
const RANKINGS: Readonly<Record<Exclude<Ranking, 'meaning'>, SearchOptions>> = {
  words: { fields: ['text', 'names'] },
  structure: { fields: ['names', 'path', 'imports', 'kind'], boost: { names: 3, path: 2 } },
  spelling: {
    fields: ['names', 'path', 'text'],
    boost: { names: 2 },
    // Two letters that changed places are two edits.
    fuzzy: (term) => (term.length > 4 ? 2 : term.length > 3 ? 1 : false),
    prefix: (term) => term.length > 2,
  },
};

/** Of each ranking, so many pieces count. */
const RANKED = 50;

/** An index over pieces of source files: BM25 over their terms, by MiniSearch. */
export class PieceIndex {
  readonly #search: MiniSearch<Fields>;

  private constructor(search: MiniSearch<Fields>) {
    this.#search = search;
  }

  static empty(): PieceIndex {
    return new PieceIndex(new MiniSearch(OPTIONS));
  }

  /** @param stored the result of {@link toJSON}. @throws if it is none. */
  static of(stored: AsPlainObject): PieceIndex {
    return new PieceIndex(MiniSearch.loadJS(stored, OPTIONS));
  }

  toJSON(): AsPlainObject {
    return this.#search.toJSON();
  }

  add(piece: IndexedPiece, text: string): void {
    this.#search.add({
      id: piece.id,
      text,
      names: piece.symbols.join(' '),
      path: piece.path,
      imports: piece.imports,
      kind: `${piece.language} ${piece.kind ?? ''}${TEST_PATH.test(piece.path) ? ' test' : ''}`,
    });
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#search.discard(id);
  }

  /** Gives the room of removed pieces back, if it is worth it. */
  async tidy(): Promise<void> {
    if (this.#search.dirtFactor > 0.1) await this.#search.vacuum();
  }

  /**
   * The pieces that answer a question, best first, of those that are wanted.
   *
   * @param nearest those of nearest meaning, best first.
   */
  find(query: string, wanted: (id: number) => boolean, nearest: readonly number[] = []): Found[] {
    const rankings = Object.entries(RANKINGS).map(([name, options]) => ({
      // The keys of this constant are the rankings.
      name: name as Ranking,
      hits: this.#search
        // Pieces are indexed by numbers; the package types an id as any.
        .search(query, { ...options, filter: ({ id }) => wanted(id as number) })
        .slice(0, RANKED)
        // Pieces are indexed by numbers.
        .map(({ id, terms }) => ({ id: id as number, terms })),
    }));
    const meaning = { name: 'meaning' as const, hits: nearest.map((id) => ({ id, terms: [] })) };
    return fuseRankings([...rankings, meaning]);
  }
}
