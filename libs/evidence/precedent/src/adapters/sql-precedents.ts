import { Any } from 'typeorm';
import { z } from 'zod';
import { reviewEntity } from '#lib/approval';
import { parsedValue, rowsOf, sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { ApprovalRequestId, PersonId, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { storedId } from '#lib/formats';
import type { RankedPrecedent, RankedByWords } from '../domain/fuse-rankings.js';
import { BAD_STATES } from '../domain/ending.js';
import { isMisspelling } from '../domain/is-misspelling.js';
import { countedUpTo, isCommon, splitByFrequency } from '../domain/rarity.js';
import { worthOfTerms, type Likened } from '../domain/worth-of-terms.js';
import { MAX_COUNTED, pastCounts, pastOfRequest, type PastCount } from '../domain/past-line.js';
import type { Precedent, Structure } from '../domain/precedent.js';
import { sharedWordsOf, type SharedWord, type SharedWords } from '../domain/shared-words.js';
import type {
  FoundTerm,
  PrecedentEnd,
  Precedents,
  Question,
  Ranked,
  SearchingAgent,
} from '../application/precedent.ports.js';
import { precedentEntity } from './precedent.entity.js';
import { CORPUS, NEAR, STRUCTURE, TERMS, WORDS } from './sql-precedent-rankings.js';
import { SHARED } from './sql-shared-words.js';

const AGENT = agentEntity.as('agent');
const PRECEDENT = precedentEntity.as('precedent');
const OF_SHAPE = precedentEntity.as('of_shape');
const PLAN = planEntity.as('plan');
const APPROVER = personEntity.as('approver');
const REVIEW = reviewEntity.as('review');
const PERSON = personEntity.as('person');

interface QuestionRow {
  readonly tools: string[];
  readonly environment: string;
  readonly argumentKeys: string[];
  readonly targets: string[];
  readonly text: string;
  readonly goal: string;
}

interface TermRow extends Likened {
  readonly term: string;
  readonly isId: boolean;
  readonly exact: boolean;
  /** Whether it is sought in the structure, else in words. */
  readonly structural: boolean;
  /** How many terms the text has, also those that no precedent has. */
  readonly said: number;
}

/** The precedents that a search looks at. */
interface Corpus {
  readonly since: string;
  readonly n: number;
  readonly mean: number;
  /** When it was counted, on the clock of this process. */
  readonly at: number;
}

const CORPUS_KEPT_MS = 60_000;
const MAX_CORPORA = 1_000;
/** Fewer are counted each time: it takes less than a millisecond, and each new one counts. */
const FEW = 1_000;

const PRECEDENT_ROW = precedentEntity.without('shape', 'terms', 'length');

interface PrecedentRow {
  readonly submittedBy: string | null;
  readonly headline: string | null;
  readonly approvedBy: unknown;
}

const approversSchema: z.ZodType<Precedent['approvedBy']> = z.array(
  z.object({ id: storedId<PersonId>(), name: z.string() }),
);

const READ = `
  select ${PRECEDENT_ROW.columns('precedent')}, coalesce(${AGENT.name}, countersign_shown_name(person)) as "submittedBy",
         case when ${PRECEDENT.erasedAt} is null then ${PLAN.headline} end as headline,
         (select coalesce(jsonb_agg(jsonb_build_object('id', ${APPROVER.id}, 'name', countersign_shown_name(approver))
                                    order by ${REVIEW.createdAt}, ${REVIEW.id}), '[]')
            from review join person approver on approver.tenant_id = review.tenant_id and ${APPROVER.id} = ${REVIEW.personId}
           where review.tenant_id = $1 and ${REVIEW.requestId} = ${PRECEDENT.requestId} and ${REVIEW.replacedAt} is null
             and ${REVIEW.verdict} = 'approve') as "approvedBy"
    from precedent
    left join plan on plan.tenant_id = precedent.tenant_id and ${PRECEDENT.subjectType} = 'plan' and ${PLAN.id} = ${PRECEDENT.subjectId}
    left join agent on agent.tenant_id = precedent.tenant_id and ${AGENT.id} = ${PRECEDENT.agentId}
    left join person on person.tenant_id = precedent.tenant_id and ${PERSON.id} = ${PRECEDENT.personId}
   where precedent.tenant_id = $1 and ${PRECEDENT.id} = any ($2)`;

/** For an agent only its own requests exist: the explanations name their targets. */
const OF_REQUEST = `
  select made.tools, made.environment_name as environment, made.arguments as "argumentKeys", made.targets,
         concat_ws(' ', case when $3::uuid is null or made.goal_is_own then made.goal end, made.own_words) as text,
         case when $3::uuid is null or made.goal_is_own then coalesce(made.goal, '') else '' end as goal
    from precedent_gather($2, null) made
   where made.id is not null and made.tenant_id = $1 and ($3::uuid is null or made.agent_id = $3)`;

const PAST = 'select precedent_past(precedent_shape($1, $2, $3), $4) as past';
const PAST_OF_OPEN = 'select precedent_past_of_open($1) as past';

const LAST_BAD = `
  select id
    from (select ${PRECEDENT.id}, ${PRECEDENT.endedAs}, ${PRECEDENT.unknownEffects}, ${PRECEDENT.effects} from precedent
           where tenant_id = $1 and ${PRECEDENT.shape} = precedent_shape($2, $3, $4) and ${PRECEDENT.id} is distinct from $5
           order by ${PRECEDENT.id} desc limit ${String(MAX_COUNTED)}) of_shape
   where ${OF_SHAPE.endedAs} = any ($6) or ${OF_SHAPE.unknownEffects} > 0 or ${OF_SHAPE.effects} > 0
   order by id desc limit 1`;

/** Precedents in PostgreSQL: words, structure and trigrams are plain tables, since RLS lets no other index serve a search. */
export class SqlPrecedents implements Precedents {
  readonly #corpora = new Map<string, Corpus>();

  async ofRequest(tx: Tx, id: ApprovalRequestId, by: SearchingAgent): Promise<Question | null> {
    const [row] = await sqlOf(tx).query<QuestionRow>(OF_REQUEST, [tx.tenantId, id, by]);
    return row === undefined ? null : { ...row, except: id };
  }

  async rank(tx: Tx, { except, text, ...structure }: Question, by: SearchingAgent): Promise<Ranked> {
    const sql = sqlOf(tx);
    // The planner takes a value for few rows; a common term has many.
    sql.executeAhead('set local plan_cache_mode = force_custom_plan');
    const { since, n, mean } = await this.#corpusOf(tx);
    const rows = await sql.query<TermRow>(TERMS, [tx.tenantId, text, since, countedUpTo(n), by]);
    const terms = worthOfTerms(rows, n);
    const known = new Set(terms.flatMap(({ exact, sought }) => (exact ? [sought] : [])));
    const inWords = terms.filter(({ exact, sought }) => exact || !known.has(sought));
    const { rare, frequent } = splitByFrequency(inWords, n);
    const sought = [...new Set(inWords.map((term) => term.sought))];
    const isSaid = ({ exact, isId, sought, term }: TermRow): boolean => exact || (!isId && isMisspelling(sought, term));
    const bitsOf = (those: typeof terms): number[] =>
      those.map((term) => (isSaid(term) ? 2 ** sought.indexOf(term.sought) : 0));
    // A term that is everywhere says nothing; one that is nowhere keeps any precedent from having all.
    const asked = new Set([...rare, ...frequent].map((term) => term.sought));
    const allBits =
      sought.length < (rows[0]?.said ?? 0)
        ? null
        : [...asked].reduce((sum, term) => sum + 2 ** sought.indexOf(term), 0);
    const searched = [tx.tenantId, since, by, except];
    const columns = (those: typeof terms) => [
      ...[those.map(({ term }) => term), those.map(({ structural }) => structural), those.map(({ worth }) => worth)],
    ];
    const words =
      rare.length === 0
        ? []
        : await sql.query<RankedByWords>(WORDS, [
            ...[...searched, mean, ...columns(rare), ...columns(frequent)],
            ...[bitsOf(rare), bitsOf(frequent), allBits],
          ]);
    const ids = words.map(({ id }) => id);
    const alike = splitByFrequency(
      terms.filter(({ sought, isId }) => isId || !known.has(sought)),
      n,
    ).rare;
    const near =
      alike.length === 0 ? [] : await sql.query<RankedPrecedent>(NEAR, [...searched, ...columns(alike), ids]);
    const df = new Map<string, number>();
    for (const row of rows) df.set(row.term, Math.max(row.df, df.get(row.term) ?? 0));
    const found = new Map([...inWords, ...alike].map((one) => [`${one.sought} ${one.term}`, one]));
    const { tools, environment, argumentKeys, targets } = structure;
    const pool = [...ids, ...near.map(({ id }) => id)];
    const like = [tx.tenantId, tools, environment, argumentKeys, targets, text, except, pool, since, n];
    return {
      words,
      near,
      structure: await sql.query<RankedPrecedent>(STRUCTURE, like),
      terms: [...found.values()].map((one) => ({
        ...{ sought: one.sought, term: one.term, common: isCommon(df.get(one.term) ?? 0, n) },
      })),
    };
  }

  /** Counted once a minute: ranks hardly depend on the last few precedents. */
  async #corpusOf(tx: Tx): Promise<Corpus> {
    const kept = this.#corpora.get(tx.tenantId);
    if (kept !== undefined && performance.now() - kept.at < CORPUS_KEPT_MS) return kept;
    const [row] = await sqlOf(tx).query<Omit<Corpus, 'at'>>(CORPUS, [tx.tenantId]);
    if (row === undefined) throw new Error('PostgreSQL did not count the precedents.');
    const corpus = { ...row, at: performance.now() };
    if (row.n < FEW) return corpus;
    if (this.#corpora.size >= MAX_CORPORA) this.#corpora.clear();
    this.#corpora.set(tx.tenantId, corpus);
    return corpus;
  }

  endsOf(tx: Tx, ids: readonly string[]): Promise<readonly PrecedentEnd[]> {
    return rowsOf(tx, precedentEntity).find({ id: Any(ids) }, { only: ['id', 'endedAs', 'unknownEffects', 'effects'] });
  }

  async read(tx: Tx, wanted: readonly string[]): Promise<readonly Precedent[]> {
    if (wanted.length === 0) return [];
    const rows = await sqlOf(tx).query<PrecedentRow>(READ, [tx.tenantId, wanted]);
    return rows.map((stored) => {
      const {
        subjectType,
        subjectId,
        environmentName,
        arguments: argumentKeys,
        erasedAt,
        approvedBy,
        ...row
      } = PRECEDENT_ROW.row(stored);
      return {
        ...{ ...row, argumentKeys, environment: environmentName, erased: erasedAt !== null },
        subject: { type: subjectType, id: subjectId },
        approvedBy: parsedValue(approversSchema, approvedBy, { question: 'the approvers of a precedent', id: row.id }),
      };
    });
  }

  async sharedWords(
    tx: Tx,
    ids: readonly string[],
    text: string,
    terms: readonly FoundTerm[],
    by: SearchingAgent,
  ): Promise<ReadonlyMap<string, SharedWords>> {
    if (ids.length === 0 || terms.length === 0) return new Map();
    const rows = await sqlOf(tx).query<SharedWord & { readonly id: string }>(SHARED, [
      ...[tx.tenantId, ids, text, by, terms.map(({ sought }) => sought)],
      ...[terms.map(({ term }) => term), terms.map(({ common }) => common)],
    ]);
    return new Map(ids.map((id) => [id, sharedWordsOf(rows.filter((row) => row.id === id))]));
  }

  async lastBad(tx: Tx, structure: Structure, except: string | null): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ id: string }>(LAST_BAD, [
      tx.tenantId,
      ...ofShape(structure, except),
      BAD_STATES,
    ]);
    return row?.id ?? null;
  }

  async pastOf(tx: Tx, structure: Structure, except: string | null): Promise<readonly PastCount[]> {
    const [row] = await sqlOf(tx).query<{ past: unknown }>(PAST, ofShape(structure, except));
    return parsedValue(pastCounts, row?.past, { function: 'precedent_past' });
  }

  async pastOfOpen(tx: Tx, id: ApprovalRequestId): Promise<readonly PastCount[] | null> {
    const [row] = await sqlOf(tx).query<{ past: unknown }>(PAST_OF_OPEN, [id]);
    return parsedValue(pastOfRequest, row?.past, { function: 'precedent_past_of_open', id });
  }
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

const ofShape = ({ tools, environment, argumentKeys }: Structure, except: string | null): unknown[] => [
  ...[sorted(tools), environment ?? '', sorted(argumentKeys), except],
];
