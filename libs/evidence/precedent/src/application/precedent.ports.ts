import type { AgentId, ApprovalRequestId, Tx } from '#lib/kernel';
import type { RankedPrecedent, RankedByWords } from '../domain/fuse-rankings.js';
import type { PastCount } from '../domain/past-line.js';
import type { Precedent, Structure } from '../domain/precedent.js';
import type { SharedWords } from '../domain/shared-words.js';

/** The agent that searches, or null for a person. An agent finds others' precedents by their structure alone, and its own by its words too. */
export type SearchingAgent = AgentId | null;

/** A question to the precedents. */
export interface Question extends Structure {
  readonly text: string;
  /** The words to compare by meaning, if they are others than the text. */
  readonly goal?: string;
  /** The precedent to leave out; null if none. */
  readonly except: string | null;
}

/** The ranks of precedents by each way to search, from 1; several share a rank if nothing sets them apart. */
export interface Rankings {
  /** BM25 over words, by their stem; a word that no precedent has counts as the most similar ones. */
  readonly words: readonly RankedByWords[];
  /** The same tools, environment and argument keys, and shared targets. */
  readonly structure: readonly RankedPrecedent[];
  /** The same over ids, hosts, tickets and unknown words alone, by trigrams. */
  readonly near: readonly RankedPrecedent[];
}

/** A term by which precedents were found. */
export interface FoundTerm {
  /** The term of the text. */
  readonly sought: string;
  /** The term of precedents: the same, or one that is spelt alike. */
  readonly term: string;
  /** Whether so many precedents have it that it says little. */
  readonly common: boolean;
}

/** The rankings, and the terms that made those by words and spellings. */
export interface Ranked extends Rankings {
  readonly terms: readonly FoundTerm[];
}

/** How a precedent ended. */
export type PrecedentEnd = Pick<Precedent, 'id' | 'endedAs' | 'unknownEffects' | 'effects'>;

/** Searches and reads precedents. */
export interface Precedents {
  /** A request as a question, with the words of its submitter. Null if there is none, or it is none of this agent's own. */
  ofRequest(tx: Tx, id: ApprovalRequestId, by: SearchingAgent): Promise<Question | null>;
  rank(tx: Tx, question: Question, by: SearchingAgent): Promise<Ranked>;
  /** The ends of these, in no order. */
  endsOf(tx: Tx, ids: readonly string[]): Promise<readonly PrecedentEnd[]>;
  /** Of these ids, in no order. */
  read(tx: Tx, ids: readonly string[]): Promise<readonly Precedent[]>;
  /** For each precedent, the words of the text that found it: only those by which the searcher may find it. */
  sharedWords(
    tx: Tx,
    ids: readonly string[],
    text: string,
    terms: readonly FoundTerm[],
    by: SearchingAgent,
  ): Promise<ReadonlyMap<string, SharedWords>>;
  /**
   * The newest precedent with exactly these tools, environment and argument keys that ended badly; null if none. Of a shape, no more
   * than the newest `MAX_COUNTED` are looked at, here and by `pastOf`.
   */
  lastBad(tx: Tx, structure: Structure, except: string | null): Promise<string | null>;
  /** How many precedents with exactly these tools, environment and argument keys ended in which way. */
  pastOf(tx: Tx, structure: Structure, except: string | null): Promise<readonly PastCount[]>;
  /** The same for the shape of a request; null if there is no such request, or it is not open. */
  pastOfOpen(tx: Tx, id: ApprovalRequestId): Promise<readonly PastCount[] | null>;
}
