import { newId, type AgentId, type ApprovalRequestId, type EnvironmentId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { endingOf } from '../domain/ending.js';
import type { RankedPrecedent } from '../domain/fuse-rankings.js';
import { MAX_COUNTED, type PastCount } from '../domain/past-line.js';
import type { Precedent, Structure } from '../domain/precedent.js';
import { sharedWordsOf, type SharedWord, type SharedWords } from '../domain/shared-words.js';
import type { FoundTerm, PrecedentEnd, Precedents, Question, Ranked, SearchingAgent } from './precedent.ports.js';

/** A precedent that a test invents. */
export interface InventedPrecedent {
  readonly id?: string;
  readonly agentId?: string;
  readonly goal: string;
  readonly said?: string;
  readonly tools: readonly string[];
  readonly environment: string;
  readonly arguments?: readonly string[];
  readonly targets?: readonly string[];
  readonly endedAs?: string;
}

interface Kept {
  readonly precedent: Precedent;
  readonly said: string;
}

const AT = Date.UTC(2026, 10, 3, 9);
/** The least similarity of spellings that counts. */
const SIMILAR = 0.4;

/** Precedents in memory: equal words, shared structure, and similar spellings, without stems and rarity. */
export class FakePrecedents implements Precedents {
  readonly #kept: FakeTable<Kept>;
  readonly #requests: FakeTable<Question & { readonly agentId: AgentId | null }>;

  constructor(database: FakeUnitOfWork) {
    this.#kept = new FakeTable(database);
    this.#requests = new FakeTable(database);
  }

  keep(tx: Tx, all: readonly InventedPrecedent[]): Promise<void> {
    for (const one of all) {
      const id = one.id ?? newId();
      this.#kept.of(tx).set(id, { precedent: precedentOf(id, one), said: one.said ?? '' });
    }
    return Promise.resolve();
  }

  /** An open request: nothing but a question. */
  open(tx: Tx, id: ApprovalRequestId, { except: _, ...question }: Question, agentId: AgentId | null): Promise<void> {
    this.#requests.of(tx).set(id, { ...question, except: id, agentId });
    return Promise.resolve();
  }

  ofRequest(tx: Tx, id: ApprovalRequestId, by: SearchingAgent): Promise<Question | null> {
    const found = this.#requests.of(tx).get(id);
    if (found === undefined || (by !== null && found.agentId !== by)) return Promise.resolve(null);
    const { agentId: _, ...question } = found;
    return Promise.resolve(question);
  }

  rank(tx: Tx, question: Question, by: SearchingAgent): Promise<Ranked> {
    const words = wordsOf(question.text);
    const rows = this.#rows(tx).filter(({ precedent }) => precedent.id !== question.except);
    const known = new Set(rows.flatMap((row) => foundBy(row, by)));
    const sought = words.filter((word) => word.length > 3 && (/[^a-z]/.test(word) || !known.has(word)));
    const rankedBy = (scoreOf: (row: Kept) => number): readonly RankedPrecedent[] =>
      ranked(rows.map((row) => ({ id: row.precedent.id, score: scoreOf(row) })));
    const sharedBy = (row: Kept): number => words.filter((word) => foundBy(row, by).includes(word)).length;
    const whole = new Set(rows.filter((row) => sharedBy(row) === words.length).map(({ precedent: { id } }) => id));
    return Promise.resolve({
      words: rankedBy(sharedBy).map((one) => ({ ...one, whole: whole.has(one.id) })),
      near: rankedBy((row) => sought.reduce((sum, word) => sum + nearest(word, foundBy(row, by)), 0)),
      structure: rankedBy(({ precedent }) => shared(question, precedent)),
      terms: [
        ...words.filter((word) => known.has(word)).map((word) => ({ sought: word, term: word, common: false })),
        ...sought.flatMap((word) =>
          [...known]
            .filter((term) => term !== word && similarity(word, term) >= SIMILAR)
            .map((term) => ({ sought: word, term, common: false })),
        ),
      ],
    });
  }

  endsOf(tx: Tx, ids: readonly string[]): Promise<readonly PrecedentEnd[]> {
    return this.read(tx, ids);
  }

  read(tx: Tx, ids: readonly string[]): Promise<readonly Precedent[]> {
    const all = this.#rows(tx).map(({ precedent }) => precedent);
    return Promise.resolve(all.filter(({ id }) => ids.includes(id)));
  }

  sharedWords(
    tx: Tx,
    ids: readonly string[],
    text: string,
    terms: readonly FoundTerm[],
    by: SearchingAgent,
  ): Promise<ReadonlyMap<string, SharedWords>> {
    const words = wordsOf(text);
    const rows = this.#rows(tx).filter(({ precedent }) => ids.includes(precedent.id));
    const found = rows.map((row) => {
      const its = foundBy(row, by);
      const shared = terms.filter(({ sought, term }) => words.includes(sought) && its.includes(term));
      const all = shared.map(({ sought, term }): SharedWord => ({
        said: sought,
        found: term,
        kind: sought === term ? 'words' : 'similar',
      }));
      return [row.precedent.id, sharedWordsOf(all)] as const;
    });
    return Promise.resolve(new Map(found));
  }

  lastBad(tx: Tx, structure: Structure, except: string | null): Promise<string | null> {
    const bad = this.#ofShape(tx, structure, except).filter(
      ({ endedAs, unknownEffects, effects }) => endingOf(endedAs, unknownEffects, effects) === 'bad',
    );
    return Promise.resolve(bad[0]?.id ?? null);
  }

  pastOf(tx: Tx, structure: Structure, except: string | null): Promise<readonly PastCount[]> {
    const counts = new Map<string, PastCount>();
    for (const { endedAs, unknownEffects, effects, endedAt } of this.#ofShape(tx, structure, except)) {
      const count = (counts.get(endedAs)?.count ?? 0) + 1;
      counts.set(endedAs, { endedAs, unknownEffects, effects, count, lastAt: endedAt });
    }
    return Promise.resolve([...counts.values()]);
  }

  async pastOfOpen(tx: Tx, id: ApprovalRequestId): Promise<readonly PastCount[] | null> {
    const open = await this.ofRequest(tx, id, null);
    return open === null ? null : this.pastOf(tx, open, open.except);
  }

  /** Newest first. */
  #rows(tx: Tx): readonly Kept[] {
    return [...this.#kept.of(tx).values()].sort((one, other) => (one.precedent.id < other.precedent.id ? 1 : -1));
  }

  #ofShape(tx: Tx, asked: Structure, except: string | null): readonly Precedent[] {
    return this.#rows(tx)
      .map(({ precedent }) => precedent)
      .filter((precedent) => precedent.id !== except && sameShape(asked, precedent))
      .slice(0, MAX_COUNTED);
  }
}

