import type { ConnectionId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Connection, Generation, KindSettings } from '../domain/connection.js';
import type { ConnectionStore, ConnectionWork, SavedConnection } from './connection.ports.js';

interface Row<S extends KindSettings> {
  readonly connection: Connection<S>;
  readonly token: string | null;
}

/** Keeps the connection of one kind of each tenant in memory. */
export class FakeConnections<S extends KindSettings> implements ConnectionStore<S> {
  readonly #rows: FakeTable<Row<S>>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  find(tx: Tx): Promise<Connection<S> | null> {
    return Promise.resolve(this.#of(tx)?.connection ?? null);
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  save(tx: Tx, { settings, ...saved }: SavedConnection<S>): Promise<void> {
    const before = this.#of(tx);
    const token = before?.connection.url === settings.url ? before.token : null;
    const { answeredAt, error, errorAt } =
      before?.connection.generation === saved.generation
        ? before.connection
        : { answeredAt: null, error: null, errorAt: null };
    const connection = { ...settings, ...saved, hasToken: token !== null, answeredAt, error, errorAt };
    this.#rows.of(tx).set(saved.id, { connection, token });
    return Promise.resolve();
  }

  remove(tx: Tx): Promise<void> {
    this.#rows.of(tx).clear();
    return Promise.resolve();
  }

  saveToken(tx: Tx, id: ConnectionId, token: string | null): Promise<void> {
    const row = this.#of(tx);
    if (row !== null) this.#rows.of(tx).set(id, { connection: { ...row.connection, hasToken: token !== null }, token });
    return Promise.resolve();
  }

  token(tx: Tx): Promise<string | null> {
    return Promise.resolve(this.#of(tx)?.token ?? null);
  }

  note(tx: Tx, { id, generation }: Generation, error: string | null): Promise<void> {
    const row = this.#of(tx);
    if (row?.connection.generation !== generation) return Promise.resolve();
    const { now } = this.database;
    const noted = error === null ? { answeredAt: now, error, errorAt: null } : { error, errorAt: now };
    this.#rows.of(tx).set(id, { ...row, connection: { ...row.connection, ...noted } });
    return Promise.resolve();
  }

  #of(tx: Tx): Row<S> | null {
    const [row] = this.#rows.of(tx).values();
    return row ?? null;
  }
}

/** The work of a connection, by the name of each call: `begin`, `end` and `retryNow`. */
export class FakeConnectionWork implements ConnectionWork {
  readonly calls: string[] = [];

  begin(): Promise<void> {
    return Promise.resolve(void this.calls.push('begin'));
  }

  end(): Promise<void> {
    return Promise.resolve(void this.calls.push('end'));
  }

  retryNow(): Promise<void> {
    return Promise.resolve(void this.calls.push('retryNow'));
  }
}
