import {
  err,
  notFound,
  ok,
  type ApprovalRequestId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { chooseHits } from '../domain/choose-hits.js';
import { endingOf, type Ending } from '../domain/ending.js';
import { explainHit, namedTargets, type Explanation } from '../domain/explain-hit.js';
import { betterRanks, fuseRankings, type RankedPrecedent } from '../domain/fuse-rankings.js';
import { pastLine, pastOfRequest } from '../domain/past-line.js';
import { asAgentSees, type SeenPrecedent } from '../domain/precedent.js';
import { NO_WORDS } from '../domain/shared-words.js';
import type { Meaning, Meanings, PrecedentMeanings } from './meaning.ports.js';
import type { Precedents, Question, Rankings, SearchingAgent } from './precedent.ports.js';

/** A precedent that was found, with the reasons. */
export interface PrecedentHit extends Explanation {
  readonly precedent: SeenPrecedent;
  readonly ending: Ending;
  readonly score: number;
  /** Its rank in each ranking that holds it, from 1. */
  readonly ranks: Readonly<Record<keyof Rankings | 'meaning', number | null>>;
}

/** The precedents that a search found: history, and no authority. */
export interface FoundPrecedents {
  readonly hits: readonly PrecedentHit[];
  /** One line about precedents of the same tools, environment and argument keys. Null if the question leaves any of these open. */
  readonly line: string | null;
  /** The ways of the search, in words. */
  readonly searchedBy: string;
}

/** The parts that find precedents by meaning. */
interface ByMeaning {
  readonly meanings: Meanings;
  readonly vectors: PrecedentMeanings;
}

/** So many of the best are there to choose from, and all that are found by meaning. */
const POOL = 40;

/** Finds requests and runs of the past, with their approvers and their ends. Nothing is decided by them. */
export class FindPrecedents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly precedents: Precedents,
    private readonly byMeaning: ByMeaning | null = null,
  ) {}

  /** Precedents of a request; an agent asks about its own requests alone. Failures: `resource.not_found`. */
  async ofRequest(by: Principal, id: ApprovalRequestId, most: number): Promise<Result<FoundPrecedents>> {
    const question = await this.uow.run(by.tenantId, (tx) => this.precedents.ofRequest(tx, id, agentIn(by)));
    return question === null ? err(notFound('approval request')) : ok(await this.#answer(by, question, most));
  }

  /** Precedents of a question. */
  search(by: Principal, question: Omit<Question, 'except'>, most: number): Promise<FoundPrecedents> {
    return this.#answer(by, { ...question, except: null }, most);
  }

  /**
   * The line about the past of an open request; null if there is no such request.
   *
   * @param counted the answer of `precedent_past_of_open`, if the caller has it.
   */
  async lineOf(tx: Tx, id: ApprovalRequestId, counted?: unknown): Promise<string | null> {
    const past = counted === undefined ? await this.precedents.pastOfOpen(tx, id) : pastOfRequest.parse(counted);
    return past === null ? null : pastLine(past);
  }

  /** The embedder answers before the transaction, which holds a connection. */
  async #answer(by: Principal, question: Question, most: number): Promise<FoundPrecedents> {
    const said = question.goal ?? question.text;
    const meaning = (await this.byMeaning?.meanings.execute(by.tenantId, said)) ?? null;
    return this.uow.run(by.tenantId, (tx) => this.#find(tx, question, meaning, by, most));
  }

  async #find(
    tx: Tx,
    question: Question,
    meaning: Meaning | null,
    by: Principal,
    most: number,
  ): Promise<FoundPrecedents> {
    const agent = agentIn(by);
    const rankings = await this.precedents.rank(tx, question, agent);
    const alike =
      meaning === null ? [] : ((await this.byMeaning?.vectors.alike(tx, meaning, question.except, agent)) ?? []);
    const all = fuseRankings([betterRanks(rankings.words, alike), rankings.structure, rankings.near]);
    const warning = isWhole(question) ? await this.precedents.lastBad(tx, question, question.except) : null;
    const meantSo = new Set(alike.map(({ id }) => id));
    // Many that have the words of the question would push out a failure that is told in other words.
    const best = all.filter(({ id }, at) => at < POOL || meantSo.has(id));
    // Many newer ones of the same shape would push it out.
    const fused =
      warning === null || best.some(({ id }) => id === warning)
        ? best
        : [...best, all.find(({ id }) => id === warning) ?? { id: warning, score: 0 }];
    const pool = fused.map(({ id }) => id);
    const ends = new Map((await this.precedents.endsOf(tx, pool)).map((one) => [one.id, one]));
    const scored = fused.flatMap(({ id, score }) => {
      const end = ends.get(id);
      return end === undefined
        ? []
        : [{ id, score, ending: endingOf(end.endedAs, end.unknownEffects, end.effects), warns: id === warning }];
    });
    const chosen = chooseHits(scored, most);
    const ids = chosen.map(({ id }) => id);
    const read = new Map((await this.precedents.read(tx, ids)).map((one) => [one.id, one]));
    const words = await this.precedents.sharedWords(tx, ids, question.text, rankings.terms, agent);
    return {
      hits: chosen.flatMap(({ id, score, ending }) => {
        const precedent = read.get(id);
        if (precedent === undefined) return [];
        const { equal, different } = explainHit(question, precedent, words.get(id) ?? NO_WORDS);
        const meant = rankIn(alike, id);
        return {
          ...{ score, ending, different },
          precedent:
            agent === null ? precedent : asAgentSees(precedent, agent, namedTargets(question, precedent.targets)),
          equal: meant === null ? equal : [...equal, 'a similar meaning'],
          ranks: {
            words: rankIn(rankings.words, id),
            structure: rankIn(rankings.structure, id),
            near: rankIn(rankings.near, id),
            meaning: meant,
          },
        };
      }),
      line: await this.#line(tx, question),
      searchedBy: meaning === null ? 'words and structure' : 'words, structure and meaning',
    };
  }

  async #line(tx: Tx, question: Question): Promise<string | null> {
    if (!isWhole(question)) return null;
    return pastLine(await this.precedents.pastOf(tx, question, question.except));
  }
}

/** A search that leaves a part of the shape open has no past: nothing has exactly that shape. A request leaves none open. */
const isWhole = ({ tools, environment, argumentKeys, except }: Question): boolean =>
  except !== null || (tools.length > 0 && environment !== null && argumentKeys.length > 0);

const agentIn = (by: Principal): SearchingAgent => (by.kind === 'agent' ? by.agentId : null);

const rankIn = (ranking: readonly RankedPrecedent[], id: string): number | null =>
  ranking.find((one) => one.id === id)?.rank ?? null;
