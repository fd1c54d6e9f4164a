import type { Tx } from '#lib/kernel';
import { sqlOf } from './sql.js';

const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
const SHARE = 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))';

/**
 * Holds a name until the transaction ends; another transaction that holds it is waited for. It takes the place of a row lock if no row
 * may be there yet, or if rows are counted. A name says its tenant or a row of it.
 */
export const lockName = async (tx: Tx, name: string): Promise<void> => {
  await sqlOf(tx).query(LOCK, [name]);
};

/** As {@link lockName}, without waiting for the answer: the next statement of the transaction runs once the name is held. */
export const lockNameAhead = (tx: Tx, name: string): void => {
  sqlOf(tx).executeAhead(LOCK, [name]);
};

/**
 * Holds a name until the transaction ends, together with others that share it. {@link lockName} waits for them, and they for it. The
 * next statement of the transaction runs once the name is held.
 */
export const shareNameAhead = (tx: Tx, name: string): void => {
  sqlOf(tx).executeAhead(SHARE, [name]);
};
