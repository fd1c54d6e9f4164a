import pg from 'pg';
import { ANNOUNCE } from '../../libs/foundation/database/src/adapters/announcements.js';
import { ASK_HELD } from '../../libs/foundation/database/src/adapters/held-tenants.js';

/** A function of the database (libs/people/identity). */
const DRAW = 'request_budget_draw(';

/** The statements that PostgreSQL received meanwhile. */
export interface CountedStatements {
  /** Every statement in the order in which it was sent. */
  readonly statements: readonly string[];
  /** How many of them began a transaction. */
  readonly transactions: number;
}

/**
 * Counts the statements that this process sends to PostgreSQL while `work` runs. docs/performance.md has the rule: each message
 * to the server is one statement. `begin` with its settings, `commit`, and a message that is not awaited count, too.
 * Announcements, questions for tenants that move and draws of the request budget are not counted. They leave so many times a
 * second at most, for all requests of that time.
 */
export async function countedStatements(work: () => Promise<unknown>): Promise<CountedStatements> {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  const counting: unknown = function (this: pg.Client, asked: string | { readonly text: string }, ...rest: unknown[]) {
    const text = typeof asked === 'string' ? asked : asked.text;
    if (text !== ANNOUNCE && text !== ASK_HELD && !text.includes(DRAW))
      statements.push(text.replace(/\s+/g, ' ').trim());
    return Reflect.apply(query, this, [asked, ...rest]) as unknown;
  };
  pg.Client.prototype.query = counting as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return { statements, transactions: statements.filter((text) => text.startsWith('begin')).length };
}

/**
 * The transactions and statements of one more step, from runs of 2, 12 and 42 steps. The first of each is between the first two
 * runs, the second between the last two. So the start and the end of a run fall away.
 *
 * @param driven drives a run of so many steps to its end.
 */
export async function perStep(driven: (steps: number) => Promise<CountedStatements>): Promise<{
  readonly transactions: readonly number[];
  readonly statements: readonly number[];
}> {
  const [few, many, most] = [await driven(2), await driven(12), await driven(42)];
  const between = (count: (run: CountedStatements) => number): readonly number[] => [
    (count(many) - count(few)) / 10,
    (count(most) - count(many)) / 30,
  ];
  return {
    transactions: between(({ transactions }) => transactions),
    statements: between(({ statements }) => statements.length),
  };
}