const sorted = (names: readonly string[] = []): readonly string[] => [...new Set(names)].sort();
const wordsOf = (text: string): readonly string[] => [...new Set(text.toLowerCase().match(/[a-z0-9][\w.-]*\w/g))];

function precedentOf(id: string, one: InventedPrecedent): Precedent {
  return {
    ...{ id, requestId: id as ApprovalRequestId, runId: null, incidentId: null, taskId: null },
    subject: { type: 'plan', id: newId() },
    environmentId: newId<EnvironmentId>(),
    environment: one.environment,
    agentId: (one.agentId ?? null) as AgentId | null,
    ...{ personId: null, submittedBy: null, approvedBy: [], because: null, phases: 'all', headline: null },
    ...{ endedAs: one.endedAs ?? 'completed', unknownEffects: 0, effects: 0 },
    ...{ tools: sorted(one.tools), argumentKeys: sorted(one.arguments), targets: sorted(one.targets) },
    targetCount: one.targets?.length ?? 0,
    ...{ goal: one.goal, goalIsOwn: true, openedAt: AT, endedAt: AT, erased: false },
  };
}

/** The words by which the searcher may find a precedent. */
function foundBy({ precedent, said }: Kept, by: SearchingAgent): readonly string[] {
  const { tools, environment, argumentKeys, targets, goal, agentId } = precedent;
  const structure = [...tools, environment, ...argumentKeys];
  const own = by === null || agentId === by ? [...targets, goal ?? ''] : [];
  return wordsOf([...structure, ...own, by === null ? said : ''].join(' '));
}

const sameShape = (asked: Structure, found: Precedent): boolean =>
  asked.environment === found.environment &&
  sorted(asked.tools).join() === found.tools.join() &&
  sorted(asked.argumentKeys).join() === found.argumentKeys.join();

function shared(asked: Question, found: Precedent): number {
  const tools = asked.tools.filter((tool) => found.tools.includes(tool)).length;
  const ranks = asked.environment === found.environment ? tools : 0;
  const targets = asked.targets.filter((target) => found.targets.includes(target)).length;
  const named =
    asked.tools.length + asked.targets.length > 0
      ? 0
      : wordsOf(asked.text).filter((word) => [...found.tools, ...found.targets].includes(word)).length;
  return tools + ranks + targets + named + (sameShape(asked, found) ? 1 : 0);
}

const trigrams = (word: string): ReadonlySet<string> =>
  new Set(Array.from(`${word} `, (_letter, at) => `  ${word} `.slice(at, at + 3)));

function similarity(one: string, other: string): number {
  const [grams, its] = [trigrams(one), trigrams(other)];
  const both = [...its].filter((gram) => grams.has(gram)).length;
  return both / (its.size + grams.size - both);
}

/** The similarity of the most similar word; 0 if none is similar. */
function nearest(sought: string, words: readonly string[]): number {
  const best = Math.max(0, ...words.map((word) => similarity(sought, word)));
  return best >= SIMILAR ? best : 0;
}

function ranked(all: readonly { readonly id: string; readonly score: number }[]): readonly RankedPrecedent[] {
  const found = all.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return found.map(({ id, score }) => ({ id, rank: found.findIndex((one) => one.score === score) + 1 }));
}
