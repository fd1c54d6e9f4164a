import type { Failure } from '#lib/kernel';

/** The words of a server about itself, on a fresh connection. */
export interface ServerFacts {
  /** Whether it takes writes: it is neither a standby nor read-only. */
  readonly writes: boolean;
  /** Of the cluster; a standby has its primary's, also after it was promoted. */
  readonly system: string;
  /** Grows by one with each promotion. 0 for a standby. */
  readonly timeline: number;
  /** The start of its process: two addresses of one server agree, and two servers hardly do. */
  readonly started: string;
}

/** The server that a process last wrote to. */
export type KnownServer = Pick<ServerFacts, 'system' | 'timeline'>;

/**
 * Whether a process may write to this server.
 *
 * @param known the server that it wrote to before; null at its start.
 * @returns why not, or null if it may.
 */
export function refusalOf(facts: ServerFacts, known: KnownServer | null): Failure | null {
  if (!facts.writes) return notWriting;
  if (known === null) return null;
  if (facts.system !== known.system) return anotherCluster;
  return facts.timeline < known.timeline ? formerPrimary : null;
}

/**
 * The host to write to. Of two that write, the one with the higher timeline was promoted; the other is a former primary
 * that came back. Two on the same timeline were promoted apart, or one is a copy: neither is written to.
 *
 * @param found by host; null for one that did not answer.
 */
export function hostThatWrites(
  found: readonly (ServerFacts | null)[],
  known: KnownServer | null,
): number | 'two' | null {
  const writing = found.flatMap((facts, host) =>
    facts === null || refusalOf(facts, known) !== null ? [] : [{ ...facts, host }],
  );
  const timeline = Math.max(...writing.map((each) => each.timeline));
  const [first, ...others] = writing.filter((each) => each.timeline === timeline);
  if (first === undefined) return null;
  return others.some(({ started }) => started !== first.started) ? 'two' : first.host;
}

const AGAIN = 'Retry with the same Idempotency-Key: nothing is done twice, whether or not it was done now.';

/** The answer to a request if the disk of the server is full. */
export const databaseFull: Failure = {
  kind: 'unavailable',
  code: 'database.disk_full',
  message: 'The disk of the database is full.',
  action: `The operator frees some of it, or makes it larger. ${AGAIN}`,
  retryAfterSeconds: 10,
};

/** The answer to a request that waited too long for rows that others changed, or collided with them repeatedly. */
export const contended: Failure = {
  kind: 'unavailable',
  code: 'database.contended',
  message: 'Other changes to the same rows are under way, and this request did not get its turn in time.',
  action: `Wait as long as Retry-After says. ${AGAIN}`,
  retryAfterSeconds: 1,
};

/** The answer to a request if a statement reached its time limit. */
export const tooSlow: Failure = {
  kind: 'unavailable',
  code: 'database.too_slow',
  message: 'The database did not finish a statement within its time limit.',
  action:
    'Ask for less at a time if the request allows it. A retry may take as long again; with the same Idempotency-Key nothing is done twice.',
  retryAfterSeconds: 5,
};

/** The answer to a request while no host writes, or if its connection was lost. */
export const databaseAway: Failure = {
  kind: 'unavailable',
  code: 'database.unavailable',
  message: 'The database does not answer, or no host of it takes writes at the moment.',
  action: AGAIN,
  retryAfterSeconds: 1,
};

/** The answer to a request if the standby did not confirm its commit. */
export const notReplicated: Failure = {
  kind: 'unavailable',
  code: 'database.not_replicated',
  message: 'The standby did not confirm the commit in time: the change may be kept or lost.',
  action: AGAIN,
  retryAfterSeconds: 5,
};

/** The answer to a change while as many commits wait as may. */
export const commitsWait: Failure = {
  kind: 'unavailable',
  code: 'database.commits_wait',
  message:
    'The database confirms no commits, as if its standby were gone, and as many of them wait as may. This change was not made.',
  action:
    'Wait as long as Retry-After says, and try again. The operator looks after the standby: countersign standby status.',
  retryAfterSeconds: 5,
};

const notWriting: Failure = {
  ...databaseAway,
  message: 'The host of the database is a standby, or read-only.',
};

const anotherCluster: Failure = {
  kind: 'unavailable',
  code: 'database.another_cluster',
  message: 'A host of DATABASE_URL belongs to another database cluster than the one before.',
  action: 'Let DATABASE_URL name a primary and its standbys. If the cluster was replaced on purpose, start again.',
};

/** The answer while two hosts write, and neither is known to have the rows that count. */
export const twoPrimaries: Failure = {
  kind: 'unavailable',
  code: 'database.two_primaries',
  message:
    'Two hosts of DATABASE_URL write on the same timeline: each lacks the writes that the other has taken since.',
  action: 'Decide which one counts (countersign standby status shows both). Stop the other, and make it a standby.',
  retryAfterSeconds: 5,
};

const formerPrimary: Failure = {
  kind: 'unavailable',
  code: 'database.former_primary',
  message: 'A host of DATABASE_URL writes, and another host has been promoted since: it is a former primary.',
  action: 'Stop that host, and make it a standby of the promoted one.',
};
