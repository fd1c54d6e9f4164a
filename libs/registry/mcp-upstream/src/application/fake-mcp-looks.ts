import type { JsonObject } from '#lib/canonical';
import type { Digest, Tx } from '#lib/kernel';
import type { ExecutorId } from '#lib/tool';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { LookedServer, McpLook, McpLooks, McpServerRecord } from './mcp-upstream.ports.js';

/** Looks in memory. Transactions come one after another, so that each look at a row is a lock. */
export class FakeMcpLooks implements McpLooks {
  readonly #servers: FakeTable<LookedServer>;
  readonly #definitions: FakeTable<JsonObject>;
  /** Until when the next look at a server is put off. */
  readonly putOffUntil: FakeTable<number>;

  constructor(database: FakeUnitOfWork) {
    this.#servers = new FakeTable(database);
    this.#definitions = new FakeTable(database);
    this.putOffUntil = new FakeTable(database);
  }

  /** Adds a server that was never looked at, as its executor does when it is put. */
  add(tx: Tx, server: McpServerRecord): void {
    this.#servers.of(tx).set(server.id, { server, look: { lookedAt: null, problem: null, tools: [] } });
  }

  all(tx: Tx): Promise<readonly LookedServer[]> {
    const key = ({ server }: LookedServer): string => `${server.environment} ${server.name}`;
    return Promise.resolve([...this.#servers.of(tx).values()].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
  }

  async named(tx: Tx, environment: string, name: string): Promise<LookedServer | null> {
    const all = await this.all(tx);
    return all.find(({ server }) => server.environment === environment && server.name === name) ?? null;
  }

  lock(tx: Tx, id: ExecutorId): Promise<LookedServer | null> {
    return Promise.resolve(this.#servers.of(tx).get(id) ?? null);
  }

  putOff(tx: Tx, id: ExecutorId, until: number): Promise<void> {
    this.putOffUntil.of(tx).set(id, until);
    return Promise.resolve();
  }

  async save(tx: Tx, id: ExecutorId, look: McpLook): Promise<void> {
    const found = await this.lock(tx, id);
    if (found !== null) this.#servers.of(tx).set(id, { ...found, look });
  }

  keep(tx: Tx, digest: Digest, definition: JsonObject): Promise<void> {
    const kept = this.#definitions.of(tx);
    if (!kept.has(digest)) kept.set(digest, definition);
    return Promise.resolve();
  }

  kept(tx: Tx, digests: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    return Promise.resolve(new Map([...this.#definitions.of(tx)].filter(([digest]) => digests.includes(digest))));
  }
}
