import type { SiemCollectorId, TenantId, Tx } from '#lib/kernel';
import type { Collector } from '../domain/collector.js';

/** A destination of lines. */
export interface OcsfSink {
  /**
   * Keeps lines of one tenant, each without its end, in their order. It returns after they are safe.
   *
   * @throws if it may have kept none, or only some of them.
   */
  write(tenantId: TenantId, lines: readonly string[]): Promise<void>;
}

/** The collector of the transaction's tenant, with its bearer token, encrypted. */
export interface CollectorStore {
  find(tx: Tx): Promise<Collector | null>;
  /** Until the transaction ends no other one changes the collector of the tenant. */
  lockForChange(tx: Tx): Promise<void>;
  /** Inserts it, or writes its settings. At another address it has no token, and no failure. */
  save(tx: Tx, collector: Pick<Collector, 'id' | 'url' | 'ca' | 'createdBy' | 'createdAt'>): Promise<void>;
  remove(tx: Tx): Promise<void>;
  /** @param token null removes it. */
  saveToken(tx: Tx, id: SiemCollectorId, token: string | null): Promise<void>;
  token(tx: Tx, id: SiemCollectorId): Promise<string | null>;
  /** Notes that it took lines, or the reason why it did not. Nothing if it has another address meanwhile. */
  note(tx: Tx, collector: Collector, error: string | null): Promise<void>;
}

/** One request to a collector. */
export interface CollectorRequest {
  readonly url: string;
  readonly ca: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends over HTTPS to addresses that the operator's rules admit (T31). No redirect is followed. */
export interface CollectorClient {
  /** @throws if there is no answer in time. */
  send(tenantId: TenantId, request: CollectorRequest): Promise<{ readonly status: number; readonly body: string }>;
}

/** Decides whether Countersign may connect to an address, by its spelling. */
export type MayConnect = (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;
