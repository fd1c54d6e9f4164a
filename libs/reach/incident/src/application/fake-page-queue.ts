import { newId, type IncidentId, type PageRequest, type Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { PageAction } from '../domain/page-event.js';
import type { Page, PageQueue } from './incident.ports.js';

const ERROR_CHARACTERS = 2_000;

type Row = Page & { readonly nextAttemptAt: number };

/** Keeps events for PagerDuty in memory. */
export class FakePageQueue implements PageQueue {
  readonly #pages: FakeTable<Row>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#pages = new FakeTable(database);
  }

  write(tx: Tx, incidentId: IncidentId, action: PageAction): Promise<void> {
    const written = this.#of(tx, incidentId).map((page) => page.action);
    if (written.includes(action) || (action !== 'trigger' && !written.includes('trigger'))) return Promise.resolve();
    const id = newId();
    const { now } = this.database;
    const due = { state: 'pending', attempts: 0, lastError: null, createdAt: now, nextAttemptAt: now } as const;
    this.#pages.of(tx).set(id, { id, incidentId, action, ...due });
    return Promise.resolve();
  }

  claim(tx: Tx, id: string, leaseMs: number): Promise<Page | null> {
    const page = this.#pages.of(tx).get(id);
    if (page?.state !== 'pending' || page.nextAttemptAt > this.database.now) return Promise.resolve(null);
    if (this.#of(tx, page.incidentId).some((before) => before.id < id && before.state === 'pending'))
      return Promise.resolve(null);
    const attempts = page.attempts + 1;
    this.#pages.of(tx).set(id, { ...page, attempts, nextAttemptAt: this.database.now + leaseMs });
    return this.lock(tx, id);
  }

  sent(tx: Tx, id: string): Promise<void> {
    return this.#settle(tx, id, { state: 'sent', lastError: null });
  }

  postpone(tx: Tx, id: string, error: string, delayMs: number): Promise<void> {
    const lastError = error.slice(0, ERROR_CHARACTERS);
    return this.#settle(tx, id, { lastError, nextAttemptAt: this.database.now + delayMs });
  }

  giveUp(tx: Tx, id: string, error: string): Promise<void> {
    return this.#settle(tx, id, { state: 'failed', lastError: error.slice(0, ERROR_CHARACTERS) });
  }

  of(tx: Tx, incidentId: IncidentId): Promise<readonly Page[]> {
    return Promise.resolve(this.#of(tx, incidentId).map(pageOf));
  }

  failed(tx: Tx, page: PageRequest): Promise<readonly Page[]> {
    const failed = [...this.#pages.of(tx).values()].filter(({ state }) => state === 'failed');
    return Promise.resolve(fakePage(failed, ({ createdAt }) => createdAt, page).map(pageOf));
  }

  lock(tx: Tx, id: string): Promise<Page | null> {
    const page = this.#pages.of(tx).get(id);
    return Promise.resolve(page === undefined ? null : pageOf(page));
  }

  retry(tx: Tx, { id, incidentId }: Page): Promise<void> {
    const due = { state: 'pending', attempts: 0, nextAttemptAt: this.database.now } as const;
    for (const page of this.#of(tx, incidentId))
      if (page.id >= id) this.#pages.of(tx).set(page.id, { ...page, ...due });
    return Promise.resolve();
  }

  #settle(tx: Tx, id: string, change: Partial<Row>): Promise<void> {
    const page = this.#pages.of(tx).get(id);
    if (page?.state === 'pending') this.#pages.of(tx).set(id, { ...page, ...change });
    return Promise.resolve();
  }

  #of(tx: Tx, incidentId: IncidentId): Row[] {
    return [...this.#pages.of(tx).values()]
      .filter((page) => page.incidentId === incidentId)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

const pageOf = ({ id, incidentId, action, state, attempts, lastError, createdAt }: Row): Page => ({
  id,
  incidentId,
  action,
  state,
  attempts,
  lastError,
  createdAt,
});
