import type { ConnectionId, TenantId, Tx } from '#lib/kernel';
import type { Connection, ConnectionState, Generation, KindSettings } from '../domain/connection.js';

/** A connection as it is written. */
export interface SavedConnection<S extends KindSettings> extends Pick<
  ConnectionState,
  'id' | 'generation' | 'createdBy' | 'createdAt'
> {
  readonly settings: S;
}

/** The connection of one kind of the transaction's tenant, with its bearer token, encrypted. */
export interface ConnectionStore<S extends KindSettings> {
  find(tx: Tx): Promise<Connection<S> | null>;
  /** Until the transaction ends no other one changes the connection of the tenant. */
  lockForChange(tx: Tx): Promise<void>;
  /** Inserts it, or writes its settings. At another address it has no token; a new generation has no answer and no failure. */
  save(tx: Tx, connection: SavedConnection<S>): Promise<void>;
  remove(tx: Tx): Promise<void>;
  /** @param token null removes it. */
  saveToken(tx: Tx, id: ConnectionId, token: string | null): Promise<void>;
  token(tx: Tx, id: ConnectionId): Promise<string | null>;
  /** Notes that it did what it is for, or the reason why it did not. Nothing if it has another generation meanwhile. */
  note(tx: Tx, of: Generation, error: string | null): Promise<void>;
}

/** The work that a connection is for. It begins and ends with it, in the same transaction. */
export interface ConnectionWork {
  /** The connection was added, or is another server now. Work goes on at once, also if it waits after failures of the former one. */
  begin(tx: Tx, id: ConnectionId): Promise<void>;
  /** The connection was removed. */
  end(tx: Tx): Promise<void>;
  /** Work that waits after failures goes on at once. */
  retryNow(tx: Tx, id: ConnectionId): Promise<void>;
}

/** Decides whether Countersign may connect to an address, by its spelling. */
export type MayConnect = (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;

/** One request to a server of a tenant. */
export interface ReceiverRequest {
  readonly url: string;
  readonly ca: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer to it, to the end of the body. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends over HTTPS to addresses that the operator's rules allow (T31). No redirect is followed. */
export interface Receiver {
  /** @throws if there is no answer in time. */
  send(tenantId: TenantId, request: ReceiverRequest): Promise<ReceiverAnswer>;
}
